#include "app/shortcuts.h"

#include <imgui.h>
#include <imgui_internal.h>

#include <utility>

#include "app/about.h"
#include "app/imports.h"
#include "app/state.h"

namespace megamem::web {

namespace {

ImGuiInputTextState* active_text() {
    const ImGuiID active = ImGui::GetActiveID();
    return active != 0 ? ImGui::GetInputTextState(active) : nullptr;
}

// Fields of the form leave undo to the page (NoUndoRedo): what was typed there is a step like any other.
void undo_keys() {
    ImGuiInputTextState* text = active_text();
    if (text != nullptr && (text->Flags & ImGuiInputTextFlags_NoUndoRedo) == 0) return;
    const bool shift_z = ImGui::IsKeyChordPressed(ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_Z);
    if (ImGui::IsKeyChordPressed(ImGuiMod_Ctrl | ImGuiKey_Z)) {
        undo();
    } else if (shift_z || ImGui::IsKeyChordPressed(ImGuiMod_Ctrl | ImGuiKey_Y)) {
        redo();
    } else {
        return;
    }
    if (text != nullptr) text->ReloadUserBufAndSelectAll();
}

}  // namespace

void handle_shortcuts(bool sheet) {
    // ImGui has closed a menu by the time its Escape is seen here.
    static bool had_popup = false;
    const bool has_popup = ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup);
    const bool in_popup = std::exchange(had_popup, has_popup) || has_popup;
    undo_keys();
    if (ImGui::IsKeyPressed(ImGuiKey_F1, false)) show_about();
    if (active_text() != nullptr || in_popup || !ImGui::IsKeyPressed(ImGuiKey_Escape, false)) return;
    if (imports().open) {
        close_import();
    } else if (sheet) {
        close_cell();
    }
}

}  // namespace megamem::web

#include "app/shortcuts.h"

#include <imgui.h>
#include <imgui_internal.h>

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

void handle_shortcuts() {
    undo_keys();
    if (ImGui::IsKeyPressed(ImGuiKey_F1, false)) show_about();
    if (active_text() != nullptr || !ImGui::IsKeyPressed(ImGuiKey_Escape, false)) return;
    if (imports().open) {
        close_import();
    } else if (!ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup)) {
        close_cell();
    }
}

}  // namespace megamem::web

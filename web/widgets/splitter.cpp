#include "widgets/splitter.h"

#include <imgui.h>
#include <imgui_internal.h>

#include "platform/platform.h"
#include "style/theme.h"

namespace megamem::web {

using namespace style;

namespace {

constexpr float kBefore = 3;  // of the border: what is beside it can have a scrollbar there
constexpr float kBeyond = 7;  // where no column has anything
constexpr float kKeyStep = 16;

// By the arrow keys, which belong to the border while it has the focus.
float moved_by_keys(ImGuiID id) {
    ImGui::SetKeyOwner(ImGuiKey_LeftArrow, id);
    ImGui::SetKeyOwner(ImGuiKey_RightArrow, id);
    const auto pressed = [&](ImGuiKey key) { return ImGui::IsKeyPressed(key, ImGuiInputFlags_Repeat, id); };
    const float by = pressed(ImGuiKey_LeftArrow)    ? -px(kKeyStep)
                     : pressed(ImGuiKey_RightArrow) ? px(kKeyStep)
                                                    : 0;
    if (by != 0) ImGui::SetNavCursorVisible(true);  // after a click as well: Enter needs it
    return by;
}

}  // namespace

Split splitter(const char* id, float x, float height) {
    static float grabbed = 0;  // how far from the border
    static bool held = false;  // by the mouse
    const ImVec2 top(x - px(kBefore), ImGui::GetCursorScreenPos().y);
    ImGui::SetCursorScreenPos(top);
    // In a window of its own, above the columns: what lies below would get the mouse otherwise.
    constexpr ImGuiWindowFlags kFlags =
        ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse | ImGuiWindowFlags_NoBackground;
    ImGui::BeginChild(id, {px(kBefore + kBeyond), height}, ImGuiChildFlags_NavFlattened, kFlags);
    const ImGuiContext& context = *ImGui::GetCurrentContext();
    // Tab comes here, arrow keys on their way from column to column don't: they would be caught.
    const bool arrows =
        context.NavMoveScoringItems && (context.NavMoveFlags & ImGuiNavMoveFlags_IsTabbing) == 0;
    const bool passed = arrows && context.NavId != ImGui::GetID(id);
    const bool entered = ImGui::InvisibleButton(id, {px(kBefore + kBeyond), height},
                                                passed ? ImGuiButtonFlags_None : ImGuiButtonFlags_EnableNav);
    platform::test_name(id, id);
    const bool by_keys = context.ActiveIdSource == ImGuiInputSource_Keyboard;
    // The last of a quick drag can come in one frame with the release.
    const bool released = ImGui::IsItemDeactivated() && ImGui::IsMouseReleased(ImGuiMouseButton_Left);
    const bool focused = ImGui::IsItemFocused();  // after a click, too
    const float mouse = ImGui::GetIO().MousePos.x;
    Split split{.position = x};
    if (ImGui::IsItemActivated()) {
        grabbed = mouse - x;
        held = !by_keys;
    }
    const bool dragged = held && (ImGui::IsItemActive() || released);
    if (dragged) split.position = mouse - grabbed;
    if (focused) split.position += moved_by_keys(ImGui::GetItemID());
    split.reset = (ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) ||
                  (entered && by_keys);
    if (split.reset) held = false;  // the button is still down, and the border must stay where it went
    split.finished = ImGui::IsItemDeactivated() || (focused && split.position != x) || split.reset;
    if (ImGui::IsItemHovered() || dragged) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
    const bool shown = focused && context.NavCursorVisible;
    if (ImGui::IsItemHovered() || dragged || shown) {
        const float half = shown || dragged ? px(1.5f) : px(1);
        ImGui::GetWindowDrawList()->AddRectFilled({x - half, top.y}, {x + half, top.y + height},
                                                  colors().accent);
    }
    ImGui::EndChild();
    return split;
}

}  // namespace megamem::web

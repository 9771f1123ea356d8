#include "widgets/cell.h"

#include <imgui_internal.h>

#include <algorithm>

#include "platform/platform.h"
#include "widgets/draw.h"

namespace megamem::web {

using namespace style;

namespace {

float chosen_to = 0;
int chosen_in = -2;  // the frame

}  // namespace

bool choosable(const std::string& id, ImVec2 size) {
    const bool pressed = ImGui::InvisibleButton(id.c_str(), size, ImGuiButtonFlags_EnableNav);
    platform::test_name(id.c_str(), id);
    if (ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    const ImGuiContext& context = *ImGui::GetCurrentContext();
    const bool chosen =
        pressed || (context.NavJustMovedToId != 0 && context.NavJustMovedToId == ImGui::GetItemID());
    if (chosen) {
        chosen_to = ImGui::GetItemRectMax().y;
        chosen_in = ImGui::GetFrameCount();
    }
    return chosen;
}

std::optional<float> just_chosen_bottom() {
    if (ImGui::GetFrameCount() != chosen_in + 1) return std::nullopt;
    return chosen_to;
}

void selection_frame(ImVec2 from, ImVec2 to, bool filled) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    if (filled) list.AddRectFilled(from, to, colors().accent_soft, px(4));
    list.AddRect(from, to, colors().accent, px(4), 0, px(1));
}

bool cell(const std::string& id, std::string_view content, const CellLook& look) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const ImVec2 size(look.width, ImGui::GetTextLineHeight());
    const ImVec2 from(at.x - px(5), at.y - px(2));
    const ImVec2 to(at.x + size.x + px(5), at.y + size.y + px(2));
    if (look.selected) selection_frame(from, to, true);
    const bool chosen = choosable(id, size);
    if (ImGui::IsItemHovered() && !look.selected) {
        ImGui::GetWindowDrawList()->AddRectFilled(from, to, colors().field_hover, px(4));
    }
    const ImU32 color = look.selected ? colors().accent : look.color == 0 ? colors().text : look.color;
    const float room = look.align == Align::right ? std::max(size.x - width_of(content), 0.0f) : 0.0f;
    text_at({at.x + room, at.y}, content, color);
    return chosen;
}

}  // namespace megamem::web

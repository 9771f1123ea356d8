#include "widgets/segment.h"

#include <imgui.h>

#include "widgets/draw.h"

namespace megamem::web {

using namespace style;

// Soft ground for the chosen one, bare text for the others.
bool segment(const char* label, bool chosen) {
    ImGui::PushStyleColor(ImGuiCol_Button, chosen ? colors().accent_soft : IM_COL32_BLACK_TRANS);
    ImGui::PushStyleColor(ImGuiCol_Border, IM_COL32_BLACK_TRANS);
    ImGui::PushStyleColor(ImGuiCol_Text, chosen ? colors().accent : colors().muted);
    const Font font(chosen ? Type::strong : Type::body);
    const bool pressed = button(label);
    ImGui::PopStyleColor(3);
    return pressed;
}

float segment_width(std::string_view label) {
    const Font font(Type::strong);
    return width_of(label) + 2 * ImGui::GetStyle().FramePadding.x;
}

}  // namespace megamem::web

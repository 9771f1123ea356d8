// Tabs of the middle column, and the switch between methods.
#include <imgui.h>

#include <string>

#include "app/state.h"
#include "panels/panels.h"
#include "text/text.h"
#include "widgets/draw.h"

namespace megamem::web {

using namespace style;

namespace {

// One of a row of choices: soft ground for the chosen one, bare text for the others.
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

}  // namespace

void tabs_panel() {
    struct Named {
        Tab tab;
        const char* label;
    };
    constexpr Named kTabs[] = {{Tab::memory, words::kTabMemory},
                               {Tab::methods, words::kTabMethods},
                               {Tab::compare, words::kTabCompare},
                               {Tab::notes, words::kTabNotes}};
    bool first = true;
    for (const Named& named : kTabs) {
        if (!first) ImGui::SameLine(0, px(2));
        first = false;
        if (segment(named.label, state().tab == named.tab)) select_tab(named.tab);
    }

    float width = 0;
    for (const std::string_view name : kMethodNames)
        width += segment_width(name) + px(2);
    width += px(14);  // the column's own padding and scrollbar
    ImGui::SameLine();
    const float right = ImGui::GetWindowWidth() - ImGui::GetStyle().WindowPadding.x - width;
    // Below the tabs where there is no room beside them.
    if (right < ImGui::GetCursorPosX()) {
        ImGui::NewLine();
    } else {
        ImGui::SetCursorPosX(right);
    }
    for (std::size_t i = 0; i < kMethodNames.size(); ++i) {
        if (i > 0) ImGui::SameLine(0, px(2));
        const auto method = static_cast<Method>(i);
        if (segment(std::string(kMethodNames[i]).c_str(), state().method == method)) select_method(method);
    }
}

}  // namespace megamem::web

// Tabs of the middle column, the switch between methods, and the one between results and form.
#include <fmt/format.h>
#include <imgui.h>

#include <string>

#include "app/mirror.h"
#include "app/state.h"
#include "base/units.h"
#include "panels/panels.h"
#include "panels/tone.h"
#include "style/theme.h"
#include "text/text.h"
#include "widgets/draw.h"
#include "widgets/segment.h"

namespace megamem::web {

using namespace style;

void pane_switch() {
    State& s = state();
    if (segment(words::kResults, !s.inputs_shown)) s.inputs_shown = false;
    ImGui::SameLine(0, px(2));
    if (segment(words::kInputs, s.inputs_shown)) s.inputs_shown = true;
    // What an edit does is seen from the form too.
    const Verdict verdict = verdict_of(s.report);
    std::string line = word_of(verdict);
    if (s.report.valid) line += fmt::format(", {} GiB", gib(s.report.needed()));
    ImGui::SameLine();
    const float right = ImGui::GetWindowPos().x + ImGui::GetWindowWidth() - px(16);
    text_ending_at_place(line, right, ImGui::GetCursorScreenPos().y + ImGui::GetStyle().FramePadding.y,
                         tone_of(verdict).color);
    ImGui::NewLine();
}

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

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "app/state.h"
#include "base/units.h"
#include "memory/explain.h"
#include "panels/panels.h"
#include "platform/platform.h"
#include "text/text.h"
#include "widgets/draw.h"

namespace megamem::web {

using namespace style;

namespace {

void heading(std::string_view content) {
    ImGui::Dummy({0, px(4)});
    const Font strong(Type::strong);
    wrapped_text(content);
}

void code_box(std::string_view content) {
    const Font face(Type::code);
    const float width = ImGui::GetContentRegionAvail().x;
    const ImVec2 padding(px(10), px(8));
    const ImVec2 size =
        ImGui::CalcTextSize(content.data(), content.data() + content.size(), false, width - 2 * padding.x);
    const ImVec2 from = ImGui::GetCursorScreenPos();
    const ImVec2 to(from.x + width, from.y + size.y + 2 * padding.y);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(from, to, colors().field, px(6));
    list.AddRect(from, to, colors().border, px(6));
    list.AddText(ImGui::GetFont(), ImGui::GetFontSize(), {from.x + padding.x, from.y + padding.y},
                 colors().text, content.data(), content.data() + content.size(), width - 2 * padding.x);
    ImGui::Dummy({width, size.y + 2 * padding.y});
}

// Made anew when the scenario, the rank or the row has changed.
const std::vector<Explanation>& explanations() {
    static std::vector<Explanation> made;
    static std::string of;
    const State& s = state();
    const std::string now = fmt::format("{} {} {}", s.version, s.selected_rank, s.selected_row);
    if (of != now) {
        made = s.selected_row.empty() ? std::vector<Explanation>{}
                                      : explain(s.scenario, s.report, s.selected_rank, s.selected_row);
        of = now;
    }
    return made;
}

void explanation(const Explanation& e) {
    const std::string kind = e.kind.empty() ? std::string() : fmt::format(", {}", e.kind);
    text(fmt::format("{}{}: {} GiB", e.component, kind, gib(e.result)));
    std::string lines = e.symbols;
    if (!e.substitution.empty()) lines += fmt::format("\n= {}", e.substitution);
    if (e.multiplicity > 1) lines += fmt::format("\n× {} layers and micro-batches", e.multiplicity);
    lines += fmt::format("\n= {} {}", grouped(e.result), words::kBytes);
    code_box(lines);
    const Font small(Type::small);
    wrapped_text(e.source, colors().faint);
    ImGui::Dummy({0, px(4)});
}

void selected_row() {
    const State& s = state();
    const auto& all = explanations();
    if (all.empty()) {
        const Font small(Type::small);
        wrapped_text(words::kExplainHint, colors().muted);
        return;
    }
    heading(fmt::format("{}, rank {}", s.selected_row, s.selected_rank));
    for (const Explanation& e : all)
        explanation(e);
}

void problem_list(Severity severity, const char* title, ImU32 color) {
    const Problems& problems = state().report.problems;
    const bool any = std::any_of(problems.begin(), problems.end(),
                                 [&](const Problem& p) { return p.severity == severity; });
    if (!any) return;
    heading(title);
    for (const Problem& problem : problems) {
        if (problem.severity == severity) wrapped_text(problem.message, color);
    }
}

}  // namespace

void explain_panel() {
    problem_list(Severity::error, words::kProblems, colors().bad);
    if (!state().report.ranks.empty()) selected_row();
    problem_list(Severity::warning, words::kWarnings, colors().warn);
    if (state().report.valid) {
        heading(words::kAssumptions);
        const Font small(Type::small);
        for (const Assumption& assumption : state().report.assumptions) {
            wrapped_text(assumption.message, colors().muted);
            ImGui::Dummy({0, px(1)});
        }
    }
    ImGui::Dummy({0, px(12)});
}

void link_panel() {
    const Problems& problems = state().link_problems;
    if (problems.empty()) return;
    begin_card("link", 0, 0, 16);
    {
        const Font strong(Type::strong);
        text(words::kFromLink);
    }
    for (const Problem& problem : problems) {
        wrapped_text(problem.message, problem.severity == Severity::info ? colors().muted : colors().warn);
    }
    if (ImGui::Button(words::kDismiss)) dismiss_link_problems();
    end_card();
}

}  // namespace megamem::web

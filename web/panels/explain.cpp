#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "app/state.h"
#include "base/units.h"
#include "memory/formulas.h"
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

void selected_row() {
    const State& s = state();
    const RankReport& rank = s.report.ranks[static_cast<std::size_t>(s.selected_rank)];
    Bytes sum = 0;
    const LineItem* first = nullptr;
    for (const LineItem& item : rank.items) {
        if (item.component != s.selected_row) continue;
        if (first == nullptr) first = &item;
        sum += item.bytes;
    }
    if (first == nullptr || sum == 0) {
        const Font small(Type::small);
        wrapped_text(words::kExplainHint, colors().muted);
        return;
    }
    heading(fmt::format("{}, rank {}", first->component, rank.pipeline_rank));
    text(fmt::format("{} GiB", gib(sum)), colors().muted);
    if (const Formula* formula = find_formula(first->formula)) {
        code_box(formula->symbols);
        const Font small(Type::small);
        wrapped_text(fmt::format("{}: {}", words::kSource, formula->source), colors().muted);
    }
    std::string lines;
    for (const LineItem& item : rank.items) {
        if (item.component != s.selected_row || item.bytes == 0) continue;
        lines += fmt::format("{}{:<10} {:>16}", lines.empty() ? "" : "\n", name_of(item.kind),
                             grouped(item.bytes));
    }
    if (first->elements > 0)
        lines = fmt::format("{:<10} {:>16}\n{}", "elements", grouped(first->elements), lines);
    code_box(lines);
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

void link_problems() {
    const Problems& problems = state().link_problems;
    if (problems.empty()) return;
    heading(words::kFromLink);
    for (const Problem& problem : problems) {
        wrapped_text(problem.message, problem.severity == Severity::info ? colors().muted : colors().warn);
    }
    if (ImGui::Button(words::kDismiss)) dismiss_link_problems();
}

}  // namespace

void explain_panel() {
    link_problems();
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

}  // namespace megamem::web

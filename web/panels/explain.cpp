#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "app/explained.h"
#include "app/state.h"
#include "base/units.h"
#include "panels/panels.h"
#include "platform/platform.h"
#include "text/text.h"
#include "text/translate.h"
#include "widgets/cell.h"
#include "widgets/draw.h"

namespace megamem::web {

using namespace style;

namespace {

std::string opened;  // the part that was chosen in this frame: opened when all of it is drawn

void assumptions(const Assumptions& all) {
    const Font small(Type::small);
    for (const Assumption& assumption : all) {
        wrapped_text(assumption.message, colors().muted);
        ImGui::Dummy({0, px(1)});
    }
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

// A part: its name and bytes on a line, and its shape below. One that is a cell can be opened.
void part_row(const ExplanationPart& part, std::size_t index) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    const std::string value = amount(part.bytes);
    const std::string name = fitted(part.name, width - width_of(value) - px(12));
    ImGui::PushID(static_cast<int>(index));
    if (part.cell.empty()) {
        text(name, colors().muted);
    } else if (cell("part " + part.cell, name, {width, false, colors().accent, Align::left})) {
        opened = part.cell;
    }
    ImGui::PopID();
    text_at({at.x + width - width_of(value), at.y}, value, colors().text);
    if (part.text.empty()) return;
    // How often, beside the name; a tensor's shape below it.
    const float end = at.x + width_of(name) + px(6);
    if (end + width_of(part.text) + width_of(value) + px(6) < at.x + width) {
        text_at({end, at.y}, part.text, colors().faint);
    } else {
        text(part.text, colors().faint);
    }
}

void parts_of(const Explanation& e) {
    if (e.parts.empty()) return;
    ImGui::Dummy({0, px(2)});
    const Font small(Type::small);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(px(8), px(4)));
    for (std::size_t i = 0; i < e.parts.size(); ++i)
        part_row(e.parts[i], i);
    ImGui::PopStyleVar();
}

void formula_of(const Explanation& e) {
    const FormulaTexts formula = formula_texts(e);
    if (!formula.symbols.empty()) code_box(formula.symbols);
    if (!formula.words.empty()) {
        const Font small(Type::small);
        wrapped_text(formula.words, colors().muted);
    }
    code_box(formula.numbers);
}

void selected_cell() {
    const auto& e = current_explanation();
    if (!e) {
        const Font small(Type::small);
        const bool waits = !state().selected_cell.empty();
        if (waits && platform::desk_state() != platform::DeskState::ready) return desk_missing();
        wrapped_text(words::kExplainHint, colors().muted);
        return;
    }
    if (!state().trail.empty() && button(words::kBack)) opened = words::kBack;
    heading(e->title);
    // For tests, which can't read the canvas.
    const ImVec2 low = ImGui::GetItemRectMin();
    const ImVec2 high = ImGui::GetItemRectMax();
    platform::test_mark(fmt::format("explained {} {}", state().selected_rank, e->cell).c_str(), low.x, low.y,
                        high.x, high.y);
    if (e->unit == "bytes") {
        const Font small(Type::small);
        const Bytes size = e->result < 0 ? -e->result : e->result;
        text(fmt::format("{}{} GiB", e->result < 0 ? "-" : "", gib(size)), colors().muted);
    }
    ImGui::Dummy({0, px(2)});
    formula_of(*e);
    {
        const Font small(Type::small);
        for (const Symbol& symbol : e->legend)
            wrapped_verbatim(
                fmt::format("{} = {}: {}", symbol.name, symbol.value, translated(symbol.meaning)),
                colors().muted);
    }
    parts_of(*e);
    ImGui::Dummy({0, px(2)});
    const Font small(Type::small);
    wrapped_text(words::kSource + e->source, colors().faint);
    if (e->assumptions.empty()) return;
    heading(words::kOwnAssumptions);
    assumptions(e->assumptions);
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

void all_assumptions() {
    heading(words::kAssumptions);
    assumptions(state().report.assumptions);
}

// With what was pressed in it.
void cell_and_its_parts() {
    opened.clear();
    selected_cell();
    if (opened == words::kBack) {
        close_part();
    } else if (!opened.empty()) {
        open_part(opened);
    }
}

}  // namespace

void explain_panel() {
    problem_list(Severity::error, words::kProblems, colors().bad);
    if (state().report.valid) cell_and_its_parts();
    problem_list(Severity::warning, words::kWarnings, colors().warn);
    // All of them where no cell asks for its own; the notes have them too.
    if (state().report.valid && !current_explanation()) all_assumptions();
    ImGui::Dummy({0, px(12)});
}

void remarks_panel() {
    problem_list(Severity::error, words::kProblems, colors().bad);
    problem_list(Severity::warning, words::kWarnings, colors().warn);
    if (state().report.valid) all_assumptions();
    ImGui::Dummy({0, px(12)});
}

void explanation_sheet() {
    const ImVec2 at = ImGui::GetCursorPos();
    const float width = width_of(translated(words::kClose)) + 2 * ImGui::GetStyle().FramePadding.x;
    const float room = ImGui::GetWindowWidth() - px(16) - width - at.x;
    // Close stays where it is, beside what scrolls.
    ImGui::BeginChild("explanation", {room - px(8), 0}, ImGuiChildFlags_NavFlattened);
    cell_and_its_parts();
    ImGui::Dummy({0, px(12)});
    ImGui::EndChild();
    ImGui::SetCursorPos({at.x + room, at.y});
    if (button(words::kClose)) close_cell();
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
    if (button(words::kDismiss)) dismiss_link_problems();
    end_card();
}

}  // namespace megamem::web

// Two scenarios side by side: the pinned one, A, and the open one, B.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>

#include "app/comparison.h"
#include "app/help.h"
#include "app/mirror.h"
#include "app/state.h"
#include "base/units.h"
#include "panels/components.h"
#include "panels/panels.h"
#include "panels/tone.h"
#include "platform/platform.h"
#include "text/text.h"
#include "widgets/draw.h"

namespace megamem::web {

using namespace style;

namespace {

constexpr ImGuiTableFlags kTableFlags =
    ImGuiTableFlags_BordersInnerH | ImGuiTableFlags_NoSavedSettings | ImGuiTableFlags_SizingStretchSame;

void head(std::string_view content, bool right) {
    ImGui::TableNextColumn();
    const Font small(Type::small);
    if (right) {
        right_aligned(content, colors().muted);
    } else {
        text(content, colors().muted);
    }
}

void buttons() {
    const bool pinned = state().pinned.has_value();
    if (!pinned) {
        wrapped_text(words::kCompareHint, colors().muted);
        if (primary_button(words::kPin)) pin_scenario();
        return;
    }
    if (button(words::kPinAgain)) pin_scenario();
    ImGui::SameLine();
    if (button(words::kSwap)) swap_pinned();
    ImGui::SameLine();
    if (button(words::kDrop)) drop_pinned();
}

void verdict_line(const char* name, const Report& report) {
    {
        const Font strong(Type::strong);
        text(name);
    }
    ImGui::SameLine(px(40));
    wrapped_text(verdict_text(report), tone_of(verdict_of(report)).color);
}

void inputs_that_differ(const Pinned& a) {
    const Scenario& b = state().scenario;
    const std::vector<const Field*> fields = differing_fields(a.scenario, b);
    if (fields.empty()) {
        heading(words::kNothingDiffers);
        return;
    }
    heading(fmt::format(fmt::runtime(words::kInputsThatDiffer), fields.size()));
    if (!ImGui::BeginTable("inputs", 3, kTableFlags)) return;
    ImGui::TableNextRow();
    head(words::kField, false);
    head("A", true);
    head("B", true);
    for (const Field* field : fields) {
        ImGui::TableNextRow();
        ImGui::TableNextColumn();
        text(field->label);
        tooltip(field->label, field->key, help_for(*field));
        for (const Scenario* scenario : {&a.scenario, &b}) {
            ImGui::TableNextColumn();
            right_aligned(fitted_verbatim(value_of(*scenario, *field), ImGui::GetContentRegionAvail().x),
                          colors().text);
        }
    }
    ImGui::EndTable();
}

Bytes tallest(const Report& report) {
    return report.ranks.empty() ? 0 : report.worst().totals.total;
}

void paired_bars(const Report& a, const Report& b) {
    const std::size_t ranks = std::max(a.ranks.size(), b.ranks.size());
    if (ranks == 0) return;
    heading(words::kPairedRanks);
    const Bytes usable = std::max(a.capacity.usable, b.capacity.usable);
    const Bytes most = std::max({usable, tallest(a), tallest(b), Bytes{1}});
    const Bytes full = most + most / 12;
    const float label = px(70), figure = px(60), height = px(9);
    const float width = ImGui::GetContentRegionAvail().x - label - figure;
    const Font small(Type::small);
    for (std::size_t i = 0; i < ranks; ++i) {
        const ImVec2 from = ImGui::GetCursorScreenPos();
        const std::string name = fmt::format(fmt::runtime(words::kRankOf), i);
        text_at({from.x, from.y + px(4)}, name, colors().muted);
        float y = from.y + px(2);
        for (const Report* report : {&a, &b}) {
            if (i < report->ranks.size()) {
                const Totals& totals = report->ranks[i].totals;
                const auto parts = parts_of(totals);
                const int part = stacked_bar(parts, {from.x + label, y}, width, height, full);
                text_ending_at_place(gib(totals.total), from.x + ImGui::GetContentRegionAvail().x, y - px(3),
                                     totals.total > report->capacity.usable ? colors().bad : colors().text);
                if (part >= 0) {
                    const BarPart& shown = parts[static_cast<std::size_t>(part)];
                    show_tooltip(fmt::format("{}, {}: {}", report == &a ? "A" : "B", name, shown.name), "",
                                 fmt::format("{} GiB", gib(shown.bytes)));
                }
            }
            y += height + px(3);
        }
        platform::test_mark(fmt::format("pair {}", i).c_str(), from.x + label, from.y, from.x + label + width,
                            y);
        ImGui::Dummy({0, 2 * height + px(10)});
    }
}

void per_component(const Report& a, const Report& b) {
    const std::vector<ComponentLine> lines = component_lines(a, b);
    if (lines.empty()) return;
    heading(words::kPerComponent);
    if (!ImGui::BeginTable("components", 4, kTableFlags)) return;
    ImGui::TableNextRow();
    head(words::kComponent, false);
    head(fmt::format("A, {}", where_of(a)), true);
    head(fmt::format("B, {}", where_of(b)), true);
    head(words::kDifference, true);
    for (const ComponentLine& line : lines) {
        const Font font(&line == &lines.back() ? Type::strong : Type::body);
        ImGui::TableNextRow();
        ImGui::TableNextColumn();
        text(line.name);
        for (const Bytes bytes : {line.a, line.b}) {
            ImGui::TableNextColumn();
            right_aligned(gib(bytes), colors().text);
        }
        ImGui::TableNextColumn();
        const Bytes more = line.b - line.a;
        right_aligned(signed_gib(more), more == 0 ? colors().faint : more > 0 ? colors().bad : colors().good);
    }
    ImGui::EndTable();
}

}  // namespace

void compare_panel() {
    begin_card("compare", 0, 0, 16);
    buttons();
    if (const auto& pinned = state().pinned) {
        const Report& a = pinned->report;
        const Report& b = state().report;
        verdict_line("A", a);
        verdict_line("B", b);
        inputs_that_differ(*pinned);
        paired_bars(a, b);
        per_component(a, b);
    }
    end_card();
}

}  // namespace megamem::web

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "app/state.h"
#include "base/units.h"
#include "panels/components.h"
#include "panels/panels.h"
#include "platform/platform.h"
#include "text/text.h"
#include "widgets/cell.h"
#include "widgets/draw.h"

namespace megamem::web {

using namespace style;

namespace {

constexpr float kLabel = 70;
constexpr float kTotal = 70;
constexpr int kRoomyRanks = 12;  // beyond, rows get closer
constexpr float kTallest = 372;  // and beyond that, the rows scroll

struct Scale {
    Bytes full;
    float left;
    float width;

    float x_of(Bytes bytes) const {
        return left + width * static_cast<float>(static_cast<double>(bytes) / static_cast<double>(full));
    }
};

Scale scale_of(const Report& report) {
    const Bytes most = std::max(report.capacity.usable, report.worst().totals.total);
    // The longest bar or the capacity line ends a little before the totals.
    return {most + most / 12, ImGui::GetCursorScreenPos().x + px(kLabel),
            ImGui::GetContentRegionAvail().x - px(kLabel + kTotal)};
}

void row_tooltip(const RankReport& rank, const BarPart* part) {
    if (part == nullptr) {
        std::string stages;
        for (const std::string& chunk : rank.chunks)
            stages += fmt::format("{}{}", stages.empty() ? "" : " / ", chunk.empty() ? "–" : chunk);
        show_tooltip(fmt::format("Rank {}", rank.pipeline_rank), fitted_verbatim(stages, px(320)),
                     fmt::format("{} GiB, {} bytes", gib(rank.totals.total), grouped(rank.totals.total)));
        return;
    }
    const auto tenths =
        static_cast<std::int64_t>(Wide{part->bytes} * 1000 / std::max<Bytes>(rank.totals.total, 1));
    show_tooltip(fmt::format("Rank {}: {}", rank.pipeline_rank, part->name), "",
                 fmt::format("{} GiB, {}.{} % of the rank\n{} bytes", gib(part->bytes), tenths / 10,
                             tenths % 10, grouped(part->bytes)));
}

// Each part of a bar is a cell.
void choose_parts(const RankReport& rank, std::span<const BarPart> parts, const Scale& scale, float top,
                  float height) {
    Bytes before = 0;
    for (const BarPart& part : parts) {
        const float left = scale.x_of(before);
        before += part.bytes;
        if (part.bytes == 0) continue;
        const float right = std::max(scale.x_of(before), left + 1.0f);
        ImGui::SetCursorScreenPos({left, top});
        if (choosable(fmt::format("rank {} {}", rank.pipeline_rank, part.cell), {right - left, height}))
            select_cell(rank.pipeline_rank, part.cell);
        if (!is_selected(rank.pipeline_rank, part.cell)) continue;
        // Around the part, in the one colour that no part has.
        ImGui::GetWindowDrawList()->AddRect({left - px(1), top - px(2)},
                                            {right + px(1), top + height + px(2)}, colors().text, px(2), 0,
                                            px(2));
    }
}

void rank_row(const RankReport& rank, const Scale& scale, float height) {
    const State& s = state();
    const bool selected = rank.pipeline_rank == s.selected_rank;
    const std::string name = fmt::format("rank {}", rank.pipeline_rank);
    const ImVec2 from = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    const bool hovered =
        ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(from, {from.x + width, from.y + height});
    ImDrawList& list = *ImGui::GetWindowDrawList();
    if (selected || hovered) {
        list.AddRectFilled({from.x, from.y}, {from.x + width, from.y + height},
                           selected ? colors().accent_soft : colors().field_hover, px(5));
    }
    const Font font(selected || rank.pipeline_rank == s.report.worst_rank ? Type::strong : Type::body);
    const float line = from.y + (height - ImGui::GetTextLineHeight()) / 2;
    text_at({from.x + px(6), line}, name, selected ? colors().text : colors().muted);

    const auto parts = parts_of(rank.totals);
    const float gap = height > px(20) ? px(5) : px(3);
    const int part =
        stacked_bar(parts, {scale.left, from.y + gap}, scale.width, height - 2 * gap, scale.full);
    choose_parts(rank, parts, scale, from.y + gap, height - 2 * gap);
    const bool over = rank.totals.total > s.report.capacity.usable;
    constexpr float kWidest = 50;
    ImGui::SetCursorScreenPos({from.x + width - px(kWidest + 6), line});
    const CellLook look = {px(kWidest), is_selected(rank.pipeline_rank, "total"),
                           over ? colors().bad : colors().text};
    if (cell(fmt::format("rank {} total", rank.pipeline_rank), gib(rank.totals.total), look))
        select_cell(rank.pipeline_rank, "total");
    // What came before lies above it: the row gets the clicks that no cell takes.
    ImGui::SetCursorScreenPos(from);
    if (ImGui::InvisibleButton(name.c_str(), {width, height})) select_rank(rank.pipeline_rank);
    if (hovered) row_tooltip(rank, part < 0 ? nullptr : &parts[static_cast<std::size_t>(part)]);
    platform::test_mark(fmt::format("bar {}", rank.pipeline_rank).c_str(), scale.left, from.y + gap,
                        scale.x_of(rank.totals.total), from.y + height - gap);
}

void capacity_line(const Scale& scale, Bytes usable, float top, float bottom) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float x = scale.x_of(usable);
    for (float y = top; y < bottom; y += px(8)) {
        // The panel's colour around each dash keeps it apart from any bar under it.
        list.AddLine({x, y}, {x, std::min(y + px(6), bottom)}, colors().panel, px(4));
        list.AddLine({x, y}, {x, std::min(y + px(5), bottom)}, colors().bad, px(1.5f));
    }
    platform::test_mark("capacity", x - px(1), top, x + px(1), bottom);
}

// One entry of the legend; the next one stands beside it where it fits.
void legend_entry(const std::string& name, ImU32 color, bool first) {
    const float width = width_of(name) + px(16);
    if (!first) {
        ImGui::SameLine(0, px(14));
        if (ImGui::GetCursorPosX() + width > ImGui::GetWindowWidth() - px(12)) {
            ImGui::NewLine();
            ImGui::SetCursorPosX(px(kLabel + 16));
        }
    }
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float side = px(9);
    const float top = at.y + (ImGui::GetTextLineHeight() - side) / 2;
    ImGui::GetWindowDrawList()->AddRectFilled({at.x, top}, {at.x + side, top + side}, color, px(2));
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + px(15));
    text(name, colors().muted);
}

void legend(const Report& report) {
    ImGui::Dummy({0, px(2)});
    const Font small(Type::small);
    ImGui::SetCursorPosX(px(kLabel + 16));
    bool first = true;
    for (std::size_t i = 0; i < kComponents; ++i) {
        const bool used = std::any_of(report.ranks.begin(), report.ranks.end(), [&](const RankReport& rank) {
            return parts_of(rank.totals)[i].bytes > 0;
        });
        if (!used) continue;
        const BarPart part = parts_of(report.ranks[0].totals)[i];
        legend_entry(std::string(part.name), part.color, first);
        first = false;
    }
    legend_entry(fmt::format("{} {}", gib(report.capacity.usable), words::kCapacity), colors().bad, first);
}

}  // namespace

void ranks_panel() {
    const Report& report = state().report;
    if (report.ranks.empty()) return;
    begin_card("ranks", 0, 0, 16);
    {
        const Font strong(Type::strong);
        text(words::kRanks);
    }
    const auto count = static_cast<int>(report.ranks.size());
    const float height = px(count <= kRoomyRanks ? 27 : 19);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
    const float full = height * static_cast<float>(count);
    const float shown = std::min(full, px(kTallest));
    // Only the rows that can be seen are drawn.
    ImGui::BeginChild("rows", {0, shown + px(2)}, ImGuiChildFlags_NavFlattened,
                      full > shown ? 0 : ImGuiWindowFlags_NoScrollbar);
    const Scale scale = scale_of(report);
    const float top = ImGui::GetWindowPos().y;
    ImGuiListClipper clipper;
    clipper.Begin(count, height);
    while (clipper.Step()) {
        for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
            rank_row(report.ranks[static_cast<std::size_t>(i)], scale, height);
        }
    }
    capacity_line(scale, report.capacity.usable, top, top + shown);
    ImGui::EndChild();
    ImGui::PopStyleVar();
    legend(report);
    end_card();
}

}  // namespace megamem::web

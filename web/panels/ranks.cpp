#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "app/preferences.h"
#include "app/state.h"
#include "base/units.h"
#include "panels/panels.h"
#include "panels/rank_parts.h"
#include "platform/platform.h"
#include "text/text.h"
#include "widgets/cell.h"
#include "widgets/draw.h"
#include "widgets/segment.h"

namespace megamem::web {

using namespace style;

namespace {

constexpr float kPadding = 16;  // of the card
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

std::string share_of(Bytes bytes, Bytes total) {
    const auto tenths = static_cast<std::int64_t>(Wide{bytes} * 1000 / std::max<Bytes>(total, 1));
    return fmt::format("{}.{} %", tenths / 10, tenths % 10);
}

void swatch(ImVec2 at, float height, ImU32 color) {
    const float side = px(9);
    const float top = at.y + (height - side) / 2;
    ImGui::GetWindowDrawList()->AddRectFilled({at.x, top}, {at.x + side, top + side}, color, px(2));
}

// All parts of the rank, the one under the mouse standing out.
void row_tooltip(const RankReport& rank, const std::vector<BarPart>& parts, int under_mouse) {
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(px(12), px(10)));
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(px(8), px(5)));
    if (ImGui::BeginTooltip()) {
        {
            const Font strong(Type::strong);
            text(fmt::format("Rank {}: {} GiB", rank.pipeline_rank, gib(rank.totals.total)));
        }
        std::string stages;
        for (const std::string& chunk : rank.chunks)
            stages += fmt::format("{}{}", stages.empty() ? "" : " / ", chunk.empty() ? "–" : chunk);
        if (!stages.empty()) {
            const Font face(Type::code);
            verbatim(fitted_verbatim(stages, px(320)), colors().muted);
        }
        float widest = 0;
        for (const BarPart& part : parts)
            widest = std::max(widest, width_of(part.name));
        for (std::size_t i = 0; i < parts.size(); ++i) {
            const BarPart& part = parts[i];
            if (part.bytes == 0) continue;
            const bool chosen = static_cast<int>(i) == under_mouse;
            const Font font(chosen ? Type::strong : Type::body);
            const ImU32 color = chosen ? colors().text : colors().muted;
            const ImVec2 at = ImGui::GetCursorScreenPos();
            swatch(at, ImGui::GetTextLineHeight(), part.color);
            const float figures = at.x + px(15) + widest + px(70);
            text_ending_at(gib(part.bytes), figures, color);
            text_ending_at(share_of(part.bytes, rank.totals.total), figures + px(62), color);
            ImGui::SetCursorScreenPos({at.x + px(15), at.y});
            text(part.name, color);
            ImGui::SameLine();
            ImGui::SetCursorScreenPos({figures + px(62), at.y});
            ImGui::Dummy({0, ImGui::GetTextLineHeight()});
        }
        ImGui::EndTooltip();
    }
    ImGui::PopStyleVar(2);
}

// Each part of a bar is a cell.
void choose_parts(const RankReport& rank, std::span<const BarPart> parts, const Scale& scale, float top,
                  float height) {
    Bytes before = 0;
    for (const BarPart& part : parts) {
        const float left = scale.x_of(before);
        before += part.bytes;
        if (part.bytes == 0 || part.cell.empty()) continue;
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

    const std::vector<BarPart> parts = parts_of(rank);
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
    if (hovered) row_tooltip(rank, parts, part);
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
    swatch(at, ImGui::GetTextLineHeight(), color);
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + px(15));
    text(name, colors().muted);
}

void legend(const Report& report) {
    ImGui::Dummy({0, px(2)});
    const Font small(Type::small);
    ImGui::SetCursorPosX(px(kLabel + 16));
    bool first = true;
    for (const BarPart& part : rank_parts()) {
        legend_entry(std::string(part.name), part.color, first);
        first = false;
    }
    legend_entry(fmt::format("{} {}", gib(report.capacity.usable), words::kCapacity), colors().bad, first);
}

void title() {
    {
        const Font strong(Type::strong);
        text(words::kRanks);
    }
    const float first = segment_width(words::kByComponent) + px(2);
    ImGui::SameLine();
    const float left = ImGui::GetWindowWidth() - px(kPadding) - first - segment_width(words::kByModule);
    ImVec2 at(left, ImGui::GetCursorPosY() - ImGui::GetStyle().FramePadding.y);
    // Below the title where there is no room beside it.
    if (left < ImGui::GetCursorPosX())
        at = {px(kPadding), at.y + ImGui::GetFrameHeight() + ImGui::GetStyle().FramePadding.y};
    ImGui::SetCursorPos(at);
    if (segment(words::kByComponent, grouping() == Grouping::component)) group_by(Grouping::component);
    ImGui::SetCursorPos({at.x + first, at.y});
    if (segment(words::kByModule, grouping() == Grouping::module)) group_by(Grouping::module);
}

// The bars in figures: a row a rank, a column a part.
class Figures {
  public:
    explicit Figures(const Report& report) : report_(report), parts_(rank_parts()) {}

    void draw() {
        if (!unfolded()) return;
        const auto columns = static_cast<int>(parts_.size()) + 2;
        const auto count = static_cast<int>(report_.ranks.size());
        const float narrowest = px(static_cast<float>(52 * columns));
        const bool many = count > kRoomyRanks;
        const bool wide = ImGui::GetContentRegionAvail().x < narrowest;
        ImGuiTableFlags flags = ImGuiTableFlags_BordersInnerH | ImGuiTableFlags_NoSavedSettings;
        if (many) flags |= ImGuiTableFlags_ScrollY;
        if (wide) flags |= ImGuiTableFlags_ScrollX;
        ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, ImVec2(px(5), px(4)));
        if (ImGui::BeginTable("figures", columns, flags, {0, many ? px(kTallest) : 0},
                              wide ? narrowest : 0)) {
            for (int i = 0; i < columns; ++i)
                ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthStretch, i == 0 ? 0.7f : 1.0f);
            if (many) ImGui::TableSetupScrollFreeze(0, 1);
            head();
            ImGuiListClipper clipper;
            clipper.Begin(count);
            while (clipper.Step()) {
                for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i)
                    row(report_.ranks[static_cast<std::size_t>(i)]);
            }
            ImGui::EndTable();
        }
        ImGui::PopStyleVar();
    }

  private:
    static constexpr float kArrow = 16;  // room for it

    static bool unfolded() {
        static int open = preferred("figures", 0);
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const float line = ImGui::GetFrameHeight();
        const ImVec2 size(width_of(words::kFigures) + px(kArrow), line);
        if (ImGui::InvisibleButton(words::kFigures, size, ImGuiButtonFlags_EnableNav)) {
            open = 1 - open;
            prefer("figures", open);
        }
        const ImU32 color = ImGui::IsItemHovered() ? colors().text : colors().muted;
        arrow_head({at.x + px(4), at.y + line / 2}, open != 0 ? Point::down : Point::right, color);
        text_at({at.x + px(kArrow), at.y + ImGui::GetStyle().FramePadding.y}, words::kFigures, color);
        return open != 0;
    }

    static void head_cell(std::string_view content, bool left) {
        ImGui::TableNextColumn();
        const float room = ImGui::GetContentRegionAvail().x;
        const bool fits = width_of(content) <= room;
        const std::string title = fits ? std::string(content) : fitted(content, room);
        const ImVec2 at = ImGui::GetCursorScreenPos();
        if (left) {
            text(title, colors().muted);
        } else {
            text_ending_at(title, at.x + room, colors().muted);
            ImGui::Dummy({room, ImGui::GetTextLineHeight()});
        }
        if (!fits && ImGui::IsItemHovered()) show_tooltip(content, "", "");
    }

    void head() const {
        const Font small(Type::small);
        ImGui::TableNextRow();
        head_cell(words::kRank, true);
        for (const BarPart& part : parts_)
            head_cell(part.name, false);
        head_cell(words::kTotal, false);
    }

    void row(const RankReport& rank) const {
        const std::int64_t at = rank.pipeline_rank;
        ImGui::TableNextRow();
        if (at == state().selected_rank)
            ImGui::TableSetBgColor(ImGuiTableBgTarget_RowBg0, colors().accent_soft);
        ImGui::TableNextColumn();
        const Font font(at == report_.worst_rank ? Type::strong : Type::body);
        const std::string name = fmt::format("{}", at);
        const float room = ImGui::GetContentRegionAvail().x;
        if (cell(fmt::format("figures {}", at), name, {room, false, 0, Align::left})) select_rank(at);
        for (const BarPart& part : parts_of(rank)) {
            ImGui::TableNextColumn();
            put(rank, part.cell, part.bytes, 0);
        }
        ImGui::TableNextColumn();
        const bool over = rank.totals.total > report_.capacity.usable;
        put(rank, "total", rank.totals.total, over ? colors().bad : 0);
    }

    static void put(const RankReport& rank, std::string_view name, Bytes bytes, ImU32 color) {
        if (bytes == 0) return;
        const std::int64_t at = rank.pipeline_rank;
        const float room = ImGui::GetContentRegionAvail().x;
        if (name.empty()) {
            right_aligned(gib(bytes), colors().text);
            return;
        }
        const CellLook look = {room, is_selected(at, name), color};
        if (cell(fmt::format("figure {} {}", at, name), gib(bytes), look)) select_cell(at, name);
    }

    const Report& report_;
    const std::vector<BarPart>& parts_;
};

}  // namespace

void ranks_panel() {
    const Report& report = state().report;
    if (report.ranks.empty()) return;
    begin_card("ranks", 0, 0, kPadding);
    title();
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
    Figures(report).draw();
    end_card();
}

}  // namespace megamem::web

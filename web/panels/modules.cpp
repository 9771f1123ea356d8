#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <vector>

#include "app/module_rows.h"
#include "app/state.h"
#include "base/units.h"
#include "memory/cells.h"
#include "panels/panels.h"
#include "text/text.h"
#include "widgets/cell.h"
#include "widgets/draw.h"

namespace megamem::web {

using namespace style;

namespace {

struct Column {
    std::string_view name;
    const char* head;
};

constexpr Column kColumns[] = {{kParametersColumn, "parameters"},
                               {"weight", "weights"},
                               {"fp8_cache", "FP8"},
                               {"grad", "gradients"},
                               {"master", "master"},
                               {"optimizer", "optimizer"},
                               {"activation", "activations"},
                               {kTotalColumn, words::kTotal}};

std::string text_in(const TableRow& row, std::string_view column) {
    if (column == kParametersColumn) return row.elements > 0 ? short_count(row.elements) : std::string();
    if (column == kTotalColumn) return gib(row.total());
    const Bytes bytes = row.of(*kind_named(column));
    return bytes > 0 ? gib(bytes) : std::string();
}

class Table {
  public:
    Table(const RankReport& rank, bool fp8) : rank_(rank) {
        for (const Column& column : kColumns) {
            if (fp8 || column.name != "fp8_cache") columns_.push_back(column);
        }
    }

    void draw() {
        const int columns = static_cast<int>(columns_.size()) + 1;
        constexpr ImGuiTableFlags kFlags = ImGuiTableFlags_BordersInnerH | ImGuiTableFlags_NoSavedSettings;
        const float narrowest = px(static_cast<float>(62 * columns + 100));
        const bool scrolls = ImGui::GetContentRegionAvail().x < narrowest;
        // Where not all is in sight, what matters most comes first.
        if (scrolls) std::rotate(columns_.begin(), columns_.end() - 1, columns_.end());
        if (!ImGui::BeginTable("modules", columns, scrolls ? kFlags | ImGuiTableFlags_ScrollX : kFlags,
                               {0, 0}, scrolls ? narrowest : 0))
            return;
        for (int i = 0; i < columns; ++i)
            ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthStretch, i == 0 ? 2.9f : 1.15f);
        if (scrolls) ImGui::TableSetupScrollFreeze(1, 0);  // the names stay
        seen_from_ = ImGui::GetWindowDrawList()->GetClipRectMin();
        seen_to_ = ImGui::GetWindowDrawList()->GetClipRectMax();
        head();
        const ShownRows& shown = shown_rows();
        const ShownRow* pressed = nullptr;
        for (const ShownRow& row : shown.rows) {
            if (body(row)) pressed = &row;
        }
        sums(shown.sums);
        if (!rank_.in_flight.empty()) totals();
        ImGui::EndTable();
        if (pressed != nullptr) unfold_row(*pressed);
    }

  private:
    static constexpr float kIndent = 14;
    static constexpr float kArrow = 16;  // room for it before a label

    void head() {
        const Font small(Type::small);
        ImGui::TableNextRow();
        ImGui::TableNextColumn();
        heading(kNameColumn, words::kModule, Align::left);
        for (const Column& column : columns_) {
            ImGui::TableNextColumn();
            heading(column.name, column.head, Align::right);
        }
    }

    // Sorts when it is pressed; an arrow head stands beside the one that the rows are sorted by.
    static void heading(std::string_view column, std::string_view title, Align align) {
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const ImVec2 size(std::max(ImGui::GetContentRegionAvail().x, px(1)), ImGui::GetTextLineHeight());
        const std::string id = fmt::format("sort {}", column);
        if (ImGui::InvisibleButton(id.c_str(), size, ImGuiButtonFlags_EnableNav)) order_modules_by(column);
        if (ImGui::IsItemHovered()) {
            ImGui::GetWindowDrawList()->AddRectFilled({at.x - px(5), at.y - px(2)},
                                                      {at.x + size.x + px(5), at.y + size.y + px(2)},
                                                      colors().field_hover, px(4));
            tooltip(title, "", words::kSortHelp);
        }
        const bool sorted = module_order().column == column;
        const float width = width_of(title);
        const float left = align == Align::left ? at.x : at.x + std::max(size.x - width, 0.0f);
        text_at({left, at.y}, title, sorted ? colors().text : colors().muted);
        if (!sorted) return;
        const float arrow = align == Align::left ? left + width + px(8) : left - px(8);
        arrow_head({arrow, at.y + size.y / 2}, module_order().falling ? Point::down : Point::up,
                   colors().accent);
    }

    // The explanation is that of `name`; tests know the cell by `id`.
    void put(const std::string& id, const std::string& name, const std::string& content, ImU32 color = 0) {
        const CellLook look = {ImGui::GetContentRegionAvail().x,
                               id == name && is_selected(rank_.pipeline_rank, name), color};
        if (cell(id, content, look)) select_cell(rank_.pipeline_rank, name);
    }

    // True when its arrow head was pressed.
    bool body(const ShownRow& row) {
        const bool tensor = row.level == ShownRow::Level::tensor;
        float height = ImGui::GetTextLineHeight();
        if (tensor) {
            const Font small(Type::small);
            height += ImGui::GetTextLineHeight() + px(2);
        }
        ImGui::TableNextRow(ImGuiTableRowFlags_None, height + 2 * ImGui::GetStyle().CellPadding.y);
        ImGui::TableNextColumn();
        const float top = ImGui::GetCursorScreenPos().y;
        // Rows out of sight aren't drawn; a little more, so that arrow keys find the next one.
        const float more = px(80);
        if (top + height < seen_from_.y - more || top > seen_to_.y + more) return false;
        const Font font(row.level == ShownRow::Level::section ? Type::strong : Type::body);
        const bool pressed = name_of_row(row);
        for (const Column& column : columns_) {
            ImGui::TableNextColumn();
            const std::string content = text_in(row.row, column.name);
            if (content.empty()) continue;
            const std::string name = cell_name(row.id, column.name);
            const ImU32 color = column.name == kParametersColumn || tensor ? colors().muted : 0;
            put(tensor ? fmt::format("{} {}", name, row.label) : name, name, content, color);
        }
        return pressed;
    }

    bool name_of_row(const ShownRow& row) {
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const float line = ImGui::GetTextLineHeight();
        const float left = at.x + px(kIndent) * static_cast<float>(row.indent);
        bool pressed = false;
        if (row.unfolds) {
            ImGui::SetCursorScreenPos({left - px(2), at.y});
            const std::string id = fmt::format("{} {}", row.open ? "fold" : "unfold", row.id);
            pressed = ImGui::InvisibleButton(id.c_str(), {px(kArrow), line}, ImGuiButtonFlags_EnableNav);
            arrow_head({left + px(4), at.y + line / 2}, row.open ? Point::down : Point::right,
                       ImGui::IsItemHovered() ? colors().text : colors().muted);
        }
        const float label = left + px(kArrow);
        const float room = at.x + ImGui::GetColumnWidth() - label;
        ImGui::SetCursorScreenPos({label, at.y});
        const bool fits = width_of(row.label) <= room;
        if (row.level == ShownRow::Level::tensor) {
            tensor_name(row, fitted_verbatim(row.label, room), label);
        } else if (cell(row.id, fits ? row.label : fitted(row.label, room),
                        {std::max(room, 1.0f), false, 0, Align::left})) {
            select_cell(rank_.pipeline_rank, cell_name(row.id, kTotalColumn));
        }
        return pressed;
    }

    // Its shape below may be longer than its column: the next ones are empty there.
    void tensor_name(const ShownRow& row, const std::string& name, float left) {
        verbatim(name);
        tooltip(row.row.name, "", row.detail);
        const Font small(Type::small);
        ImGui::SetCursorScreenPos({left, ImGui::GetItemRectMax().y + px(2)});
        wide_text(row.detail, colors().muted);
    }

    // Over the next columns, but not out of the table's window.
    void wide_text(std::string_view content, ImU32 color) {
        const float left = ImGui::GetCursorScreenPos().x;
        ImGui::PushClipRect({left, seen_from_.y}, seen_to_, false);
        text(content, color);
        ImGui::PopClipRect();
    }

    void sums(const TableRow& row) {
        const Font strong(Type::strong);
        ImGui::TableNextRow();
        ImGui::TableNextColumn();
        text(words::kRankTotal);
        for (const Column& column : columns_) {
            ImGui::TableNextColumn();
            const bool total = column.name == kTotalColumn;
            const std::string content = total ? gib(rank_.totals.total) : text_in(row, column.name);
            if (content.empty()) continue;
            const std::string name = total ? std::string(kTotalColumn) : cell_name(kTotalColumn, column.name);
            put(name, name, content, column.name == kParametersColumn ? colors().muted : 0);
        }
    }

    // What the rank has besides the sums of the columns.
    void totals() {
        const Totals& t = rank_.totals;
        std::int64_t in_flight = 0;
        for (const std::int64_t chunk : rank_.in_flight)
            in_flight += chunk;
        line(words::kPeakAllocated, "peak_allocated", gib(t.peak_allocated));
        line(words::kPeakReserved, "peak_reserved", gib(t.peak_reserved));
        line(words::kSteadyAllocated, "steady_allocated", gib(t.steady_allocated));
        line(words::kInFlight, "in_flight", grouped(in_flight));
    }

    void line(const char* label, const std::string& name, const std::string& content) {
        ImGui::TableNextRow();
        ImGui::TableNextColumn();
        wide_text(label, colors().muted);
        const auto total = std::find_if(columns_.begin(), columns_.end(),
                                        [](const Column& column) { return column.name == kTotalColumn; });
        ImGui::TableSetColumnIndex(static_cast<int>(total - columns_.begin()) + 1);
        put(name, name, content);
    }

    const RankReport& rank_;
    std::vector<Column> columns_;
    ImVec2 seen_from_;  // of the screen
    ImVec2 seen_to_;
};

std::string title_of(const RankReport& rank) {
    const LayerCounts& l = rank.layers;
    std::string layers;
    const auto add = [&](std::int64_t count, const char* name) {
        if (count > 0) layers += fmt::format("{}{} {}", layers.empty() ? "" : ", ", count, name);
    };
    add(l.embedding, "embedding");
    add(l.dense, "dense");
    add(l.moe, "MoE");
    add(l.mtp, "MTP");
    add(l.output, "output");
    return fmt::format("Rank {}: {}", rank.pipeline_rank, layers.empty() ? "no layers" : layers);
}

}  // namespace

void modules_panel() {
    const State& s = state();
    if (s.report.ranks.empty()) return;
    const RankReport& rank = s.report.ranks[static_cast<std::size_t>(s.selected_rank)];
    begin_card("modules", 0, 0, 16);
    {
        const Font strong(Type::strong);
        text(title_of(rank));
    }
    ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, ImVec2(px(6), px(4)));
    const bool fp8 = std::any_of(s.report.ranks.begin(), s.report.ranks.end(),
                                 [](const RankReport& r) { return r.totals.fp8_cache > 0; });
    Table(rank, fp8).draw();
    ImGui::PopStyleVar();
    end_card();
}

}  // namespace megamem::web

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <vector>

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
        const float narrowest = px(static_cast<float>(70 * columns + 60));
        const bool scrolls = ImGui::GetContentRegionAvail().x < narrowest;
        if (!ImGui::BeginTable("modules", columns, scrolls ? kFlags | ImGuiTableFlags_ScrollX : kFlags,
                               {0, 0}, scrolls ? narrowest : 0))
            return;
        for (int i = 0; i < columns; ++i)
            ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthStretch, i == 0 ? 2.6f : 1.15f);
        head();
        TableRow sums{.name = kTotalColumn};
        for (const TableRow& row : table_rows(rank_)) {
            sums.elements += row.elements;
            for (std::size_t i = 0; i < kKinds; ++i)
                sums.bytes[i] += row.bytes[i];
            if (row.total() == 0 && row.elements == 0) continue;  // not there at the peak
            const bool times = row.multiplicity > 1;
            body(row, times ? fmt::format("{} × {}", row.name, row.multiplicity) : std::string(row.name));
        }
        {
            const Font strong(Type::strong);
            body(sums, words::kRankTotal);
        }
        if (!rank_.in_flight.empty()) totals();
        ImGui::EndTable();
    }

  private:
    void head() {
        const Font small(Type::small);
        ImGui::TableNextRow();
        ImGui::TableNextColumn();
        text(words::kModule, colors().muted);
        for (const Column& column : columns_) {
            ImGui::TableNextColumn();
            text_ending_at(column.head, ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x,
                           colors().muted);
        }
    }

    void put(const std::string& name, const std::string& content, ImU32 color = 0) {
        const CellLook look = {ImGui::GetContentRegionAvail().x, is_selected(rank_.pipeline_rank, name),
                               color};
        if (cell(name, content, look)) select_cell(rank_.pipeline_rank, name);
    }

    void body(const TableRow& row, const std::string& label) {
        ImGui::TableNextRow();
        ImGui::TableNextColumn();
        const bool sums = row.name == kTotalColumn;
        const std::string total = sums ? std::string(row.name) : cell_name(row.name, kTotalColumn);
        if (sums) {
            text(label);
        } else if (cell(std::string(row.name), label,
                        {std::max(ImGui::GetContentRegionAvail().x, 1.0f), false, 0, Align::left})) {
            select_cell(rank_.pipeline_rank, total);
        }
        for (const Column& column : columns_) {
            ImGui::TableNextColumn();
            if (sums && column.name == kTotalColumn) {
                put(total, gib(rank_.totals.total));
                continue;
            }
            const std::string content = text_in(row, column.name);
            if (!content.empty()) {
                put(cell_name(row.name, column.name), content,
                    column.name == kParametersColumn ? colors().muted : 0);
            }
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
        // Longer than its column: the next ones are empty.
        const ImVec2 at = ImGui::GetCursorScreenPos();
        ImGui::PushClipRect(at, {at.x + px(400), at.y + px(40)}, false);
        text(label, colors().muted);
        ImGui::PopClipRect();
        ImGui::TableSetColumnIndex(static_cast<int>(columns_.size()));
        put(name, content);
    }

    const RankReport& rank_;
    std::vector<Column> columns_;
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

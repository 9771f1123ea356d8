#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <vector>

#include "app/state.h"
#include "base/units.h"
#include "panels/panels.h"
#include "platform/platform.h"
#include "text/text.h"
#include "widgets/draw.h"

namespace megamem::web {

using namespace style;

namespace {

enum Column {
    kName,
    kParameters,
    kWeights,
    kFp8,
    kGradients,
    kMaster,
    kOptimizer,
    kActivations,
    kTotal,
    kColumns
};

constexpr const char* kHeads[kColumns] = {words::kModule, "parameters",  "weights",
                                          "FP8",          "gradients",   "master",
                                          "optimizer",    "activations", words::kTotal};

std::string cell(Bytes bytes) {
    return bytes == 0 ? std::string() : gib(bytes);
}

void right_aligned(const std::string& content, ImU32 color) {
    const float room = ImGui::GetContentRegionAvail().x - width_of(content);
    if (room > 0) ImGui::SetCursorPosX(ImGui::GetCursorPosX() + room);
    text(content, color);
}

struct Row {
    std::string_view component;  // what a click selects; empty: a sum
    std::string label;
    std::int64_t elements = 0;
    std::array<Bytes, 5> states{};  // weight, FP8 copies, gradient, master, optimizer
    Bytes activation = 0;
    Bytes total = 0;
};

bool is_empty(const Row& row) {
    return row.total == 0 && row.elements == 0;
}

// What the rows are made of: a method whose items know their module gets one row a module, with the
// activations in it; the calculator's activation terms stand by themselves.
std::vector<Row> rows_of(const RankReport& rank) {
    std::vector<Row> rows;
    for (const LineItem& item : rank.items) {
        if (item.kind == Kind::held) continue;  // not there at the peak
        const std::string_view name = item.module.empty() ? item.component : item.module;
        auto row = std::find_if(rows.begin(), rows.end(), [&](const Row& r) { return r.component == name; });
        if (row == rows.end()) {
            const bool times = item.module.empty() && item.multiplicity > 1;
            row = rows.insert(rows.end(), Row{});
            row->component = name;
            row->label = times ? fmt::format("{} × {}", name, item.multiplicity) : std::string(name);
        }
        row->total += item.bytes;
        row->elements = std::max(row->elements, item.elements);
        if (is_state(item.kind)) {
            row->states[static_cast<std::size_t>(item.kind)] += item.bytes;
        } else if (item.kind == Kind::activation) {
            row->activation += item.bytes;
        }
    }
    std::erase_if(rows, is_empty);
    return rows;
}

class Table {
  public:
    Table(const RankReport& rank, bool fp8) : rank_(rank), fp8_(fp8) {}

    void draw() {
        const int columns = kColumns - (fp8_ ? 0 : 1);
        constexpr ImGuiTableFlags kFlags = ImGuiTableFlags_BordersInnerH | ImGuiTableFlags_NoSavedSettings;
        const float narrowest = px(fp8_ ? 690 : 620);
        const bool scrolls = ImGui::GetContentRegionAvail().x < narrowest;
        if (!ImGui::BeginTable("modules", columns, scrolls ? kFlags | ImGuiTableFlags_ScrollX : kFlags,
                               {0, 0}, scrolls ? narrowest : 0))
            return;
        for (int i = 0; i < kColumns; ++i) {
            if (i != kFp8 || fp8_)
                ImGui::TableSetupColumn(kHeads[i], ImGuiTableColumnFlags_WidthStretch,
                                        i == kName ? 2.6f : 1.15f);
        }
        head();
        for (const Row& row : rows_of(rank_))
            body(row, Type::body);
        const Totals& t = rank_.totals;
        body({"",
              words::kRankTotal,
              0,
              {t.weight, t.fp8_cache, t.grad, t.master, t.optimizer},
              t.activation,
              t.total},
             Type::strong);
        ImGui::EndTable();
    }

  private:
    void head() {
        const Font small(Type::small);
        ImGui::TableNextRow();
        for (int i = 0; i < kColumns; ++i) {
            if (i == kFp8 && !fp8_) continue;
            ImGui::TableNextColumn();
            if (i == kName) {
                text(kHeads[i], colors().muted);
            } else {
                right_aligned(kHeads[i], colors().muted);
            }
        }
    }

    void body(const Row& row, Type type) {
        const Font font(type);
        ImGui::TableNextRow();
        ImGui::TableNextColumn();
        if (row.component.empty()) {
            text(row.label);
        } else {
            name(row);
        }
        put(row.elements > 0 ? short_count(row.elements) : std::string(), colors().muted);
        for (std::size_t i = 0; i < row.states.size(); ++i) {
            if (i != kFp8 - kWeights || fp8_) put(cell(row.states[i]), colors().text);
        }
        put(cell(row.activation), colors().text);
        put(gib(row.total), colors().text);
    }

    void name(const Row& row) {
        const std::string id(row.component);
        const bool selected = state().selected_row == row.component;
        const float x = ImGui::GetCursorPosX();
        const std::string label = fmt::format("##{}", id);
        if (ImGui::Selectable(label.c_str(), selected, ImGuiSelectableFlags_SpanAllColumns))
            select_row(row.component);
        platform::test_name(label.c_str(), id);
        ImGui::SameLine(0, 0);
        ImGui::SetCursorPosX(x);
        text(row.label);
    }

    void put(const std::string& content, ImU32 color) {
        ImGui::TableNextColumn();
        right_aligned(content, color);
    }

    const RankReport& rank_;
    bool fp8_;
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

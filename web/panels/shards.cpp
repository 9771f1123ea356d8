// The shards of Megatron-LM's own report, in place of ranks and modules.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/state.h"
#include "base/units.h"
#include "memory/cells.h"
#include "memory/explain.h"
#include "panels/panels.h"
#include "text/text.h"
#include "widgets/cell.h"
#include "widgets/draw.h"

namespace megamem::web {

using namespace style;

namespace {

std::int64_t whole(double value) {
    return static_cast<std::int64_t>(std::ceil(std::min(value, static_cast<double>(kMaxExactBytes))));
}

class Table {
  public:
    Table(const Shard& shard, std::int64_t at) : shard_(shard), at_(at) {}

    void draw() {
        if (!ImGui::BeginTable(shard_.name.data(), 1 + static_cast<int>(std::size(kColumns)),
                               ImGuiTableFlags_BordersInnerH | ImGuiTableFlags_NoSavedSettings))
            return;
        for (std::size_t i = 0; i <= std::size(kColumns); ++i)
            ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthStretch, i == 0 ? 1.6f : 1.0f);
        ImGui::TableNextRow();
        {
            const Font small(Type::small);
            next(words::kModule, true);
            for (const std::string_view column : kColumns)
                next(words_for(column), false);
        }
        for (const ShardItem& item : shard_.modules)
            row(item.component, item.parameters, item.bytes, 0);
        for (const ShardItem& item : shard_.activations)
            row(item.component, 0, 0, item.bytes);
        const Font strong(Type::strong);
        row({}, shard_.parameters, shard_.weight_and_optimizer_bytes, shard_.activation_bytes.value_or(0));
        ImGui::EndTable();
    }

  private:
    static constexpr std::string_view kColumns[] = {kParametersColumn, kStatesColumn, "activation"};

    static void next(std::string_view content, bool left) {
        ImGui::TableNextColumn();
        const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
        if (left) {
            text(content, colors().muted);
        } else {
            text_ending_at(content, right, colors().muted);
        }
    }

    void row(std::string_view name, double parameters, double states, double activation) {
        ImGui::TableNextRow();
        ImGui::TableNextColumn();
        text(name.empty() ? words::kTotal : name);
        const double values[] = {parameters, states, activation};
        for (std::size_t i = 0; i < std::size(kColumns); ++i) {
            ImGui::TableNextColumn();
            if (values[i] == 0) continue;
            const std::string id = name.empty() ? std::string(kColumns[i]) : cell_name(name, kColumns[i]);
            const std::string content = i == 0 ? short_count(whole(values[i])) : gib(whole(values[i]));
            const CellLook look = {ImGui::GetContentRegionAvail().x, is_selected(at_, id),
                                   i == 0 ? colors().muted : 0};
            if (cell(id, content, look)) select_cell(at_, id);
        }
    }

    const Shard& shard_;
    std::int64_t at_;
};

}  // namespace

void shards_panel() {
    const Report& report = state().report;
    if (report.shards.empty()) return;
    begin_card("shards", 0, 0, 16);
    wrapped_text(words::kShards, colors().muted);
    ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, ImVec2(px(6), px(4)));
    for (std::size_t i = 0; i < report.shards.size(); ++i) {
        const auto at = static_cast<std::int64_t>(i);
        ImGui::Dummy({0, px(4)});
        {
            const Font strong(Type::strong);
            text(place_name(report, at) + ", GiB");
        }
        Table(report.shards[i], at).draw();
    }
    ImGui::PopStyleVar();
    end_card();
}

}  // namespace megamem::web

// The shards of Megatron-LM's own report, in place of ranks and modules.
#include <imgui.h>

#include "app/shard_lines.h"
#include "app/state.h"
#include "memory/cells.h"
#include "memory/explain.h"
#include "panels/panels.h"
#include "text/text.h"
#include "widgets/cell.h"
#include "widgets/draw.h"

namespace megamem::web {

using namespace style;

namespace {

class Table {
  public:
    Table(const Shard& shard, std::int64_t at) : shard_(shard), at_(at) {}

    void draw() {
        if (!ImGui::BeginTable(shard_.name.data(), 1 + static_cast<int>(kShardColumns.size()),
                               ImGuiTableFlags_BordersInnerH | ImGuiTableFlags_NoSavedSettings))
            return;
        for (std::size_t i = 0; i <= kShardColumns.size(); ++i)
            ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthStretch, i == 0 ? 1.6f : 1.0f);
        ImGui::TableNextRow();
        {
            const Font small(Type::small);
            next(words::kModule, true);
            for (const std::string_view column : kShardColumns)
                next(words_for(column), false);
        }
        for (const ShardLine& line : shard_lines(shard_)) {
            const Font font(line.name.empty() ? Type::strong : Type::body);
            row(line);
        }
        ImGui::EndTable();
    }

  private:
    static void next(std::string_view content, bool left) {
        ImGui::TableNextColumn();
        const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
        if (left) {
            text(content, colors().muted);
        } else {
            text_ending_at(content, right, colors().muted);
        }
    }

    void row(const ShardLine& line) {
        ImGui::TableNextRow();
        ImGui::TableNextColumn();
        text(line.name.empty() ? words::kTotal : line.name);
        for (std::size_t i = 0; i < line.cells.size(); ++i) {
            ImGui::TableNextColumn();
            if (line.cells[i].empty()) continue;
            const std::string_view column = kShardColumns[i];
            const std::string id = line.name.empty() ? std::string(column) : cell_name(line.name, column);
            const CellLook look = {ImGui::GetContentRegionAvail().x, is_selected(at_, id),
                                   i == 0 ? colors().muted : 0};
            if (cell(id, line.cells[i], look)) select_cell(at_, id);
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

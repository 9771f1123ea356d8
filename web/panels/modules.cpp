#include <fmt/format.h>
#include <imgui.h>

#include "app/state.h"
#include "base/units.h"
#include "panels/panels.h"
#include "platform/platform.h"
#include "text/text.h"
#include "widgets/draw.h"

namespace megamem::web {

using namespace style;

namespace {

constexpr int kColumns = 9;
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

void head_row() {
    const Font small(Type::small);
    ImGui::TableNextRow();
    for (int i = 0; i < kColumns; ++i) {
        ImGui::TableSetColumnIndex(i);
        if (i == 0) {
            text(kHeads[i], colors().muted);
        } else {
            right_aligned(kHeads[i], colors().muted);
        }
    }
}

struct Row {
    std::string_view component;  // empty: a sum, which can't be selected
    std::string label;
    std::string parameters;
    Bytes states[5] = {};
    Bytes activation = 0;
    Bytes total = 0;
};

void table_row(const Row& row, Type type) {
    const Font font(type);
    ImGui::TableNextRow();
    ImGui::TableSetColumnIndex(0);
    if (row.component.empty()) {
        text(row.label);
    } else {
        const std::string id(row.component);
        const bool selected = state().selected_row == row.component;
        const float x = ImGui::GetCursorPosX();
        if (ImGui::Selectable(fmt::format("##{}", id).c_str(), selected,
                              ImGuiSelectableFlags_SpanAllColumns)) {
            select_row(row.component);
        }
        platform::test_name(fmt::format("##{}", id).c_str(), id);
        ImGui::SameLine(0, 0);
        ImGui::SetCursorPosX(x);
        text(row.label);
    }
    const auto put = [&](int column, const std::string& content, ImU32 color) {
        ImGui::TableSetColumnIndex(column);
        right_aligned(content, color);
    };
    put(1, row.parameters, colors().muted);
    for (int i = 0; i < 5; ++i)
        put(2 + i, cell(row.states[i]), colors().text);
    put(7, cell(row.activation), colors().text);
    put(8, gib(row.total), colors().text);
}

void module_rows_of(const RankReport& rank, Part part) {
    for (const ModuleRow& m : module_rows(rank, part)) {
        if (m.elements == 0) continue;
        const std::string times = m.multiplicity > 1 ? fmt::format(" × {}", m.multiplicity) : std::string();
        table_row({m.module,
                   fmt::format("{}{}", m.module, times),
                   short_count(m.elements),
                   {m.weight, m.fp8_cache, m.grad, m.master, m.optimizer},
                   0,
                   m.total()},
                  Type::body);
    }
}

void activation_rows_of(const RankReport& rank, Part part) {
    for (const ActivationRow& a : activation_rows(rank, part)) {
        if (a.bytes == 0) continue;
        const std::string times = a.multiplicity > 1 ? fmt::format(" × {}", a.multiplicity) : std::string();
        table_row({a.term, fmt::format("{}{}", a.term, times), "", {}, a.bytes, a.bytes}, Type::body);
    }
}

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
    constexpr ImGuiTableFlags kFlags =
        ImGuiTableFlags_BordersInnerH | ImGuiTableFlags_ScrollX | ImGuiTableFlags_NoSavedSettings;
    const float narrowest = px(700);
    const bool scrolls = ImGui::GetContentRegionAvail().x < narrowest;
    if (ImGui::BeginTable("modules", kColumns, scrolls ? kFlags : kFlags & ~ImGuiTableFlags_ScrollX, {0, 0},
                          scrolls ? narrowest : 0)) {
        ImGui::TableSetupColumn(kHeads[0], ImGuiTableColumnFlags_WidthStretch, 2.6f);
        for (int i = 1; i < kColumns; ++i)
            ImGui::TableSetupColumn(kHeads[i], ImGuiTableColumnFlags_WidthStretch, 1.15f);
        head_row();
        module_rows_of(rank, Part::language);
        activation_rows_of(rank, Part::language);
        module_rows_of(rank, Part::vision);
        activation_rows_of(rank, Part::vision);
        if (rank.totals.reserve > 0)
            table_row({"nccl_buffer", words::kReserve, "", {}, 0, rank.totals.reserve}, Type::body);
        const Totals& t = rank.totals;
        table_row({"",
                   words::kRankTotal,
                   "",
                   {t.weight, t.fp8_cache, t.grad, t.master, t.optimizer},
                   t.activation,
                   t.total},
                  Type::strong);
        ImGui::EndTable();
    }
    ImGui::PopStyleVar();
    end_card();
}

}  // namespace megamem::web

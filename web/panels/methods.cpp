// The methods side by side, row by row, each difference with its reason.
#include <fmt/format.h>
#include <imgui.h>

#include "app/notes.h"
#include "base/units.h"
#include "panels/panels.h"
#include "text/text.h"
#include "widgets/draw.h"

namespace megamem::web {

using namespace style;

namespace {

void cell(const std::optional<Bytes>& bytes) {
    ImGui::TableNextColumn();
    right_aligned(bytes ? gib(*bytes) : "–", bytes ? colors().text : colors().faint);
}

void head(const std::string& content, bool right) {
    ImGui::TableNextColumn();
    if (right) {
        right_aligned(content, colors().muted);
    } else {
        text(content, colors().muted);
    }
}

std::string column_of(const char* method, std::int64_t rank) {
    return rank < 0 ? std::string(method) : fmt::format("{}, rank {}", method, rank);
}

void table(const Comparison& c) {
    ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, ImVec2(px(6), px(5)));
    constexpr int kColumns = 5;
    if (ImGui::BeginTable("methods", kColumns,
                          ImGuiTableFlags_BordersInnerH | ImGuiTableFlags_NoSavedSettings)) {
        ImGui::TableSetupColumn("row", ImGuiTableColumnFlags_WidthStretch, 1.5f);
        for (const char* name : {"detailed", "calculator", "report"})
            ImGui::TableSetupColumn(name, ImGuiTableColumnFlags_WidthStretch, 1.25f);
        ImGui::TableSetupColumn("reason", ImGuiTableColumnFlags_WidthStretch, 4.0f);
        ImGui::TableNextRow();
        {
            const Font small(Type::small);
            head("GiB", false);
            head(column_of("detailed", c.detailed_rank), true);
            head(column_of("calculator", c.calculator_rank), true);
            head(words::kMostLoaded, true);
            head(words::kReason, false);
        }
        for (const MethodRow& row : c.rows) {
            const Font font(row.name == "total" ? Type::strong : Type::body);
            ImGui::TableNextRow();
            ImGui::TableNextColumn();
            text(row.name);
            cell(row.detailed);
            cell(row.calculator);
            cell(row.megatron_report);
            ImGui::TableNextColumn();
            const Font small(Type::small);
            wrapped_text(row.reason, colors().muted);
        }
        ImGui::EndTable();
    }
    ImGui::PopStyleVar();
}

}  // namespace

void methods_panel() {
    begin_card("methods", 0, 0, 16);
    {
        const Font strong(Type::strong);
        text(words::kMethodsTitle);
    }
    if (const auto& comparison = current_comparison()) {
        table(*comparison);
    } else {
        desk_missing();
    }
    end_card();
}

}  // namespace megamem::web

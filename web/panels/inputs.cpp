#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cctype>

#include "app/state.h"
#include "base/units.h"
#include "panels/field_row.h"
#include "panels/panels.h"
#include "platform/platform.h"
#include "text/text.h"
#include "widgets/draw.h"
#include "widgets/text_field.h"

namespace megamem::web {

using namespace style;

namespace {

constexpr Group kGroups[] = {Group::model,     Group::attention, Group::experts,
                             Group::parallel,  Group::batch,     Group::precision,
                             Group::recompute, Group::hardware,  Group::vision};

std::string& search() {
    static std::string words;
    return words;
}

std::string lower(std::string_view text) {
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return out;
}

bool matches(const Field& field, const std::string& wanted) {
    if (wanted.empty()) return true;
    for (const std::string_view part : {field.key, field.flag, field.label, field.help, field.link_key}) {
        if (lower(part).find(wanted) != std::string::npos) return true;
    }
    return false;
}

// Fields that a scenario without experts, MLA or a vision tower has no use for stay out of the way.
bool applies(const Field& field) {
    const Scenario& s = state().scenario;
    static constexpr std::string_view kMla[] = {"q_lora_rank", "kv_lora_rank", "qk_head_dim",
                                                "qk_pos_emb_head_dim", "v_head_dim"};
    static constexpr std::string_view kExperts[] = {
        "expert_model_parallel_size", "expert_tensor_parallel_size", "droprate", "router_bytes"};
    if (!equal(s, state().base, field)) return true;
    if (std::find(std::begin(kMla), std::end(kMla), field.key) != std::end(kMla))
        return s.multi_latent_attention;
    const bool expert = field.group == Group::experts ? field.key != "num_experts"
                                                      : std::find(std::begin(kExperts), std::end(kExperts),
                                                                  field.key) != std::end(kExperts);
    if (expert) return s.num_experts > 0;
    if (field.group == Group::vision) return field.key == "vision_num_layers" || s.vision_num_layers > 0;
    return true;
}

std::string summary_of(Group group) {
    const State& s = state();
    const auto changed = std::count_if(field_table().begin(), field_table().end(), [&](const Field& field) {
        return field.group == group && !equal(s.scenario, s.base, field);
    });
    if (changed > 0) return fmt::format("{} changed", changed);
    if (group == Group::model && s.report.valid) {
        return fmt::format("{} {}", short_count(s.report.parameters.total), words::kParameters);
    }
    return {};
}

void group_title(Group group) {
    ImGui::Dummy({0, px(6)});
    ImGui::SetCursorPosX(px(16));
    const std::string summary = summary_of(group);
    {
        const Font small(Type::small);
        text_ending_at(summary, ImGui::GetWindowPos().x + ImGui::GetWindowWidth() - px(16), colors().muted);
    }
    const Font strong(Type::strong);
    text(title_of(group));
}

void derived_values() {
    const Report& report = state().report;
    if (!report.valid) return;
    derived_row("World size", grouped(report.groups.world_size));
    derived_row("Data (DP)", grouped(report.groups.data_parallel_size));
    if (state().scenario.num_experts > 0) {
        derived_row("Expert data (EDP)", grouped(report.groups.expert_data_parallel_size));
    }
    derived_row("Chunks a rank (VPP)", grouped(report.virtual_stages));
}

}  // namespace

void inputs_panel() {
    ImGui::Dummy({0, px(8)});
    ImGui::SetCursorPosX(px(16));
    const std::string hint = fmt::format("Search {} fields", field_table().size());
    text_field("##search", search(), {.width = ImGui::GetWindowWidth() - px(32), .hint = hint.c_str()});
    platform::test_name("##search", "search");

    const std::string wanted = lower(search());
    for (const Group group : kGroups) {
        bool titled = false;
        for (const Field& field : field_table()) {
            if (field.group != group || !matches(field, wanted) || (wanted.empty() && !applies(field)))
                continue;
            if (!titled) group_title(group);
            titled = true;
            field_row(field);
        }
        if (group == Group::parallel && wanted.empty()) derived_values();
    }
    ImGui::Dummy({0, px(16)});
}

}  // namespace megamem::web

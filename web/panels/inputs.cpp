#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <vector>

#include "app/help.h"
#include "app/state.h"
#include "base/units.h"
#include "panels/field_row.h"
#include "panels/panels.h"
#include "platform/platform.h"
#include "text/text.h"
#include "text/translate.h"
#include "widgets/draw.h"
#include "widgets/text_field.h"

namespace megamem::web {

using namespace style;

namespace {

// In the order in which they are asked: what is trained, how it is spread, how it runs.
constexpr Group kGroups[] = {Group::model,     Group::attention, Group::experts,   Group::parallel,
                             Group::pipeline,  Group::batch,     Group::precision, Group::optimizer,
                             Group::recompute, Group::software,  Group::hardware,  Group::vision};

// Dimensions that come with a model, and what few change, are folded away at first.
bool& is_open(Group group) {
    static std::map<Group, bool> open = {{Group::attention, false}, {Group::experts, false},
                                         {Group::pipeline, false},  {Group::optimizer, false},
                                         {Group::software, false},  {Group::vision, false}};
    return open.try_emplace(group, true).first->second;
}

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
    const std::string_view help = help_for(field);
    for (const std::string_view part :
         {field.key, field.flag, field.label, help, field.link_key, translated(field.label), translated(help),
          title_of(field.group), translated(title_of(field.group))}) {
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
    const Scenario& c = s.scenario;
    switch (group) {
        case Group::model:
            if (!s.report.valid) return {};
            return fmt::format("{} {}", short_count(s.report.parameters.total), words::kParameters);
        case Group::attention:
            if (c.multi_latent_attention)
                return fmt::format("MLA, {} heads", c.num_attention_heads.value_or(0));
            return fmt::format("{} heads, {} groups", c.num_attention_heads.value_or(0),
                               c.num_query_groups.value_or(c.num_attention_heads.value_or(0)));
        case Group::experts:
            if (c.num_experts == 0) return "none";
            return fmt::format("{}, top {}", c.num_experts, c.moe_router_topk);
        case Group::recompute:
            return get_text(c, *find_field("recompute_granularity"));
        case Group::vision:
            return c.vision_num_layers == 0 ? "none" : fmt::format("{} layers", c.vision_num_layers);
        default:
            return {};
    }
}

// A field of a folded group that needs attention unfolds it.
bool needs_attention(const Field& field) {
    const State& s = state();
    if (s.drafts.contains(field.key)) return true;
    return std::any_of(s.report.problems.begin(), s.report.problems.end(), [&](const Problem& problem) {
        return problem.severity == Severity::error && problem.path == field.key;
    });
}

void group_title(Group group, bool open) {
    ImGui::Dummy({0, px(4)});
    const float width = ImGui::GetWindowWidth() - px(24);
    const ImVec2 from(ImGui::GetWindowPos().x + px(10), ImGui::GetCursorScreenPos().y);
    ImGui::SetCursorScreenPos(from);
    const std::string title(title_of(group));
    if (ImGui::InvisibleButton(title.c_str(), {width, px(24)})) is_open(group) = !open;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    if (ImGui::IsItemHovered() || ImGui::IsItemFocused()) {
        list.AddRectFilled(from, {from.x + width, from.y + px(24)}, colors().field, px(5));
    }
    const float middle = from.y + px(12);
    arrow_head({from.x + px(8), middle}, open ? Point::down : Point::right, colors().faint);
    {
        const Font strong(Type::strong);
        text_at({from.x + px(18), middle - ImGui::GetTextLineHeight() / 2}, title, colors().text);
    }
    const Font small(Type::small);
    const std::string summary = summary_of(group);
    text_ending_at_place(summary, from.x + width - px(2), middle - ImGui::GetTextLineHeight() / 2,
                         colors().muted);
}

void derived_values() {
    const Report& report = state().report;
    if (!report.valid) return;
    ImGui::Dummy({0, px(3)});
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
    ImGui::Dummy({0, px(2)});

    // The search stays where it is.
    ImGui::BeginChild("fields", {0, 0}, ImGuiChildFlags_NavFlattened);
    const std::string wanted = lower(search());
    bool any = false;
    for (const Group group : kGroups) {
        std::vector<const Field*> shown;
        bool open = is_open(group) || !wanted.empty();
        for (const Field& field : field_table()) {
            if (field.group != group || !matches(field, wanted) || (wanted.empty() && !applies(field)))
                continue;
            shown.push_back(&field);
            open = open || needs_attention(field);
        }
        if (shown.empty()) continue;
        any = true;
        group_title(group, open);
        if (!open) continue;
        for (const Field* field : shown)
            field_row(*field);
        if (group == Group::parallel && wanted.empty()) derived_values();
    }
    if (!any) {
        ImGui::SetCursorPosX(px(16));
        text(words::kNothingFound, colors().muted);
    }
    ImGui::Dummy({0, px(16)});
    ImGui::EndChild();
}

}  // namespace megamem::web

#include "scenario/defaults.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "scenario/field.h"
#include "scenario/vision_kinds.h"

namespace megamem {

namespace {

// A vision tower asks for its sizes; the rest of its fields are choices, or have a default.
bool tower_needs(const Scenario& scenario, const Field& field) {
    constexpr std::array<std::string_view, 7> kSizes = {"vision_hidden_size",
                                                        "vision_ffn_hidden_size",
                                                        "vision_num_attention_heads",
                                                        "vision_patch_dim",
                                                        "vision_spatial_merge_size",
                                                        "vision_projector_ffn_hidden_size",
                                                        "vision_patches_per_micro_batch"};
    return scenario.vision_num_layers > 0 &&
           std::find(kSizes.begin(), kSizes.end(), field.key) != kSizes.end() &&
           !default_vision(scenario, field.key);
}

void report_missing(const Scenario& scenario, Problems& problems) {
    for (const Field& field : field_table()) {
        const bool needed = field.required || tower_needs(scenario, field);
        if (!needed || is_set(scenario, field)) continue;
        const std::string who = field.group == Group::vision ? " and the scenario has a vision tower" : "";
        const std::string flag = field.flag.empty() ? "" : fmt::format(" ({})", field.flag);
        problems.push_back({Severity::error, "missing", std::string(field.key),
                            fmt::format("{}{} is not given{}", field.key, flag, who)});
    }
}

// A head width that isn't given is hidden / heads, which must come out whole (arguments.py:1331@d98e8a64).
std::int64_t head_width(OptionalInt given, OptionalInt hidden, OptionalInt heads, std::string_view key,
                        std::string_view hidden_key, std::string_view heads_key, Problems& problems) {
    if (given) return *given;
    const OptionalInt whole = default_kv_channels(hidden, heads);
    if (!whole && hidden && heads) {
        problems.push_back({Severity::error, "head_width_not_whole", std::string(key),
                            fmt::format("{} is not given and {} {} is not divisible by {} {}", key,
                                        hidden_key, *hidden, heads_key, *heads)});
    }
    return whole.value_or(0);
}

VisionTower resolve_vision(const Scenario& s, Problems& problems) {
    VisionTower tower;
    if (s.vision_num_layers == 0) return tower;
    tower.layers = s.vision_num_layers;
    const auto size = [&](OptionalInt given, std::string_view key) {
        return given ? *given : default_vision(s, key).value_or(0);
    };
    tower.kind = vision_kind(s.vision_model_type);
    tower.hidden = size(s.vision_hidden_size, "vision_hidden_size");
    tower.ffn = size(s.vision_ffn_hidden_size, "vision_ffn_hidden_size");
    tower.heads = size(s.vision_num_attention_heads, "vision_num_attention_heads");
    tower.groups = size(s.vision_num_query_groups, "vision_num_query_groups");
    const auto given = [](std::int64_t value) { return value > 0 ? OptionalInt(value) : std::nullopt; };
    tower.head_width =
        head_width(s.vision_kv_channels, given(tower.hidden), given(tower.heads), "vision_kv_channels",
                   "vision_hidden_size", "vision_num_attention_heads", problems);
    tower.patch_side = size(s.vision_patch_dim, "vision_patch_dim");
    tower.projector_ffn = size(s.vision_projector_ffn_hidden_size, "vision_projector_ffn_hidden_size");
    tower.merge_side = size(s.vision_spatial_merge_size, "vision_spatial_merge_size");
    tower.patches = s.vision_patches_per_micro_batch.value_or(0);
    if (tower.kind == nullptr) return tower;
    // One side alone is a square's.
    const OptionalInt either = s.img_h ? s.img_h : s.img_w;
    tower.image_height = size(either, "img_h");
    tower.image_width = size(s.img_w ? s.img_w : either, "img_w");
    tower.class_tokens = default_vision(s, "class_token_len").value_or(0);
    tower.deepstack =
        tower.kind->deepstack == 0 ? 0 : size(s.vision_num_deepstack_mergers, "vision_num_deepstack_mergers");
    return tower;
}

void tell_defaults(const Scenario& s, const Resolved& r, Assumptions& assumptions) {
    const auto tell = [&](std::string_view id, std::string message) {
        assumptions.push_back({id, std::move(message)});
    };
    const bool dense_layers =
        s.num_experts == 0 || s.num_dense_layers.value_or(0) > 0 || !s.moe_layer_freq.empty();
    if (!s.ffn_hidden_size && (dense_layers || !s.moe_ffn_hidden_size)) {
        tell("default.ffn_hidden_size",
             fmt::format("ffn_hidden_size is not given; Megatron's default for {} is {}",
                         s.swiglu ? "SwiGLU" : "a plain MLP", r.ffn));
    }
    if (!s.kv_channels) {
        tell("default.kv_channels", fmt::format("kv_channels is not given; hidden_size {} / heads {} = {}",
                                                r.hidden, r.heads, r.head_width));
    }
    if (!s.num_query_groups) {
        tell("default.num_query_groups",
             fmt::format("num_query_groups is not given; without GQA it equals the {} heads", r.heads));
    }
    if (s.num_experts > 0 && !s.moe_ffn_hidden_size) {
        tell("default.moe_ffn_hidden_size",
             fmt::format("moe_ffn_hidden_size is not given; Megatron uses ffn_hidden_size {}", r.ffn));
    }
    if (r.vision.kind != nullptr && (!s.vision_hidden_size || !s.vision_ffn_hidden_size ||
                                     !s.vision_num_attention_heads || !s.vision_patch_dim)) {
        tell("default.vision_model_type",
             fmt::format(
                 "The vision tower takes what is not given from its published sizes: hidden {}, FFN {}, "
                 "{} heads, patches of {} pixels.",
                 r.vision.hidden, r.vision.ffn, r.vision.heads, r.vision.patch_side));
    }
    if (s.num_experts > 0 && !s.expert_tensor_parallel_size && r.etp > 1) {
        tell("default.expert_tensor_parallel_size",
             fmt::format("expert_tensor_parallel_size is not given; Megatron uses TP {}", r.etp));
    }
}

}  // namespace

// megatron/training/arguments.py:1320-1329@d98e8a64 (validate_args): a gated MLP keeps the parameter count of
// a plain one of 4h, in multiples of 64.
OptionalInt default_ffn_hidden_size(const Scenario& scenario) {
    if (!scenario.hidden_size) return std::nullopt;
    const std::int64_t four = 4 * *scenario.hidden_size;
    return scenario.swiglu ? four * 2 / 3 / 64 * 64 : four;
}

OptionalInt default_kv_channels(OptionalInt hidden, OptionalInt heads) {
    if (!hidden || !heads || *heads == 0 || *hidden % *heads != 0) return std::nullopt;
    return *hidden / *heads;
}

std::optional<Resolved> resolve(const Scenario& s, Problems& problems, Assumptions& assumptions) {
    Problems found;
    report_missing(s, found);

    Resolved r;
    r.layers = s.num_layers.value_or(0);
    r.hidden = s.hidden_size.value_or(0);
    r.ffn = s.ffn_hidden_size ? *s.ffn_hidden_size : default_ffn_hidden_size(s).value_or(0);
    r.heads = s.num_attention_heads.value_or(0);
    r.groups = s.num_query_groups.value_or(r.heads);
    r.head_width = head_width(s.kv_channels, s.hidden_size, s.num_attention_heads, "kv_channels",
                              "hidden_size", "num_attention_heads", found);
    r.vocab = s.vocab_size.value_or(0);
    r.moe_ffn = s.moe_ffn_hidden_size.value_or(r.ffn);
    r.etp = s.expert_tensor_parallel_size.value_or(s.tensor_model_parallel_size);
    r.world_size = s.nodes * s.gpus_per_node;
    r.sequence = s.seq_length.value_or(0);
    r.micro_batch = s.micro_batch_size.value_or(0);
    r.vision = resolve_vision(s, found);

    const bool complete = !has_error(found);
    problems.insert(problems.end(), found.begin(), found.end());
    if (!complete) return std::nullopt;
    tell_defaults(s, r, assumptions);
    return r;
}

}  // namespace megamem

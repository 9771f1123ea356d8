#include "scenario/validation.h"

#include <fmt/format.h>

#include <algorithm>

#include "scenario/layer_pattern.h"
#include "scenario/vision_kinds.h"

namespace megamem {

namespace {

using Sentence = std::optional<std::string>;
using S = Scenario;
using R = Resolved;

struct Factor {
    std::string_view name;
    std::int64_t size;
};

// "TP 8 x PP 16 = 128"; factors of 1 say nothing and are left out.
template <std::size_t N>
std::string product_text(const std::array<Factor, N>& factors, std::int64_t product) {
    std::string text;
    int shown = 0;
    for (const Factor& factor : factors) {
        if (factor.size == 1) continue;
        text += fmt::format("{}{} {}", shown++ > 0 ? " x " : "", factor.name, factor.size);
    }
    return shown > 1 ? fmt::format("{} = {}", text, product) : text;
}

template <std::size_t N>
Sentence world_divides(const R& r, const std::array<Factor, N>& factors) {
    std::int64_t product = 1;
    for (const Factor& factor : factors)
        product *= factor.size;  // at most 4096 * 65536^3 < 2^63
    if (r.world_size % product == 0) return std::nullopt;
    return fmt::format("world size {} is not divisible by {}", r.world_size, product_text(factors, product));
}

Sentence divides(std::string_view name, std::int64_t value, std::string_view by_name, std::int64_t by) {
    if (value % by == 0) return std::nullopt;
    return fmt::format("{} {} is not divisible by {} {}", name, value, by_name, by);
}

// Data-parallel size, where it is whole.
OptionalInt data_parallel(const S& s, const R& r) {
    const std::int64_t model =
        s.tensor_model_parallel_size * s.pipeline_model_parallel_size * s.context_parallel_size;
    if (r.world_size % model != 0) return std::nullopt;
    return r.world_size / model;
}

bool moe(const S& s) {
    return s.num_experts > 0;
}

bool recomputes(const S& s, std::string_view module) {
    return s.recompute_granularity == RecomputeGranularity::selective &&
           std::find(s.recompute_modules.begin(), s.recompute_modules.end(), module) !=
               s.recompute_modules.end();
}

constexpr auto kEveryMethod = MethodSet::all();
constexpr auto kCalculator = MethodSet::of(Method::calculator);
// Checks of Megatron's that the `calculator` method doesn't make (its spec: "warnings here").
constexpr auto kMegatron = MethodSet::of(Method::detailed, Method::megatron_report);

// Sources are megatron/training/arguments.py@d98e8a64 unless a file is named.
constexpr std::array kRules = {
    Rule{"world_size",
         {"tensor_model_parallel_size", "pipeline_model_parallel_size", "context_parallel_size", "nodes"},
         kEveryMethod,
         "432; parallel_state.py:822",
         [](const S& s, const R& r) -> Sentence {
             return world_divides<3>(r, {{{"TP", s.tensor_model_parallel_size},
                                          {"PP", s.pipeline_model_parallel_size},
                                          {"CP", s.context_parallel_size}}});
         }},
    Rule{"expert_world_size",
         {"expert_model_parallel_size", "pipeline_model_parallel_size", "nodes"},
         kCalculator,
         "calculator: EDP = total / PP / EP",
         [](const S& s, const R& r) -> Sentence {
             return world_divides<2>(
                 r, {{{"PP", s.pipeline_model_parallel_size}, {"EP", s.expert_model_parallel_size}}});
         }},
    Rule{"expert_tensor_world_size",
         {"expert_tensor_parallel_size", "expert_model_parallel_size", "pipeline_model_parallel_size",
          "nodes"},
         kMegatron,
         "parallel_state.py:881",
         [](const S& s, const R& r) -> Sentence {
             if (!moe(s)) return std::nullopt;
             return world_divides<3>(r, {{{"ETP", r.etp},
                                          {"EP", s.expert_model_parallel_size},
                                          {"PP", s.pipeline_model_parallel_size}}});
         }},
    Rule{"experts_over_ep",
         {"num_experts", "expert_model_parallel_size"},
         kEveryMethod,
         "moe_layer.py:186",
         [](const S& s, const R&) -> Sentence {
             return divides("num_experts", s.num_experts, "EP", s.expert_model_parallel_size);
         }},
    Rule{"ep_without_experts",
         {"expert_model_parallel_size", "num_experts"},
         kMegatron,
         "1656",
         [](const S& s, const R&) -> Sentence {
             if (moe(s) || s.expert_model_parallel_size == 1) return std::nullopt;
             return fmt::format("EP {} needs experts and num_experts is 0", s.expert_model_parallel_size);
         }},
    Rule{"topk_over_experts",
         {"moe_router_topk", "num_experts"},
         kMegatron,
         "moe/router.py:304 (torch.topk)",
         [](const S& s, const R&) -> Sentence {
             if (!moe(s) || s.moe_router_topk <= s.num_experts) return std::nullopt;
             return fmt::format("moe_router_topk {} is more than num_experts {}", s.moe_router_topk,
                                s.num_experts);
         }},
    Rule{"moe_without_sequence_parallel",
         {"sequence_parallel", "tensor_model_parallel_size", "num_experts"},
         kMegatron,
         "moe_layer.py:636",
         [](const S& s, const R&) -> Sentence {
             if (!moe(s) || s.sequence_parallel || s.tensor_model_parallel_size == 1) return std::nullopt;
             return fmt::format("MoE training with TP {} needs sequence_parallel",
                                s.tensor_model_parallel_size);
         }},
    Rule{"dense_layers_over_layers",
         {"num_dense_layers", "num_layers"},
         kMegatron,
         "num_dense_layers is ours",
         [](const S& s, const R& r) -> Sentence {
             if (s.num_dense_layers.value_or(0) <= r.layers) return std::nullopt;
             return fmt::format("num_dense_layers {} is more than num_layers {}; every layer is dense",
                                *s.num_dense_layers, r.layers);
         }},
    Rule{"heads_over_tp",
         {"num_attention_heads", "tensor_model_parallel_size"},
         kMegatron,
         "transformer_config.py:1446",
         [](const S& s, const R& r) -> Sentence {
             return divides("num_attention_heads", r.heads, "TP", s.tensor_model_parallel_size);
         }},
    Rule{"groups_over_tp",
         {"num_query_groups", "tensor_model_parallel_size"},
         kMegatron,
         "transformer_config.py:1461",
         [](const S& s, const R& r) -> Sentence {
             const std::int64_t tp = s.tensor_model_parallel_size;
             if (s.multi_latent_attention || r.groups % tp == 0 || tp % r.groups == 0) return std::nullopt;
             return fmt::format("neither divides the other: num_query_groups {} and TP {}", r.groups, tp);
         }},
    Rule{"heads_over_groups",
         {"num_attention_heads", "num_query_groups"},
         kMegatron,
         "attention.py:1689",
         [](const S&, const R& r) -> Sentence {
             return divides("num_attention_heads", r.heads, "num_query_groups", r.groups);
         }},
    Rule{"query_projection_over_tp",
         {"kv_channels", "num_attention_heads", "tensor_model_parallel_size"},
         kMegatron,
         "tensor_parallel/layers.py:1038",
         [](const S& s, const R& r) -> Sentence {
             if (s.multi_latent_attention) return std::nullopt;
             return divides("kv_channels x heads =", r.head_width * r.heads, "TP",
                            s.tensor_model_parallel_size);
         }},
    Rule{"mla_with_gqa",
         {"multi_latent_attention", "num_query_groups"},
         kMegatron,
         "1974",
         [](const S& s, const R& r) -> Sentence {
             if (!s.multi_latent_attention || r.groups == r.heads) return std::nullopt;
             return fmt::format("multi_latent_attention excludes query groups: num_query_groups {}, heads {}",
                                r.groups, r.heads);
         }},
    Rule{"ffn_over_tp",
         {"ffn_hidden_size", "tensor_model_parallel_size"},
         kMegatron,
         "tensor_parallel/layers.py:1038, 1408",
         [](const S& s, const R& r) -> Sentence {
             return divides("ffn_hidden_size", r.ffn, "TP", s.tensor_model_parallel_size);
         }},
    Rule{"moe_ffn_over_etp",
         {"moe_ffn_hidden_size", "expert_tensor_parallel_size"},
         kMegatron,
         "experts.py:213",
         [](const S& s, const R& r) -> Sentence {
             if (!moe(s)) return std::nullopt;
             return divides("moe_ffn_hidden_size", r.moe_ffn, "ETP", r.etp);
         }},
    Rule{"shared_expert_over_tp",
         {"moe_shared_expert_intermediate_size", "tensor_model_parallel_size"},
         kMegatron,
         "shared_experts.py",
         [](const S& s, const R&) -> Sentence {
             if (!moe(s)) return std::nullopt;
             return divides("moe_shared_expert_intermediate_size", s.moe_shared_expert_intermediate_size,
                            "TP", s.tensor_model_parallel_size);
         }},
    Rule{"moe_pattern_length",
         {"moe_layer_freq", "num_layers"},
         kEveryMethod,
         "theoretical_memory_usage.py:29-44",
         [](const S& s, const R& r) -> Sentence {
             const LayerPattern pattern = parse_layer_pattern(s.moe_layer_freq);
             if (!moe(s) || s.moe_layer_freq.empty() || pattern.every > 0 || pattern.length() == r.layers) {
                 return std::nullopt;
             }
             return fmt::format("moe_layer_freq lists {} layers and num_layers is {}", pattern.length(),
                                r.layers);
         }},
    Rule{"delayed_scaling_and_bf16_layers",
         {"first_last_layers_bf16", "fp8_recipe"},
         kMegatron,
         "transformer_config.py:1529",
         [](const S& s, const R&) -> Sentence {
             const bool delayed = s.fp8_format != Fp8Format::none && s.fp8_recipe == Fp8Recipe::delayed;
             if (!s.first_last_layers_bf16 || !delayed) return std::nullopt;
             return std::string("first_last_layers_bf16 needs another fp8_recipe than delayed");
         }},
    Rule{"sequence_over_cp",
         {"seq_length", "context_parallel_size"},
         kMegatron,
         "1336",
         [](const S& s, const R& r) -> Sentence {
             if (s.context_parallel_size == 1 || r.sequence % (2 * s.context_parallel_size) == 0)
                 return std::nullopt;
             return fmt::format("seq_length {} is not divisible by 2 x CP {} = {}", r.sequence,
                                s.context_parallel_size, 2 * s.context_parallel_size);
         }},
    Rule{"sequence_over_tp",
         {"seq_length", "tensor_model_parallel_size", "context_parallel_size"},
         kMegatron,
         "tensor_parallel/mappings.py: the sequence is split over TP with sequence_parallel",
         [](const S& s, const R& r) -> Sentence {
             const std::int64_t parts = s.tensor_model_parallel_size * s.context_parallel_size;
             if (!s.sequence_parallel || s.tensor_model_parallel_size == 1 || r.sequence % parts == 0) {
                 return std::nullopt;
             }
             return fmt::format(
                 "seq_length {} is not divisible by {}, which sequence_parallel needs", r.sequence,
                 product_text<2>({{{"TP", s.tensor_model_parallel_size}, {"CP", s.context_parallel_size}}},
                                 parts));
         }},
    Rule{"global_batch",
         {"global_batch_size", "micro_batch_size", "tensor_model_parallel_size"},
         kMegatron,
         "num_microbatches_calculator.py:381",
         [](const S& s, const R& r) -> Sentence {
             const OptionalInt dp = data_parallel(s, r);
             if (!dp || !s.global_batch_size || *s.global_batch_size % (r.micro_batch * *dp) == 0)
                 return std::nullopt;
             return fmt::format("global_batch_size {} is not divisible by micro_batch_size {} x DP {} = {}",
                                *s.global_batch_size, r.micro_batch, *dp, r.micro_batch * *dp);
         }},
    Rule{"virtual_stages_without_pipeline",
         {"num_virtual_stages_per_pipeline_rank", "pipeline_model_parallel_size"},
         kMegatron,
         "1000; parallel_state.py:827",
         [](const S& s, const R&) -> Sentence {
             const std::int64_t vpp = s.num_virtual_stages_per_pipeline_rank.value_or(1);
             if (vpp == 1 || s.pipeline_model_parallel_size > 1) return std::nullopt;
             return fmt::format("VPP {} needs a pipeline and PP is 1", vpp);
         }},
    Rule{"layout_and_virtual_stages",
         {"pipeline_model_parallel_layout", "num_virtual_stages_per_pipeline_rank"},
         kMegatron,
         "928",
         [](const S& s, const R&) -> Sentence {
             if (s.pipeline_model_parallel_layout.empty() || !s.num_virtual_stages_per_pipeline_rank) {
                 return std::nullopt;
             }
             return fmt::format(
                 "a pipeline layout implies VPP; num_virtual_stages_per_pipeline_rank {} is ignored",
                 *s.num_virtual_stages_per_pipeline_rank);
         }},
    Rule{"recompute_modules_without_selective",
         {"recompute_modules", "recompute_granularity"},
         kMegatron,
         "transformer_config.py:1901",
         [](const S& s, const R&) -> Sentence {
             if (s.recompute_modules.empty() || s.recompute_granularity == RecomputeGranularity::selective) {
                 return std::nullopt;
             }
             return fmt::format("recompute_modules {} has no effect: recompute_granularity is not selective",
                                fmt::join(s.recompute_modules, ","));
         }},
    Rule{"mla_recompute_without_mla",
         {"recompute_modules", "multi_latent_attention"},
         kMegatron,
         "transformer_config.py:1969",
         [](const S& s, const R&) -> Sentence {
             if (s.multi_latent_attention || !recomputes(s, "mla_up_proj")) return std::nullopt;
             return std::string("recompute_modules names mla_up_proj and multi_latent_attention is off");
         }},
    // The generic tower is divided without being asked.
    Rule{"vision_heads_over_tp",
         {"vision_num_attention_heads", "tensor_model_parallel_size"},
         kMegatron,
         "transformer_config.py:1446",
         [](const S& s, const R& r) -> Sentence {
             const VisionKind* kind = r.vision.kind;
             if (kind == nullptr || kind->pads_heads || kind->hugging_face) return std::nullopt;
             return divides("vision_num_attention_heads", r.vision.heads, "TP", s.tensor_model_parallel_size);
         }},
    Rule{"vision_ffn_over_tp",
         {"vision_ffn_hidden_size", "tensor_model_parallel_size"},
         kMegatron,
         "core/tensor_parallel/layers.py (divide)",
         [](const S& s, const R& r) -> Sentence {
             if (r.vision.kind == nullptr || r.vision.kind->hugging_face) return std::nullopt;
             return divides("vision_ffn_hidden_size", r.vision.ffn, "TP", s.tensor_model_parallel_size);
         }},
    Rule{"image_over_patch",
         {"img_h", "img_w", "vision_patch_dim"},
         kMegatron,
         "core/models/vision/clip_vit_model.py:76; radio.py:109",
         [](const S&, const R& r) -> Sentence {
             if (r.vision.kind == nullptr || r.vision.image_height == 0) return std::nullopt;
             if (Sentence height =
                     divides("img_h", r.vision.image_height, "vision_patch_dim", r.vision.patch_side)) {
                 return height;
             }
             return divides("img_w", r.vision.image_width, "vision_patch_dim", r.vision.patch_side);
         }},
};

}  // namespace

std::span<const Rule> rules() {
    return kRules;
}

void validate(const Scenario& scenario, const Resolved& resolved, Method method, Problems& problems) {
    for (const Rule& rule : kRules) {
        if (Sentence sentence = rule.broken(scenario, resolved)) {
            const Severity severity = rule.errors_in.contains(method) ? Severity::error : Severity::warning;
            problems.push_back({severity, rule.code, std::string(rule.fields[0]), std::move(*sentence)});
        }
    }
}

}  // namespace megamem

// What the `detailed` method leaves out, as a table: one row for each field, asked in order.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/units.h"
#include "memory/detailed_assumptions.h"
#include "scenario/vision_kinds.h"

namespace megamem::detailed {

namespace {

using Sentence = std::optional<std::string>;

constexpr std::string_view kNotModelled = "not_modelled";
constexpr std::string_view kNoEffect = "no_effect";  // no number is off

struct Gap {
    std::string_view field;
    Sentence (*tell)(const Context&);  // nullopt: nothing is left out
    std::string_view code = kNotModelled;
};

Sentence when(bool left_out, std::string_view sentence) {
    return left_out ? Sentence(std::string(sentence)) : std::nullopt;
}

bool flex(const Context& c) {
    return c.s.num_experts > 0 && c.dispatcher == Dispatcher::flex;
}

// One whose structure is known; of the generic one there is nothing to say.
bool tower(const Context& c) {
    return c.r.vision.kind != nullptr;
}

bool low_precision_states(const Scenario& s) {
    return s.main_params_dtype != StateDtype::fp32 || s.exp_avg_dtype != StateDtype::fp32 ||
           s.exp_avg_sq_dtype != StateDtype::fp32;
}

// The most that a layer of the model holds in its backward pass.
Wide layer_backward(const Context& c) {
    Wide most = 0;
    for (const LayerMemory& layer : layers_of_every_kind(c))
        most = std::max(most, layer.backward);
    return most;
}

std::string mib(Wide bytes) {
    return fmt::format("{} MiB", narrow(bytes) / kMiB);
}

constexpr std::array kGaps = {
    // Model
    Gap{"fp32_residual_connection",
        [](const Context& c) {
            return when(
                c.s.fp32_residual_connection && c.s.precision != Precision::fp32 && c.software.te,
                "fp32_residual_connection: TransformerEngine's linear layers with a norm refuse an fp32 "
                "input unless it is cast; only what stages send and checkpoints keep counts 4 bytes");
        }},
    Gap{"attention_output_gate",
        [](const Context& c) {
            return when(c.s.attention_output_gate && c.s.multi_latent_attention,
                        "attention_output_gate changes nothing with multi_latent_attention");
        },
        kNoEffect},
    Gap{"position_embedding_type",
        [](const Context& c) {
            return when(
                c.s.position_embedding_type == PositionEmbedding::relative,
                "relative position embeddings are not modelled: neither their table nor their bias on "
                "the scores");
        }},
    Gap{"moe_router_dtype",
        [](const Context& c) {
            return when(c.s.num_experts > 0 && c.s.moe_router_dtype == RouterDtype::fp64,
                        "moe_router_dtype fp64 is counted as fp32");
        }},
    Gap{"moe_flex_dispatcher_backend",
        [](const Context& c) {
            return when(flex(c) && c.s.moe_flex_dispatcher_backend == FlexBackend::ncclep,
                        "buffers of the ncclep backend, outside torch, are not modelled: nccl_buffer_gib "
                        "must hold them");
        }},
    Gap{"moe_expert_rank_capacity_factor",
        [](const Context& c) {
            const bool deepep = c.s.moe_flex_dispatcher_backend == FlexBackend::deepep;
            return when(c.s.num_experts > 0 && c.s.moe_expert_rank_capacity_factor.ten_thousandths > 0 &&
                            (!flex(c) || deepep),
                        "moe_expert_rank_capacity_factor changes nothing: it needs the flex dispatcher with "
                        "hybridep or ncclep");
        },
        kNoEffect},
    Gap{"first_last_layers_bf16",
        [](const Context& c) {
            return when(c.s.first_last_layers_bf16 && !c.low_precision(),
                        "first_last_layers_bf16 changes nothing: no layer runs in FP8 or FP4");
        },
        kNoEffect},
    Gap{"fp4_format",
        [](const Context& c) {
            return when(c.fp4() && c.fp8(), "fp4_format excludes fp8_format: layers count in FP4");
        },
        kNoEffect},
    // Parallelism
    Gap{"outer_dp_sharding_strategy",
        [](const Context& c) {
            const bool whole = c.s.use_megatron_fsdp &&
                               c.s.data_parallel_sharding_strategy == ShardingStrategy::optim_grads_params;
            return when(
                c.s.outer_dp_sharding_strategy == OuterSharding::optim && !whole,
                "outer_dp_sharding_strategy changes nothing: it needs Megatron-FSDP with optim_grads_params");
        },
        kNoEffect},
    Gap{"fsdp_double_buffer",
        [](const Context& c) {
            return when(c.s.fsdp_double_buffer && !c.s.use_megatron_fsdp,
                        "fsdp_double_buffer changes nothing: it needs use_megatron_fsdp");
        },
        kNoEffect},
    Gap{"use_torch_fsdp2",
        [](const Context& c) {
            return when(
                c.s.use_torch_fsdp2 && (c.z.pp > 1 || c.z.ep > 1 || c.s.use_distributed_optimizer ||
                                        c.s.use_megatron_fsdp || c.s.gradient_accumulation_fusion),
                "use_torch_fsdp2 is refused by Megatron-LM together with pipeline or expert parallelism, "
                "the distributed optimizer, Megatron-FSDP or fused gradient accumulation; it counts as "
                "if they were off");
        }},
    Gap{"tp_comm_overlap",
        [](const Context& c) {
            return when(c.s.tp_comm_overlap,
                        "the user buffers of tp_comm_overlap are not modelled; its workspaces are");
        }},
    // Recompute and offload
    Gap{"distribute_saved_activations",
        [](const Context& c) {
            return when(
                c.s.distribute_saved_activations && (!c.full_recompute() || c.z.sp || c.z.tp == 1),
                "distribute_saved_activations changes nothing: it needs full recompute and TP, and no "
                "sequence_parallel");
        },
        kNoEffect},
    Gap{"offload_modules",
        [](const Context& c) {
            return when(c.s.fine_grained_activation_offloading && c.full_recompute(),
                        "activation offloading with full recompute is not modelled");
        }},
    Gap{"cpu_offloading_num_layers",
        [](const Context& c) {
            return when(c.s.cpu_offloading_num_layers > 0 && (c.z.pp > 1 || c.full_recompute()),
                        "cpu_offloading_num_layers changes nothing: it needs PP 1 and no full recompute");
        },
        kNoEffect},
    // Optimizer
    Gap{"use_precision_aware_optimizer",
        [](const Context& c) {
            return when(c.s.use_precision_aware_optimizer && !c.s.use_distributed_optimizer,
                        "use_precision_aware_optimizer changes nothing: it needs use_distributed_optimizer");
        },
        kNoEffect},
    Gap{"main_params_dtype",
        [](const Context& c) {
            return when(
                !c.s.use_precision_aware_optimizer && low_precision_states(c.s),
                "types of masters and moments change nothing: they need use_precision_aware_optimizer");
        },
        kNoEffect},
    // Vision tower
    Gap{"vision_model_type",
        [](const Context& c) {
            return when(c.s.vision_model_type != VisionModel::generic && c.s.vision_num_layers == 0,
                        "vision_model_type changes nothing: vision_num_layers is 0, so there is no tower");
        },
        kNoEffect},
    Gap{"vision_patches_per_micro_batch",
        [](const Context& c) {
            return when(tower(c) && !c.r.vision.kind->merger && c.z.cp > 1,
                        "the image embeddings of the whole sequence, which are put into the language model's "
                        "before context parallelism divides it, are not modelled");
        }},
    Gap{"recompute_vision",
        [](const Context& c) -> Sentence {
            if (!tower(c)) return std::nullopt;
            const VisionKind& kind = *c.r.vision.kind;
            const bool selective = c.s.recompute_granularity == RecomputeGranularity::selective;
            if (c.s.recompute_vision && !kind.recompute_by_flag)
                return "recompute_vision is examples/multimodal's; Megatron-Bridge's Qwen models don't ask";
            if (c.s.recompute_vision && c.s.recompute_granularity == RecomputeGranularity::none)
                return "recompute_vision changes nothing: it needs recompute_granularity";
            return when(
                selective && (c.s.recompute_vision || (!kind.recompute_by_flag && !kind.hugging_face)),
                "selective recompute in the vision tower is not modelled: it counts as none");
        }},
    Gap{"class_token_len",
        [](const Context& c) {
            return when(c.s.class_token_len && tower(c) && *c.s.class_token_len != c.r.vision.class_tokens,
                        "class_token_len changes nothing: it is RADIO's, and FP8 sets it there");
        },
        kNoEffect},
    Gap{"fp8_format",
        [](const Context& c) {
            const bool scales = c.s.fp8_recipe == Fp8Recipe::mxfp8 || c.s.fp8_recipe == Fp8Recipe::blockwise;
            return when(tower(c) && c.r.vision.kind->takes_fp8 && c.low_precision() &&
                            (c.fp4() || scales || c.s.first_last_layers_bf16),
                        "low precision in the vision tower is simplified: FP8 in all of its layers, without "
                        "scales; FP4 counts as bf16");
        }},
    // Software
    Gap{"cuda_graph_impl",
        [](const Context& c) -> Sentence {
            if (c.s.cuda_graph_impl != CudaGraphImpl::local) return std::nullopt;
            return fmt::format(
                "local CUDA graphs: their pool can't be used by what runs outside them, so that the reserved "
                "memory, not the allocated, may exceed this by a layer's backward pass, up to {}",
                mib(layer_backward(c)));
        }},
    Gap{"transformer_impl",
        [](const Context& c) {
            return when(!c.software.te && c.fp8(),
                        "FP8 needs TransformerEngine; its sizes are counted with transformer_impl local");
        }},
    // Fields of the calculator method
    Gap{"weight_2b_for_1b",
        [](const Context& c) {
            return when(c.s.weight_2b_for_1b,
                        "weight_2b_for_1b is the calculator method's; here fp8_param_gather decides");
        },
        kNoEffect},
    Gap{"embedding_bytes",
        [](const Context& c) {
            return when(c.s.embedding_bytes != 2,
                        "embedding_bytes is the calculator method's; here precision decides");
        },
        kNoEffect},
    Gap{"router_bytes",
        [](const Context& c) {
            return when(c.s.router_bytes != 2,
                        "router_bytes is the calculator method's; here precision decides");
        },
        kNoEffect},
    Gap{"droprate",
        [](const Context& c) {
            return when(c.s.droprate.ten_thousandths != Decimal4::kOne,
                        "droprate is the calculator method's; here moe_load_factor and "
                        "moe_expert_capacity_factor decide");
        },
        kNoEffect},
};

}  // namespace

void add_not_modelled(const Context& context, Problems& problems) {
    for (const Gap& gap : kGaps) {
        if (Sentence sentence = gap.tell(context)) {
            problems.push_back({Severity::warning, gap.code, std::string(gap.field), std::move(*sentence)});
        }
    }
}

}  // namespace megamem::detailed

// What the `detailed` method leaves out, as a table: one row for each field, asked in order.
#include <fmt/format.h>

#include <array>

#include "base/units.h"
#include "memory/detailed_assumptions.h"

namespace megamem::detailed {

namespace {

using Sentence = std::optional<std::string>;

struct Gap {
    std::string_view field;
    Sentence (*tell)(const Context&);  // nullopt: nothing is left out
};

Sentence when(bool left_out, std::string_view sentence) {
    return left_out ? Sentence(std::string(sentence)) : std::nullopt;
}

bool flex(const Context& c) {
    return c.s.num_experts > 0 && c.dispatcher == Dispatcher::flex;
}

bool low_precision_states(const Scenario& s) {
    return s.main_params_dtype != StateDtype::fp32 || s.exp_avg_dtype != StateDtype::fp32 ||
           s.exp_avg_sq_dtype != StateDtype::fp32;
}

std::string mib(Wide bytes) {
    return fmt::format("{} MiB", narrow(bytes) / kMiB);
}

constexpr std::array kGaps = {
    // Model
    Gap{"fp32_residual_connection",
        [](const Context& c) {
            return when(c.s.fp32_residual_connection && c.s.precision != Precision::fp32,
                        "fp32_residual_connection is not modelled: norm inputs and what stages send count "
                        "2 bytes an element instead of 4");
        }},
    Gap{"position_embedding_type",
        [](const Context& c) {
            return when(
                c.s.position_embedding_type == PositionEmbedding::relative,
                "relative position embeddings are not modelled: neither their table nor their bias on "
                "the scores");
        }},
    Gap{"attention_output_gate",
        [](const Context& c) -> Sentence {
            if (!c.s.attention_output_gate || c.s.multi_latent_attention) return std::nullopt;
            return fmt::format(
                "activations of attention_output_gate are not modelled: about {} a layer and micro-batch",
                mib(2 * c.z.element * c.z.tokens * c.z.n_local * c.z.head));
        }},
    Gap{"moe_shared_expert_gate",
        [](const Context& c) {
            return when(c.s.moe_shared_expert_gate && c.z.shared > 0,
                        "activations of moe_shared_expert_gate are not modelled: the gate's score and the "
                        "ungated output");
        }},
    Gap{"moe_latent_size",
        [](const Context& c) -> Sentence {
            if (!c.s.moe_latent_size || c.s.num_experts == 0) return std::nullopt;
            return fmt::format(
                "the second latent projection's input is not modelled: {} a MoE layer and micro-batch",
                mib(c.z.element * c.z.local_tokens * c.z.expert_h));
        }},
    Gap{"moe_router_dtype",
        [](const Context& c) {
            return when(c.s.num_experts > 0 && c.s.moe_router_dtype == RouterDtype::fp64,
                        "moe_router_dtype fp64 is counted as fp32");
        }},
    Gap{"moe_flex_dispatcher_backend",
        [](const Context& c) {
            return when(flex(c), c.hybrid_ep()
                                     ? "HybridEP's communication buffers are not modelled; its handles are"
                                 : c.s.moe_flex_dispatcher_backend == FlexBackend::deepep
                                     ? "DeepEP's NVLink and NVSHMEM buffers are not modelled"
                                     : "buffers of the ncclep backend are not modelled");
        }},
    // Parallelism
    Gap{"cp_comm_type",
        [](const Context& c) {
            return when(c.z.cp > 1 && (c.s.cp_comm_type == CpCommType::allgather ||
                                       c.s.cp_comm_type == CpCommType::a2a_p2p),
                        c.s.cp_comm_type == CpCommType::allgather
                            ? "cp_comm_type allgather: the gathered keys and values are not "
                              "modelled"
                            : "cp_comm_type a2a+p2p is counted as a2a");
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
        }},
    Gap{"activation_offload_fraction",
        [](const Context& c) -> Sentence {
            if (!c.s.fine_grained_activation_offloading || c.s.offload_modules.empty() ||
                c.s.activation_offload_fraction.ten_thousandths == Decimal4::kOne) {
                return std::nullopt;
            }
            return fmt::format(
                "activation_offload_fraction {} is not modelled: every group counts as offloaded",
                to_text(c.s.activation_offload_fraction));
        }},
    Gap{"offload_modules",
        [](const Context& c) {
            return when(c.s.fine_grained_activation_offloading && c.full_recompute(),
                        "activation offloading with full recompute is not modelled");
        }},
    Gap{"cpu_offloading_num_layers",
        [](const Context& c) {
            return when(c.s.cpu_offloading_num_layers > 0 && (c.z.pp > 1 || c.full_recompute()),
                        "cpu_offloading_num_layers changes nothing: it needs PP 1 and no full recompute");
        }},
    // Optimizer
    Gap{"use_precision_aware_optimizer",
        [](const Context& c) {
            return when(c.s.use_precision_aware_optimizer && !c.s.use_distributed_optimizer,
                        "use_precision_aware_optimizer changes nothing: it needs use_distributed_optimizer");
        }},
    Gap{"main_params_dtype",
        [](const Context& c) {
            return when(
                !c.s.use_precision_aware_optimizer && low_precision_states(c.s),
                "types of masters and moments change nothing: they need use_precision_aware_optimizer");
        }},
    Gap{"num_distributed_optimizer_instances",
        [](const Context& c) {
            return when(
                c.s.use_megatron_fsdp && c.s.num_distributed_optimizer_instances > 1,
                "Megatron-FSDP with several optimizer instances: sharding between them is not modelled");
        }},
    Gap{"use_megatron_fsdp",
        [](const Context& c) {
            return when(c.s.use_megatron_fsdp && c.fp8() && c.s.fp8_recipe == Fp8Recipe::mxfp8,
                        "Megatron-FSDP with MXFP8 is not modelled: its second, column-wise parameter buffer "
                        "counts as an FP8 copy");
        }},
    // Software
    Gap{"transformer_impl",
        [](const Context& c) {
            return when(!c.software.te && c.fp8(),
                        "FP8 needs TransformerEngine; its sizes are counted with transformer_impl local");
        }},
    Gap{"cuda_graph_impl",
        [](const Context& c) {
            return when(c.s.cuda_graph_impl == CudaGraphImpl::local ||
                            c.s.cuda_graph_impl == CudaGraphImpl::full_iteration,
                        c.s.cuda_graph_impl == CudaGraphImpl::local
                            ? "private pools and static inputs of local CUDA graphs are not modelled"
                            : "the private pool of a full-iteration CUDA graph is not modelled");
        }},
    // Fields of the calculator method
    Gap{"weight_2b_for_1b",
        [](const Context& c) {
            return when(c.s.weight_2b_for_1b,
                        "weight_2b_for_1b is the calculator method's; here fp8_param_gather decides");
        }},
    Gap{"embedding_bytes",
        [](const Context& c) {
            return when(c.s.embedding_bytes != 2,
                        "embedding_bytes is the calculator method's; here precision decides");
        }},
    Gap{"router_bytes",
        [](const Context& c) {
            return when(c.s.router_bytes != 2,
                        "router_bytes is the calculator method's; here precision decides");
        }},
    Gap{"droprate",
        [](const Context& c) {
            return when(c.s.droprate.ten_thousandths != Decimal4::kOne,
                        "droprate is the calculator method's; here moe_load_factor and "
                        "moe_expert_capacity_factor decide");
        }},
};

}  // namespace

void add_not_modelled(const Context& context, Problems& problems) {
    for (const Gap& gap : kGaps) {
        if (Sentence sentence = gap.tell(context)) {
            problems.push_back(
                {Severity::warning, "not_modelled", std::string(gap.field), std::move(*sentence)});
        }
    }
}

}  // namespace megamem::detailed

#include "accuracy/features.h"

#include <array>
#include <bit>

namespace megamem {

namespace {

struct FeatureRow {
    std::string_view name;
    int weight = 0;
};

// A whole one (64) is what adds or takes away a class of tensors; less, what only divides those there are.
constexpr int kLittle = 16;
constexpr int kSome = 24;
constexpr int kHalf = 32;
constexpr int kWhole = 64;
constexpr int kDouble = 128;

constexpr std::array kFeatures = {
    FeatureRow{"Megatron FSDP", kDouble},
    FeatureRow{"Muon", kDouble},
    FeatureRow{"CUDA graphs", kDouble},
    FeatureRow{"FP8", kDouble},
    FeatureRow{"activation offloading", kDouble},
    FeatureRow{"full recompute", kWhole},
    FeatureRow{"selective recompute", kWhole},
    FeatureRow{"the local transformer implementation", kDouble},
    FeatureRow{"MoE", kDouble},
    FeatureRow{"MLA", kWhole},
    FeatureRow{"MTP", kWhole},
    FeatureRow{"a vision tower", kDouble},
    FeatureRow{"layers offloaded to the host", kDouble},
    FeatureRow{"an optimizer offloaded to the host", kWhole},
    FeatureRow{"an optimizer other than Adam and Muon", kWhole},
    FeatureRow{"the precision-aware optimizer", kWhole},
    FeatureRow{"fp16 or fp32", kWhole},
    FeatureRow{"context parallelism", kHalf},
    FeatureRow{"pipeline parallelism", kHalf},
    FeatureRow{"virtual pipeline stages", kHalf},
    FeatureRow{"tensor parallelism", kSome},
    FeatureRow{"sequence parallelism", kLittle},
    FeatureRow{"expert parallelism", kSome},
    FeatureRow{"expert tensor parallelism", kSome},
    FeatureRow{"the distributed optimizer", kHalf},
    FeatureRow{"a fused loss", kHalf},
    FeatureRow{"unfused attention", kWhole},
    FeatureRow{"shared experts", kHalf},
    FeatureRow{"the flex dispatcher", kHalf},
    FeatureRow{"dropout", kLittle},
    FeatureRow{"an AMD GPU", kDouble},
};
static_assert(kFeatures.size() == static_cast<std::size_t>(Feature::count));

// Of the first bits, in their order.
constexpr std::array<std::string_view, 9> kKinds = {"FSDP",      "Muon",      "CUDA graphs", "FP8", "offload",
                                                    "recompute", "recompute", "local",       "MoE"};

}  // namespace

Features features_of(const Scenario& s, std::int64_t virtual_stages) {
    using enum Feature;
    Features features = 0;
    const auto set = [&](Feature feature, bool has) { features |= has ? bit(feature) : 0; };
    const bool experts = s.num_experts > 0;
    set(fsdp, s.use_megatron_fsdp);
    set(muon, s.optimizer == Optimizer::muon || s.optimizer == Optimizer::dist_muon);
    set(cuda_graphs, s.cuda_graph_impl != CudaGraphImpl::none);
    set(fp8, s.fp8_format != Fp8Format::none);
    set(offload, s.fine_grained_activation_offloading);
    set(recompute_full, s.recompute_granularity == RecomputeGranularity::full);
    set(recompute_selective, s.recompute_granularity == RecomputeGranularity::selective);
    set(local, s.transformer_impl == TransformerImpl::local);
    set(moe, experts);
    set(mla, s.multi_latent_attention);
    set(mtp, s.mtp_num_layers > 0);
    set(vision, s.vision_num_layers > 0);
    set(layers_offloaded, s.cpu_offloading_num_layers > 0);
    set(optimizer_offloaded, s.optimizer_cpu_offload);
    set(other_optimizer, s.optimizer == Optimizer::sgd || s.optimizer == Optimizer::lion);
    set(precision_aware, s.use_precision_aware_optimizer);
    set(not_bf16, s.precision != Precision::bf16);
    set(context_parallel, s.context_parallel_size > 1);
    set(pipeline_parallel, s.pipeline_model_parallel_size > 1);
    set(virtual_pipeline, virtual_stages > 1);
    set(tensor_parallel, s.tensor_model_parallel_size > 1);
    set(sequence_parallel, s.sequence_parallel && s.tensor_model_parallel_size > 1);
    set(expert_parallel, experts && s.expert_model_parallel_size > 1);
    // Unset, it is TP.
    set(expert_tensor_parallel,
        experts && s.expert_tensor_parallel_size.value_or(s.tensor_model_parallel_size) > 1);
    set(distributed_optimizer, s.use_distributed_optimizer && !s.use_megatron_fsdp);
    set(fused_loss, s.cross_entropy_loss_fusion);
    set(unfused_attention, s.attention_backend == AttentionBackend::unfused);
    set(shared_experts, experts && s.moe_shared_expert_intermediate_size > 0);
    set(flex_dispatcher, experts && s.moe_token_dispatcher_type == Dispatcher::flex);
    set(dropout, s.hidden_dropout != Decimal4{0});
    set(amd, s.gpu.starts_with("MI"));
    return features;
}

std::string_view name_of(Feature feature) {
    return kFeatures[static_cast<std::size_t>(feature)].name;
}

int weight_of(Feature feature) {
    return kFeatures[static_cast<std::size_t>(feature)].weight;
}

std::string_view kind_of(Features features) {
    const auto first = static_cast<std::size_t>(std::countr_zero(features));
    return first < kKinds.size() ? kKinds[first] : "dense";
}

}  // namespace megamem

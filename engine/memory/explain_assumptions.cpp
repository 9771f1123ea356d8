#include "memory/explain_assumptions.h"

#include <algorithm>

namespace megamem {

namespace {

// Names with blanks between them; empty: all. A name that ends in "/" stands for all that begin with it.
struct Scope {
    std::string_view id;
    std::string_view rows;
    std::string_view columns;
};

constexpr std::string_view kSchedule = "activation in_flight";
constexpr std::string_view kStates = "master optimizer";

constexpr Scope kScopes[] = {
    {"detailed.software", "", "fp8_cache activation transient workspace held"},
    {"detailed.attention", "attention at_the_peak", "activation transient"},
    {"detailed.mla_rope", "attention", "activation"},
    {"detailed.cp_p2p", "attention", "activation"},
    {"detailed.full_pipeline", "", kSchedule},
    {"detailed.short_pipeline", "", kSchedule},
    {"detailed.first_iteration", "", "optimizer held"},
    {"detailed.capacity", "experts router at_the_peak", "activation transient"},
    {"detailed.routing", "experts router at_the_peak", "activation transient"},
    {"detailed.a2a_overlap", "", "held"},
    {"detailed.recompute_idle", "", "activation"},
    {"detailed.recompute_method", "", "activation"},
    {"detailed.sgd", "", "optimizer"},
    {"detailed.optimizer_offload", "", kStates},
    {"detailed.fp8_scales", "", "fp8_cache activation"},
    {"detailed.muon", "", kStates},
    {"detailed.dummy_gradients", "dummy_gradients", "workspace"},
    {"detailed.cuda_graphs", "", "held"},
    {"detailed.fsdp", "", "weight grad transient"},
    {"detailed.vision", "vision/", ""},
    {"detailed.vision_model_type", "vision/", ""},
    {"detailed.frozen", "", "grad master optimizer activation"},
    {"detailed.fragmentation", "fragmentation", ""},
    {"detailed.outside_torch", "nccl_buffer", ""},
    {"calculator.optimizer_state", "", "optimizer"},
    {"calculator.shards", "", kStates},
    {"calculator.dense_tp", "DenseFC1 DenseFC2", ""},
    {"calculator.dense_width", "DenseFC1 DenseFC2 dense_clamp dense_activation dense_fc2", ""},
    {"calculator.no_etp", "MoEFC1/experts MoEFC2/experts", ""},
    {"calculator.gated",
     "MoEFC1/ DenseFC1 moe_clamp moe_activation shared_clamp shared_activation "
     "dense_clamp dense_activation",
     ""},
    {"calculator.mla", "AttentionQKV AttentionOut attention_q attention_k attention_v attention_o", ""},
    {"calculator.tied", "Embedding OutputLayer", ""},
    {"calculator.fp8_cache", "", "fp8_cache"},
    {"calculator.recompute", "", "activation"},
    {"calculator.moe_act", "moe_clamp moe_activation moe_fc2", "activation"},
    {"calculator.vpp", "", "activation"},
    {"calculator.in_flight", "", "activation"},
    {"calculator.sequence_parallel", "pre_attn_layernorm pre_mlp_layernorm", "activation"},
    {"calculator.vision", "vision/", ""},
    {"calculator.nccl", "nccl_buffer", ""},
    {"megatron_report.left_out", "", "parameters weight_and_optimizer"},
    {"megatron_report.other", "", "weight_and_optimizer"},
    {"megatron_report.mtp_active", "", "active"},  // of the model's parameters, which no cell has
    {"megatron_report.runtime", "", "total"},
    {"megatron_report.activations", "", "activation"},
    {"megatron_report.attention_activations", "", "activation"},
    {"megatron_report.moe_activations", "", "activation"},
    {"megatron_report.dropout", "", "activation"},
    {"megatron_report.recompute", "", "activation"},
    {"megatron_report.mla", "attention", "parameters weight_and_optimizer"},
    {"megatron_report.vocabulary", "embedding output_layer", ""},
    {"megatron_report.tied", "embedding output_layer", ""},
    {"megatron_report.bytes", "", "weight_and_optimizer"},
    {"megatron_report.optimizer_shards", "", "weight_and_optimizer"},
};

bool names(std::string_view list, std::string_view name) {
    if (list.empty()) return true;
    while (!list.empty()) {
        const std::size_t end = std::min(list.find(' '), list.size());
        const std::string_view entry = list.substr(0, end);
        if (entry == name || (entry.ends_with('/') && name.starts_with(entry))) return true;
        list.remove_prefix(std::min(end + 1, list.size()));
    }
    return false;
}

}  // namespace

Assumptions assumptions_for(const Report& report, const Coverage& coverage) {
    Assumptions found;
    for (const Assumption& assumption : report.assumptions) {
        const auto scope = std::find_if(std::begin(kScopes), std::end(kScopes),
                                        [&](const Scope& s) { return s.id == assumption.id; });
        const bool bears = scope == std::end(kScopes) ||
                           std::any_of(coverage.begin(), coverage.end(), [&](const auto& place) {
                               return names(scope->rows, place.first) && names(scope->columns, place.second);
                           });
        if (bears) found.push_back(assumption);
    }
    return found;
}

}  // namespace megamem

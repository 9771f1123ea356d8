#include "import/argument_defaults.h"

#include <algorithm>
#include <array>
#include <span>

namespace megamem {

namespace {

struct Default {
    std::string_view key;
    std::string_view value;
};

// swift/megatron/arguments/megatron_args.py:470-690@3602360a; the model is Hugging Face's, in bf16 unless its
// config says otherwise, and packed sequences need no mask.
constexpr std::array kSwiftDefaults = {
    Default{"precision", "bf16"},
    Default{"micro_batch_size", "1"},
    Default{"global_batch_size", "16"},
    Default{"recompute_granularity", "selective"},
    Default{"recompute_modules", "core_attn"},
    Default{"recompute_method", "none"},
    Default{"recompute_num_layers", "none"},
    Default{"apply_rope_fusion", "0"},
    Default{"masked_softmax_fusion", "1"},
    Default{"bias_swiglu_fusion", "1"},
    Default{"gradient_accumulation_fusion", "1"},
    Default{"cross_entropy_loss_fusion", "1"},
    Default{"cross_entropy_fusion_impl", "native"},
    Default{"attention_backend", "flash"},
    Default{"optimizer", "adam"},
    Default{"use_distributed_optimizer", "1"},
    Default{"use_precision_aware_optimizer", "0"},
    Default{"optimizer_cpu_offload", "0"},
    Default{"use_megatron_fsdp", "0"},
    Default{"fp8_format", "none"},
    Default{"fp8_recipe", "delayed"},
    Default{"fp8_param_gather", "0"},
    Default{"accumulate_allreduce_grads_in_fp32", "0"},
    Default{"tensor_model_parallel_size", "1"},
    Default{"pipeline_model_parallel_size", "1"},
    Default{"context_parallel_size", "1"},
    Default{"expert_model_parallel_size", "1"},
    Default{"expert_tensor_parallel_size", "1"},
    Default{"num_virtual_stages_per_pipeline_rank", "none"},
    Default{"num_layers_per_virtual_pipeline_stage", "none"},
    Default{"pipeline_model_parallel_layout", "none"},
    Default{"decoder_first_pipeline_num_layers", "none"},
    Default{"decoder_last_pipeline_num_layers", "none"},
    Default{"account_for_embedding_in_pipeline_split", "0"},
    Default{"account_for_loss_in_pipeline_split", "0"},
    Default{"sequence_parallel", "0"},
    Default{"tp_comm_overlap", "0"},
    Default{"moe_router_dtype", "fp32"},
    Default{"moe_token_dispatcher_type", "alltoall"},
    Default{"moe_grouped_gemm", "1"},
    Default{"moe_permute_fusion", "0"},
    Default{"moe_shared_expert_overlap", "0"},
    Default{"moe_expert_capacity_factor", "0"},
    Default{"moe_pad_expert_input_to_capacity", "0"},
    Default{"mtp_num_layers", "0"},
    Default{"create_attention_mask_in_dataloader", "0"},
};

// Megatron-Bridge's recipes train in bf16 with the distributed optimizer; how a recipe sets the rest can't be
// told from overrides alone.
constexpr std::array kBridgeDefaults = {
    Default{"precision", "bf16"},
    Default{"use_distributed_optimizer", "1"},
    Default{"create_attention_mask_in_dataloader", "0"},
};

std::span<const Default> table_of(Dialect dialect) {
    if (dialect == Dialect::swift) return kSwiftDefaults;
    if (dialect == Dialect::bridge) return kBridgeDefaults;
    return {};
}

// In the groups of the model, but a matter of training.
constexpr std::array<std::string_view, 15> kOfTraining = {"make_vocab_size_divisible_by",
                                                          "hidden_dropout",
                                                          "attention_dropout",
                                                          "fp32_residual_connection",
                                                          "apply_rope_fusion",
                                                          "masked_softmax_fusion",
                                                          "moe_grouped_gemm",
                                                          "moe_token_dispatcher_type",
                                                          "moe_flex_dispatcher_backend",
                                                          "moe_router_dtype",
                                                          "moe_permute_fusion",
                                                          "moe_shared_expert_overlap",
                                                          "moe_expert_capacity_factor",
                                                          "moe_pad_expert_input_to_capacity",
                                                          "moe_load_factor"};

}  // namespace

Scenario defaults_of(Dialect dialect) {
    Scenario scenario;
    if (dialect == Dialect::megatron) {
        scenario.precision = Precision::fp32;  // neither --bf16 nor --fp16
        for (const Field& field : field_table()) {
            if (!field.megatron_default.empty()) (void)set_text(scenario, field, field.megatron_default);
        }
    }
    for (const Default& row : table_of(dialect))
        (void)set_text(scenario, *find_field(row.key), row.value);
    return scenario;
}

bool describes_model(const Field& field) {
    if (field.group != Group::model && field.group != Group::attention && field.group != Group::experts)
        return false;
    return std::find(kOfTraining.begin(), kOfTraining.end(), field.key) == kOfTraining.end();
}

bool has_default(const Field& field, Dialect dialect) {
    if (dialect != Dialect::megatron) {
        const auto table = table_of(dialect);
        return std::any_of(table.begin(), table.end(), [&](const Default& d) { return d.key == field.key; });
    }
    if (field.required) return false;
    // num_dense_layers is short for --moe-layer-freq, and precision for --bf16 and --fp16.
    return !field.flag.empty() || field.key == "num_dense_layers" || field.key == "precision";
}

}  // namespace megamem

// What the user sets: one flat struct. Every member has its row in the field table (field_table.cpp), which
// holds key, flag, range, unit and help; members bear Megatron-LM's argument names.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/decimal.h"

namespace megamem {

enum class Precision { bf16, fp16, fp32 };
enum class Fp8Format { none, e4m3, hybrid };
enum class RecomputeGranularity { none, full, selective };

// An optional member that isn't set takes Megatron's own default (see defaults.h), or is asked for when the
// field table says that it is required.
using OptionalInt = std::optional<std::int64_t>;

struct Scenario {
    std::string name;

    // Model
    OptionalInt num_layers;
    OptionalInt hidden_size;
    OptionalInt ffn_hidden_size;
    OptionalInt num_attention_heads;
    OptionalInt num_query_groups;
    OptionalInt kv_channels;
    OptionalInt vocab_size;
    bool swiglu = false;
    bool attention_output_gate = false;
    bool untie_embeddings_and_output_weights = false;
    bool multi_latent_attention = false;
    OptionalInt q_lora_rank;
    std::int64_t kv_lora_rank = 32;
    std::int64_t qk_head_dim = 128;
    std::int64_t qk_pos_emb_head_dim = 64;
    std::int64_t v_head_dim = 128;
    std::int64_t num_experts = 0;
    OptionalInt moe_ffn_hidden_size;
    std::int64_t moe_router_topk = 2;
    std::int64_t moe_shared_expert_intermediate_size = 0;
    std::string moe_layer_freq;  // canonical text, see layer_pattern.h; empty: not set
    OptionalInt num_dense_layers;
    std::int64_t mtp_num_layers = 0;

    // Parallelism
    std::int64_t nodes = 1;
    std::int64_t gpus_per_node = 8;
    std::int64_t tensor_model_parallel_size = 1;
    std::int64_t pipeline_model_parallel_size = 1;
    std::int64_t context_parallel_size = 1;
    std::int64_t expert_model_parallel_size = 1;
    OptionalInt expert_tensor_parallel_size;
    OptionalInt num_virtual_stages_per_pipeline_rank;
    std::string
        pipeline_model_parallel_layout;  // as the user wrote it, see pipeline/layout.h; empty: not set
    bool sequence_parallel = false;

    // Training
    OptionalInt seq_length;
    OptionalInt micro_batch_size;
    OptionalInt global_batch_size;
    Precision precision = Precision::bf16;
    Fp8Format fp8_format = Fp8Format::none;
    RecomputeGranularity recompute_granularity = RecomputeGranularity::none;
    std::vector<std::string> recompute_modules;

    // What Megatron has no flag for
    bool weight_2b_for_1b = false;
    std::int64_t embedding_bytes = 2;
    std::int64_t router_bytes = 2;
    Decimal4 droprate{Decimal4::kOne};
    Decimal4 nccl_buffer_gib{2 * Decimal4::kOne};
    std::string gpu = "H100-80";

    // Vision tower (0 layers: none)
    std::int64_t vision_num_layers = 0;
    OptionalInt vision_hidden_size;
    OptionalInt vision_ffn_hidden_size;
    OptionalInt vision_num_attention_heads;
    OptionalInt vision_num_query_groups;
    OptionalInt vision_kv_channels;
    OptionalInt vision_patch_dim;
    OptionalInt vision_projector_ffn_hidden_size;
    OptionalInt vision_spatial_merge_size;
    OptionalInt vision_patches_per_micro_batch;

    friend bool operator==(const Scenario&, const Scenario&) = default;
};

}  // namespace megamem

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
enum class Fp4Format { none, e2m1 };
enum class RecomputeGranularity { none, full, selective };
enum class RecomputeMethod { none, uniform, block };
enum class Normalization { layer_norm, rms_norm };
enum class PositionEmbedding { learned_absolute, rope, yarn, mrope, relative, none };
enum class Dispatcher { allgather, alltoall, flex };
enum class FlexBackend { deepep, hybridep, ncclep };
enum class RouterDtype { none, fp32, fp64 };
enum class CpCommType { p2p, a2a, allgather, a2a_p2p };
enum class PipelineSchedule { one_forward_one_backward, gpipe };
enum class Fp8Recipe { delayed, tensorwise, mxfp8, blockwise };
enum class StateDtype { fp32, fp16, bf16, fp8 };
enum class Optimizer { adam, sgd, lion, muon, dist_muon };
enum class ShardingStrategy { no_shard, optim, optim_grads, optim_grads_params };
enum class OuterSharding { no_shard, optim };
enum class LogitDtype { none, bf16, fp32 };
enum class TransformerImpl { transformer_engine, local };
enum class AttentionBackend { automatic, flash, fused, unfused };
enum class CrossEntropyImpl { native, te };
enum class CudaGraphImpl { none, local, transformer_engine, full_iteration };
enum class Frozen { nothing, language, vision, language_and_vision };
// examples/multimodal's names, and those of Megatron-Bridge's Qwen models; generic: a plain ViT.
enum class VisionModel {
    generic,
    clip,
    siglip,
    internvit,
    internvit300m,
    radio,
    radio_g,
    cradio_g,
    qwen2_5_vl,
    qwen3_vl
};
enum class VisionProjection { mlp, affine };

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
    bool mtp_use_repeated_layer = false;
    bool add_bias_linear = false;
    bool add_qkv_bias = false;
    bool qk_layernorm = false;
    Normalization normalization = Normalization::rms_norm;
    PositionEmbedding position_embedding_type = PositionEmbedding::rope;
    OptionalInt max_position_embeddings;
    std::int64_t make_vocab_size_divisible_by = 128;
    Decimal4 hidden_dropout{0};
    Decimal4 attention_dropout{0};
    bool fp32_residual_connection = false;
    bool apply_rope_fusion = true;
    bool rotary_interleaved = false;
    Decimal4 rotary_percent{Decimal4::kOne};
    bool masked_softmax_fusion = true;
    bool apply_query_key_layer_scaling = false;
    bool moe_shared_expert_gate = false;
    OptionalInt moe_latent_size;
    bool moe_router_enable_expert_bias = false;
    bool moe_grouped_gemm = true;
    Dispatcher moe_token_dispatcher_type = Dispatcher::alltoall;
    FlexBackend moe_flex_dispatcher_backend = FlexBackend::deepep;
    RouterDtype moe_router_dtype = RouterDtype::fp32;
    bool moe_permute_fusion = true;
    bool moe_shared_expert_overlap = false;
    Decimal4 moe_expert_capacity_factor{0};  // 0: no capacity, nothing is dropped
    bool moe_pad_expert_input_to_capacity = false;
    Decimal4 moe_load_factor{Decimal4::kOne};
    Decimal4 moe_expert_rank_capacity_factor{0};  // 0: no budget
    bool moe_router_padding_for_quantization = false;

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
    OptionalInt num_layers_per_virtual_pipeline_stage;
    OptionalInt decoder_first_pipeline_num_layers;
    OptionalInt decoder_last_pipeline_num_layers;
    bool account_for_embedding_in_pipeline_split = false;
    bool account_for_loss_in_pipeline_split = false;
    PipelineSchedule pipeline_schedule = PipelineSchedule::one_forward_one_backward;
    OptionalInt microbatch_group_size_per_virtual_pipeline_stage;
    bool overlap_moe_expert_parallel_comm = false;
    CpCommType cp_comm_type = CpCommType::p2p;
    bool tp_comm_overlap = false;
    bool defer_embedding_wgrad_compute = false;
    std::int64_t wgrad_deferral_limit = 0;

    // Training
    OptionalInt seq_length;
    OptionalInt micro_batch_size;
    OptionalInt global_batch_size;
    Precision precision = Precision::bf16;
    Fp8Format fp8_format = Fp8Format::none;
    RecomputeGranularity recompute_granularity = RecomputeGranularity::none;
    std::vector<std::string> recompute_modules;
    RecomputeMethod recompute_method = RecomputeMethod::none;
    OptionalInt recompute_num_layers;
    bool distribute_saved_activations = false;
    bool fine_grained_activation_offloading = false;
    std::vector<std::string> offload_modules;
    std::int64_t min_offloaded_tensor_size = 1 << 20;  // elements
    Decimal4 activation_offload_fraction{Decimal4::kOne};
    std::int64_t delta_offload_bytes_across_pp_ranks = 0;
    std::int64_t cpu_offloading_num_layers = 0;
    Fp8Recipe fp8_recipe = Fp8Recipe::tensorwise;
    bool fp8_param_gather = false;
    bool first_last_layers_bf16 = false;
    std::int64_t num_layers_at_start_in_bf16 = 1;
    std::int64_t num_layers_at_end_in_bf16 = 1;
    Fp4Format fp4_format = Fp4Format::none;
    bool fp4_param_gather = false;
    LogitDtype output_logit_dtype = LogitDtype::none;  // none: as the output layer's input
    bool grad_reduce_in_bf16 = false;
    bool accumulate_allreduce_grads_in_fp32 = false;

    // Optimizer
    Optimizer optimizer = Optimizer::adam;
    bool use_distributed_optimizer = true;
    std::int64_t num_distributed_optimizer_instances = 1;
    bool use_precision_aware_optimizer = false;
    StateDtype main_grads_dtype = StateDtype::fp32;
    StateDtype main_params_dtype = StateDtype::fp32;
    StateDtype exp_avg_dtype = StateDtype::fp32;
    StateDtype exp_avg_sq_dtype = StateDtype::fp32;
    bool optimizer_cpu_offload = false;
    Decimal4 optimizer_offload_fraction{Decimal4::kOne};
    bool use_layer_wise_param_layout = true;
    bool use_megatron_fsdp = false;
    ShardingStrategy data_parallel_sharding_strategy = ShardingStrategy::optim_grads_params;
    StateDtype megatron_fsdp_main_grads_dtype = StateDtype::bf16;
    OuterSharding outer_dp_sharding_strategy = OuterSharding::no_shard;
    bool fsdp_double_buffer = false;
    bool keep_fp8_transpose_cache = false;
    bool use_torch_fsdp2 = false;
    bool torch_fsdp2_reshard_after_forward = true;
    Frozen frozen = Frozen::nothing;

    // Software: what decides bytes and is easy to forget
    std::string framework_version;           // see model/software.h; empty: the newest that is known
    std::string transformer_engine_version;  // "2.11"; empty: what came with that Megatron-LM
    std::string container_version;           // NGC image, "26.04"; empty: likewise
    TransformerImpl transformer_impl = TransformerImpl::transformer_engine;
    AttentionBackend attention_backend = AttentionBackend::automatic;
    bool deterministic_mode = false;
    bool nvte_allow_nondeterministic_algo = true;  // TransformerEngine's environment variable
    bool gradient_accumulation_fusion = true;
    bool cross_entropy_loss_fusion = false;
    CrossEntropyImpl cross_entropy_fusion_impl = CrossEntropyImpl::native;
    bool bias_swiglu_fusion = true;
    bool create_attention_mask_in_dataloader = false;
    std::string cublas_workspace_config;  // ":4096:8"; empty: not set
    CudaGraphImpl cuda_graph_impl = CudaGraphImpl::none;
    std::vector<std::string> cuda_graph_modules;  // none: whole layers
    bool first_iteration = false;                 // the peak of iteration 1, before Adam's moments exist

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
    VisionModel vision_model_type = VisionModel::generic;
    OptionalInt img_h;
    OptionalInt img_w;
    OptionalInt class_token_len;
    bool disable_vision_class_token = false;
    VisionProjection vision_projection_type = VisionProjection::mlp;
    OptionalInt vision_num_deepstack_mergers;
    bool freeze_vision_projection = false;
    bool recompute_vision = false;

    friend bool operator==(const Scenario&, const Scenario&) = default;
};

}  // namespace megamem

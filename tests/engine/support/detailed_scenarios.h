// Scenarios that between them have every line item of the detailed method.
#pragma once

#include <string>
#include <vector>

#include "engine/support/scenarios.h"

namespace megamem::test {

struct Named {
    std::string settings;  // what makes it different
    Scenario scenario;
};

inline std::vector<Named> detailed_scenarios() {
    const char* const dense[] = {
        "",
        "global_batch_size=none",
        "precision=fp16",
        "precision=fp32",
        "micro_batch_size=2 attention_backend=flash hidden_dropout=0.1",
        "attention_backend=unfused attention_dropout=0.1",
        "attention_backend=unfused num_query_groups=2",
        "attention_backend=unfused seq_length=2048 vocab_size=128",
        "transformer_impl=local framework_version=2025-09-01",
        "transformer_impl=local attention_dropout=0.1 apply_query_key_layer_scaling=1 "
        "masked_softmax_fusion=0 "
        "num_query_groups=8 seq_length=1024 vocab_size=128",
        "apply_rope_fusion=0 qk_layernorm=1 normalization=LayerNorm",
        "context_parallel_size=2",
        "context_parallel_size=2 micro_batch_size=2 num_query_groups=8 position_embedding_type=none",
        "vision_num_layers=2 vision_hidden_size=64 vision_ffn_hidden_size=128 vision_num_attention_heads=4 "
        "vision_patch_dim=14 vision_projector_ffn_hidden_size=256 vision_spatial_merge_size=2 "
        "vision_patches_per_micro_batch=256",
        "vision_model_type=clip vision_num_layers=2 vision_projector_ffn_hidden_size=256 "
        "vision_patches_per_micro_batch=1152",
        "vision_model_type=clip vision_num_layers=2 vision_projector_ffn_hidden_size=256 "
        "vision_patches_per_micro_batch=576 freeze_vision_projection=1",
        "vision_model_type=clip vision_num_layers=2 vision_projection_type=affine "
        "vision_patches_per_micro_batch=576 attention_backend=unfused tensor_model_parallel_size=2",
        "vision_model_type=clip vision_num_layers=24 vision_projector_ffn_hidden_size=256 "
        "vision_patches_per_micro_batch=5760 recompute_vision=1 recompute_granularity=full "
        "recompute_method=uniform recompute_num_layers=1",
        "vision_model_type=internvit vision_num_layers=2 vision_projector_ffn_hidden_size=256 "
        "vision_patches_per_micro_batch=1024 vision_spatial_merge_size=2 tensor_model_parallel_size=2",
        "vision_model_type=radio-g vision_num_layers=2 vision_projector_ffn_hidden_size=256 "
        "vision_patches_per_micro_batch=1024 fp8_format=hybrid",
        "vision_model_type=qwen2_5_vl vision_num_layers=2 vision_patches_per_micro_batch=64 "
        "tensor_model_parallel_size=2",
        "vision_model_type=qwen3_vl vision_num_layers=27 vision_patches_per_micro_batch=64 "
        "tensor_model_parallel_size=2",
        "vision_model_type=qwen3_vl vision_num_layers=27 vision_patches_per_micro_batch=64 frozen=vision",
        "vision_model_type=qwen3_vl vision_num_layers=27 vision_patches_per_micro_batch=64 "
        "freeze_vision_projection=1",
        "vision_model_type=siglip vision_num_layers=2 vision_projector_ffn_hidden_size=256 "
        "vision_patches_per_micro_batch=1024 frozen=language",
        "context_parallel_size=2 cp_comm_type=a2a",
        "context_parallel_size=2 cp_comm_type=allgather attention_output_gate=1",
        "recompute_granularity=selective recompute_modules=core_attn",
        "recompute_granularity=selective recompute_modules=mlp,mhc,layernorm",
        "recompute_granularity=full recompute_method=uniform recompute_num_layers=2",
        "recompute_granularity=full recompute_method=block recompute_num_layers=1",
        "tensor_model_parallel_size=2 recompute_granularity=full recompute_method=uniform "
        "recompute_num_layers=1 distribute_saved_activations=1",
        "fp8_format=hybrid",
        "fp8_format=hybrid fp8_param_gather=1 gpu=B200 fp8_recipe=mxfp8",
        "fp8_format=hybrid fp8_recipe=delayed",
        "multi_latent_attention=1 q_lora_rank=64 kv_lora_rank=64 qk_layernorm=1 fp8_format=hybrid "
        "fp8_recipe=mxfp8 first_last_layers_bf16=1",
        "fp4_format=e2m1 gpu=B200 mtp_num_layers=2 mtp_use_repeated_layer=1",
        "transformer_impl=local fp32_residual_connection=1 framework_version=2026-01-15",
        "context_parallel_size=2 cp_comm_type=p2p micro_batch_size=2 num_query_groups=8 "
        "position_embedding_type=none attention_backend=flash",
        "attention_output_gate=1 num_query_groups=2",
        "use_megatron_fsdp=1 fsdp_double_buffer=1",
        "use_torch_fsdp2=1 use_distributed_optimizer=0 gradient_accumulation_fusion=0",
        "cuda_graph_impl=full_iteration create_attention_mask_in_dataloader=1",
        "bias_swiglu_fusion=0 gradient_accumulation_fusion=0",
        "swiglu=0 add_bias_linear=1 position_embedding_type=learned_absolute",
        "tensor_model_parallel_size=2 sequence_parallel=1 tp_comm_overlap=1 vocab_size=64000",
        "cross_entropy_loss_fusion=1 vocab_size=64000",
        "cross_entropy_loss_fusion=1 cross_entropy_fusion_impl=te vocab_size=64000",
        "pipeline_model_parallel_size=4 grad_reduce_in_bf16=1",
        "pipeline_model_parallel_size=2 num_virtual_stages_per_pipeline_rank=2 "
        "cuda_graph_impl=transformer_engine",
        "pipeline_model_parallel_size=2 pipeline_schedule=gpipe defer_embedding_wgrad_compute=1",
        "create_attention_mask_in_dataloader=1 cublas_workspace_config=:4096:8",
        "create_attention_mask_in_dataloader=1 framework_version=2026-06-01",
        "use_megatron_fsdp=1",
        "use_megatron_fsdp=1 framework_version=2025-09-01 num_layers=24 seq_length=16 vocab_size=128",
        "use_megatron_fsdp=1 data_parallel_sharding_strategy=optim_grads grad_reduce_in_bf16=1",
        "use_precision_aware_optimizer=1 exp_avg_dtype=bf16",
        "optimizer_cpu_offload=1 optimizer_offload_fraction=0.75",
        "optimizer=sgd use_distributed_optimizer=0",
        "optimizer=muon",
        "optimizer=muon framework_version=2026-02-01 grad_reduce_in_bf16=1",
        "first_iteration=1",
        "mtp_num_layers=1",
        "mtp_num_layers=2 recompute_granularity=full recompute_method=uniform recompute_num_layers=1",
        "multi_latent_attention=1 q_lora_rank=64 kv_lora_rank=64 qk_layernorm=1",
        "multi_latent_attention=1 attention_backend=unfused micro_batch_size=2",
        "multi_latent_attention=1 q_lora_rank=64 kv_lora_rank=64 qk_layernorm=1 fp8_format=hybrid "
        "tensor_model_parallel_size=2 sequence_parallel=1 recompute_granularity=selective "
        "recompute_modules=mla_up_proj,layernorm",
        "fine_grained_activation_offloading=1 offload_modules=qkv_linear,core_attn",
        "fine_grained_activation_offloading=1 offload_modules=core_attn pipeline_model_parallel_size=2 "
        "attention_backend=unfused seq_length=2048 vocab_size=128",
        "cpu_offloading_num_layers=2",
    };
    const char* const moe[] = {
        "",
        "moe_load_factor=1.4",
        "moe_shared_expert_gate=1 bias_swiglu_fusion=0",
        "fp8_format=hybrid fp8_recipe=mxfp8 moe_latent_size=256",
        "fine_grained_activation_offloading=1 offload_modules=qkv_linear,moe_act "
        "delta_offload_bytes_across_pp_ranks=1000000 min_offloaded_tensor_size=0",
        "moe_permute_fusion=0 deterministic_mode=1",
        "moe_permute_fusion=0 deterministic_mode=1 moe_token_dispatcher_type=allgather",
        "moe_token_dispatcher_type=allgather framework_version=2025-03-01",
        "framework_version=2025-03-01",
        "moe_token_dispatcher_type=flex moe_flex_dispatcher_backend=hybridep",
        "moe_token_dispatcher_type=flex",
        "fp8_format=hybrid moe_router_dtype=none",
        "swiglu=0 moe_shared_expert_overlap=1",
        "moe_expert_capacity_factor=1 moe_pad_expert_input_to_capacity=1",
        "moe_expert_capacity_factor=1.2 moe_latent_size=256",
        "expert_tensor_parallel_size=2",
        "recompute_granularity=selective recompute_modules=moe",
        "recompute_granularity=selective recompute_modules=moe_act,shared_experts,layernorm",
        "recompute_granularity=full recompute_method=block recompute_num_layers=1 mtp_num_layers=1",
        "vocab_size=128 seq_length=4096",
        "optimizer=muon",
        "overlap_moe_expert_parallel_comm=1 num_virtual_stages_per_pipeline_rank=2",
        "multi_latent_attention=1 q_lora_rank=128 kv_lora_rank=128 num_query_groups=16",
        "fine_grained_activation_offloading=1 offload_modules=expert_fc1,moe_act",
    };
    std::vector<Named> all;
    for (const char* settings : dense)
        all.push_back(
            {std::string("dense ") + settings, with(with(clean_dense(), "num_query_groups=8"), settings)});
    for (const char* settings : moe)
        all.push_back({std::string("moe ") + settings, with(clean_moe(), settings)});
    return all;
}

}  // namespace megamem::test

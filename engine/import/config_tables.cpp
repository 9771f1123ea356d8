#include "import/config_tables.h"

#include <algorithm>
#include <array>

namespace megamem {

namespace {

using Name = ConfigName;
using Default = ConfigDefault;
using Use = NameUse;

// Megatron-Core's configuration classes, where they differ from the command line: transformer_config.py,
// model_parallel_config.py, distributed_data_parallel_config.py and optimizer_config.py of
// megatron/core@d98e8a64; gpt_provider.py@067f987d of Megatron-Bridge.
constexpr std::array kCoreNames = {
    Name{"num_moe_experts", "--num-experts"},
    Name{"num_layers_in_first_pipeline_stage", "--decoder-first-pipeline-num-layers"},
    Name{"num_layers_in_last_pipeline_stage", "--decoder-last-pipeline-num-layers"},
    Name{"microbatch_group_size_per_vp_stage", "--microbatch-group-size-per-virtual-pipeline-stage"},
    Name{"share_embeddings_and_output_weights", "--untie-embeddings-and-output-weights", Use::inverted},
    Name{"bias_activation_fusion", "bias_swiglu_fusion"},
    Name{"gated_linear_unit", "--swiglu"},
    Name{"fp8", "--fp8-format"},
    Name{"fp8_param", "--fp8-param-gather"},
    Name{"fp4", "--fp4-format"},
    Name{"layernorm_epsilon", "--norm-epsilon"},
    Name{"sequence_length", "--seq-length"},
    Name{"memory_efficient_layer_norm", {}, Use::matters},
    Name{"disable_parameter_transpose_cache", {}, Use::matters},
    Name{"fp8_dot_product_attention", {}, Use::matters},
    Name{"fp8_multi_head_attention", {}, Use::matters},
    Name{"activation_func", {}, Use::neutral},
    Name{"autocast_dtype", {}, Use::neutral},
    Name{"autocast_enabled", {}, Use::neutral},
    Name{"enable_autocast", {}, Use::neutral},
    Name{"pipeline_dtype", {}, Use::neutral},
    Name{"average_in_collective", {}, Use::neutral},
    Name{"check_for_nan_in_grad", {}, Use::neutral},
    Name{"batch_p2p_comm", {}, Use::neutral},
    Name{"batch_p2p_sync", {}, Use::neutral},
    Name{"use_ring_exchange_p2p", {}, Use::neutral},
    Name{"deallocate_pipeline_outputs", {}, Use::neutral},
    Name{"variable_seq_lengths", {}, Use::neutral},
    Name{"persist_layer_norm", {}, Use::neutral},
    Name{"scatter_embedding_sequence_parallel", {}, Use::neutral},
    Name{"parallel_output", {}, Use::neutral},
    Name{"should_pad_vocab", {}, Use::neutral},
    Name{"init_method", {}, Use::neutral},
    Name{"output_layer_init_method", {}, Use::neutral},
    Name{"softmax_scale", {}, Use::neutral},
    Name{"test_mode", {}, Use::neutral},
    Name{"timers", {}, Use::neutral},
    Name{"grad_scale_func", {}, Use::neutral},
    Name{"no_sync_func", {}, Use::neutral},
    Name{"grad_sync_func", {}, Use::neutral},
    Name{"param_sync_func", {}, Use::neutral},
    Name{"finalize_model_grads_func", {}, Use::neutral},
    Name{"mtp_enabled", {}, Use::neutral},
    Name{"moe_token_dropping", {}, Use::neutral},
    Name{"moe_router_padding_for_fp8", {}, Use::neutral},
    Name{"moe_hybridep_num_sms", {}, Use::neutral},
    Name{"moe_deepep_num_sms", {}, Use::neutral},
    Name{"moe_apply_probs_on_input", {}, Use::neutral},
    Name{"use_te_rng_tracker", {}, Use::neutral},
    Name{"cuda_graph_warmup_steps", {}, Use::neutral},
    Name{"cpu_offloading", {}, Use::neutral},  // cpu_offloading_num_layers says how much
    Name{"cpu_offloading_activations", {}, Use::neutral},
    Name{"cpu_offloading_weights", {}, Use::matters},
    Name{"tp_comm_overlap_cfg", {}, Use::neutral},
    Name{"async_tensor_model_parallel_allreduce", {}, Use::neutral},
    Name{"add_position_embedding", {}, Use::neutral},
    Name{"apply_dsa_kernel_fusion", {}, Use::neutral},
    Name{"hf_model_id", {}, Use::neutral},
    Name{"hf_model_revision", {}, Use::neutral},
};

// Megatron-Bridge: training/config.py@067f987d and what its scripts override.
constexpr std::array kBridgeNames = {
    Name{"manual_gc_eval", {}, Use::neutral},
    Name{"num_epochs", {}, Use::neutral},
    Name{"finetune_lr", {}, Use::neutral},
    Name{"blend", {}, Use::neutral},
    Name{"blend_per_split", {}, Use::neutral},
    Name{"random_seed", {}, Use::neutral},
    Name{"num_dataset_builder_threads", {}, Use::neutral},
    Name{"path_to_cache", {}, Use::neutral},
    Name{"persistent_workers", {}, Use::neutral},
    Name{"do_validation", {}, Use::neutral},
    Name{"do_test", {}, Use::neutral},
    Name{"dataset_root", {}, Use::neutral},
    Name{"enable_offline_packing", {}, Use::neutral},
    Name{"hf_processor_path", {}, Use::neutral},
    Name{"trust_remote_code", {}, Use::neutral},
    Name{"path", {}, Use::neutral},
    Name{"skip_getting_attention_mask_from_dataset", {}, Use::neutral},
    Name{"enable_in_batch_packing", {}, Use::neutral},
    Name{"bootstrap_pg_from_head_node", {}, Use::neutral},
};

// examples/nlp/language_modeling/conf/megatron_gpt_config.yaml of NVIDIA/NeMo: @000763d0 and later ones.
constexpr std::array kNemo1Names = {
    Name{"activations_checkpoint_granularity", "--recompute-granularity"},
    Name{"activations_checkpoint_method", "--recompute-method"},
    Name{"activations_checkpoint_num_layers", "--recompute-num-layers"},
    Name{"rotary_percentage", "--rotary-percent"},
    Name{"override_vocab_size", "--vocab-size"},
    Name{"bias", "add_bias_linear"},
    Name{"ub_tp_comm_overlap", "--tp-comm-overlap"},
    Name{"fp8", {}, Use::neutral},  // fp8_e4m3 and fp8_hybrid say which
    Name{"accelerator", {}, Use::neutral},
    Name{"logger", {}, Use::neutral},
    Name{"enable_checkpointing", {}, Use::neutral},
    Name{"replace_sampler_ddp", {}, Use::neutral},
    Name{"use_distributed_sampler", {}, Use::neutral},
    Name{"max_epochs", {}, Use::neutral},
    Name{"max_steps", {}, Use::neutral},
    Name{"max_time", {}, Use::neutral},
    Name{"log_every_n_steps", {}, Use::neutral},
    Name{"val_check_interval", {}, Use::neutral},
    Name{"limit_val_batches", {}, Use::neutral},
    Name{"limit_test_batches", {}, Use::neutral},
    Name{"accumulate_grad_batches", {}, Use::neutral},
    Name{"gradient_clip_val", {}, Use::neutral},
    Name{"benchmark", {}, Use::neutral},
    Name{"num_sanity_val_steps", {}, Use::neutral},
    Name{"resume_from_checkpoint", {}, Use::neutral},
    Name{"mcore_gpt", {}, Use::neutral},
    Name{"pre_process", {}, Use::neutral},
    Name{"post_process", {}, Use::neutral},
    Name{"native_amp_init_scale", {}, Use::neutral},
    Name{"native_amp_growth_interval", {}, Use::neutral},
    Name{"grad_allreduce_chunk_size_mb", {}, Use::neutral},
    Name{"grad_div_ar_fusion", {}, Use::neutral},
    Name{"gradient_as_bucket_view", {}, Use::neutral},
    Name{"onnx_safe", {}, Use::neutral},
    Name{"apex_transformer_log_level", {}, Use::neutral},
    Name{"data_prefix", {}, Use::neutral},
    Name{"index_mapping_dir", {}, Use::neutral},
    Name{"data_impl", {}, Use::neutral},
    Name{"splits_string", {}, Use::neutral},
    Name{"skip_warmup", {}, Use::neutral},
    Name{"overlap_grad_sync", {}, Use::neutral},
    Name{"overlap_param_sync", {}, Use::neutral},
    Name{"bucket_cap_mb", {}, Use::neutral},
};

// NeMo 2: nemo/lightning/pytorch/strategies/megatron_strategy.py and its recipes.
constexpr std::array kNemo2Names = {
    Name{"ckpt_async_save", {}, Use::neutral},
    Name{"ckpt_parallel_load", {}, Use::neutral},
    Name{"ckpt_parallel_save", {}, Use::neutral},
    Name{"ckpt_load_strictness", {}, Use::neutral},
    Name{"paths", {}, Use::neutral},
    Name{"tokenizer", {}, Use::neutral},
    Name{"num_train_samples", {}, Use::neutral},
    Name{"_target_", {}, Use::neutral},
    Name{"_factory_", {}, Use::neutral},
    Name{"_partial_", {}, Use::neutral},
};

// volcengine/verl: verl/trainer/config/engine/megatron.yaml@0b8f32c7 and actor/megatron_actor.yaml@07554774.
// What is offloaded there goes to the host between phases only: it is on the GPU while a step runs.
constexpr std::array kVerlNames = {
    Name{"param_offload", {}, Use::neutral},
    Name{"grad_offload", {}, Use::neutral},
    Name{"optimizer_offload", {}, Use::neutral},
    Name{"use_dist_checkpointing", {}, Use::neutral},
    Name{"dist_checkpointing_path", {}, Use::neutral},
    Name{"dist_checkpointing_prefix", {}, Use::neutral},
    Name{"use_mbridge", {}, Use::neutral},
    Name{"vanilla_mbridge", {}, Use::neutral},
    Name{"forward_only", {}, Use::neutral},
    Name{"_target_", {}, Use::neutral},
    Name{"kl_loss_coef", {}, Use::neutral},
    Name{"kl_loss_type", {}, Use::neutral},
    Name{"use_kl_loss", {}, Use::neutral},
    Name{"entropy_coeff", {}, Use::neutral},
    Name{"clip_ratio", {}, Use::neutral},
    Name{"clip_ratio_low", {}, Use::neutral},
    Name{"clip_ratio_high", {}, Use::neutral},
    Name{"clip_ratio_c", {}, Use::neutral},
    Name{"loss_agg_mode", {}, Use::neutral},
    Name{"ppo_epochs", {}, Use::neutral},
    Name{"shuffle", {}, Use::neutral},
    Name{"data_loader_seed", {}, Use::neutral},
    Name{"load_weight", {}, Use::neutral},
    Name{"lr_warmup_steps", {}, Use::neutral},
    Name{"lr_decay_steps", {}, Use::neutral},
    Name{"lr_warmup_init", {}, Use::neutral},
    Name{"train_files", {}, Use::neutral},
    Name{"val_files", {}, Use::neutral},
    Name{"prompt_key", {}, Use::neutral},
    Name{"truncation", {}, Use::neutral},
    Name{"filter_overlong_prompts", {}, Use::neutral},
    Name{"return_raw_chat", {}, Use::neutral},
    Name{"train_batch_size", {}, Use::neutral},
    Name{"project_name", {}, Use::neutral},
    Name{"experiment_name", {}, Use::neutral},
    Name{"save_freq", {}, Use::neutral},
    Name{"test_freq", {}, Use::neutral},
    Name{"total_epochs", {}, Use::neutral},
    Name{"total_training_steps", {}, Use::neutral},
    Name{"val_before_train", {}, Use::neutral},
    Name{"critic_warmup", {}, Use::neutral},
    Name{"balance_batch", {}, Use::neutral},
    Name{"logger", {}, Use::neutral},
    Name{"device", {}, Use::neutral},
    Name{"default_local_dir", {}, Use::neutral},
    Name{"resume_mode", {}, Use::neutral},
    Name{"log_val_generations", {}, Use::neutral},
    Name{"overlap_cpu_optimizer_d2h_h2d", {}, Use::neutral},
    Name{"clip_grad", {}, Use::neutral},
    Name{"lr_warmup_steps_ratio", {}, Use::neutral},
    Name{"betas", {}, Use::neutral},
    Name{"lr_wsd_decay_steps", {}, Use::neutral},
    Name{"use_remove_padding", {}, Use::neutral},
    Name{"rollout_n", {}, Use::neutral},
    Name{"loss_scale_factor", {}, Use::neutral},
    Name{"calculate_entropy", {}, Use::neutral},
    Name{"use_torch_compile", {}, Use::neutral},
    Name{"override_ddp_config", {}, Use::neutral},
    Name{"override_optimizer_config", {}, Use::neutral},
    Name{"override_transformer_config", {}, Use::neutral},
    Name{"override_mcore_model_config", {}, Use::neutral},
    Name{"ppo_micro_batch_size", {}, Use::neutral},
    Name{"val_batch_size", {}, Use::neutral},
    Name{"gen_batch_size", {}, Use::neutral},
    Name{"reward_fn_key", {}, Use::neutral},
    Name{"resume_from_path", {}, Use::neutral},
    Name{"default_hdfs_dir", {}, Use::neutral},
    Name{"max_actor_ckpt_to_keep", {}, Use::neutral},
    Name{"max_critic_ckpt_to_keep", {}, Use::neutral},
    Name{"rollout_data_dir", {}, Use::neutral},
    Name{"dataloader_num_workers", {}, Use::neutral},
    Name{"tokenizer", {}, Use::neutral},
    Name{"use_shm", {}, Use::neutral},
    Name{"use_fused_kernels", {}, Use::matters},
    Name{"entropy_from_logits_with_chunking", {}, Use::matters},
};

// primus/configs/modules/megatron/primus_megatron_module.yaml and primus_turbo.yaml of AMD-AGI/Primus: its
// own kernels and its logging.
constexpr std::array kPrimusNames = {
    Name{"stderr_sink_level", {}, Use::neutral},
    Name{"file_sink_level", {}, Use::neutral},
    Name{"sink_level", {}, Use::neutral},
    Name{"trainable", {}, Use::neutral},
    Name{"log_avg_skip_iterations", {}, Use::neutral},
    Name{"log_avg_reset_interval", {}, Use::neutral},
    Name{"disable_last_saving", {}, Use::neutral},
    Name{"auto_continue_train", {}, Use::neutral},
    Name{"enable_primus_turbo", {}, Use::neutral},  // the switch before those below
    Name{"turbo_deepep_num_cu", {}, Use::neutral},
    Name{"moe_use_fused_router_with_aux_score", {}, Use::neutral},
    Name{"original_max_position_embeddings", {}, Use::neutral},
    Name{"no_fp8_weight_transpose_cache", {}, Use::matters},
    Name{"turbo_deepep_use_comm_stream", {}, Use::neutral},
    Name{"use_turbo_attention", {}, Use::matters},
    Name{"use_turbo_grouped_mlp", {}, Use::matters},
    Name{"use_turbo_grouped_gemm", {}, Use::matters},
    Name{"use_turbo_gemm", {}, Use::matters},
    Name{"use_turbo_rms_norm", {}, Use::matters},
    Name{"use_turbo_deepep", {}, Use::matters},
    Name{"turbo_sync_free_moe_stage", {}, Use::matters},
    Name{"enable_turbo_attention_float8", {}, Use::matters},
};

// Written by Megatron-LM itself beside its arguments (arguments.py@d98e8a64: validate_args).
constexpr std::array kDumpNames = {
    Name{"rank", {}, Use::neutral},
    Name{"local_rank", {}, Use::neutral},
    Name{"params_dtype", {}, Use::neutral},
    Name{"iteration", {}, Use::neutral},
    Name{"consumed_train_samples", {}, Use::neutral},
    Name{"consumed_valid_samples", {}, Use::neutral},
    Name{"skipped_train_samples", {}, Use::neutral},
    Name{"transformer_pipeline_model_parallel_size", {}, Use::neutral},
    Name{"variable_seq_lengths", {}, Use::neutral},
    Name{"start_weight_decay", {}, Use::neutral},
    Name{"end_weight_decay", {}, Use::neutral},
    Name{"eval_global_batch_size", {}, Use::neutral},
    Name{"eval_micro_batch_size", {}, Use::neutral},
};

// What silence means beyond read_arguments()' own: only what stands in a file of the project.
constexpr std::array kVerlDefaults = {
    Default{"sequence_parallel", "1"},
    Default{"attention_backend", "flash"},
    Default{"moe_token_dispatcher_type", "alltoall"},
};
// primus/configs/modules/megatron/pre_trainer.yaml@44a21d15, models/megatron/language_model.yaml@0158a866.
constexpr std::array kPrimusDefaults = {
    Default{"precision", "bf16"},       Default{"use_distributed_optimizer", "1"},
    Default{"sequence_parallel", "1"},  Default{"micro_batch_size", "2"},
    Default{"global_batch_size", "16"}, Default{"seq_length", "1024"},
};
// megatron/bridge/models/gpt_provider.py and training/mixed_precision.py@067f987d.
constexpr std::array kBridgeDefaults = {
    Default{"gradient_accumulation_fusion", "1"},       Default{"masked_softmax_fusion", "1"},
    Default{"transformer_impl", "transformer_engine"},  Default{"fp8_recipe", "tensorwise"},
    Default{"accumulate_allreduce_grads_in_fp32", "1"},
};

// Recipes of megatron/bridge/training/mixed_precision.py@067f987d.
constexpr std::array kPrecisionRecipes = {
    PrecisionRecipe{"with_fp8_delayed_scaling_mixed", "hybrid", "delayed", "true"},
    PrecisionRecipe{"with_mxfp8_mixed", "e4m3", "mxfp8", "true"},
    PrecisionRecipe{"with_fp8_current_scaling_mixed", "hybrid", "tensorwise", "true"},
    PrecisionRecipe{"with_fp8_subchannel_scaling_mixed", "hybrid", "blockwise", "false"},
};

std::span<const Name> names_of(ConfigStyle style) {
    switch (style) {
        case ConfigStyle::bridge:
            return kBridgeNames;
        case ConfigStyle::nemo1:
            return kNemo1Names;
        case ConfigStyle::nemo2:
            return kNemo2Names;
        case ConfigStyle::verl:
            return kVerlNames;
        case ConfigStyle::primus:
            return kPrimusNames;
        case ConfigStyle::dump:
            return kDumpNames;
        default:
            return {};
    }
}

}  // namespace

const ConfigName* find_config_name(std::string_view name, ConfigStyle style) {
    for (const std::span<const Name> names : {names_of(style), std::span<const Name>(kCoreNames)}) {
        const auto found =
            std::find_if(names.begin(), names.end(), [&](const Name& n) { return n.name == name; });
        if (found != names.end()) return &*found;
    }
    return nullptr;
}

std::span<const ConfigDefault> defaults_of(ConfigStyle style) {
    switch (style) {
        case ConfigStyle::verl:
            return kVerlDefaults;
        case ConfigStyle::primus:
            return kPrimusDefaults;
        case ConfigStyle::bridge:
            return kBridgeDefaults;
        default:
            return {};
    }
}

const PrecisionRecipe* find_precision_recipe(std::string_view name) {
    const auto found = std::find_if(kPrecisionRecipes.begin(), kPrecisionRecipes.end(),
                                    [&](const PrecisionRecipe& r) { return r.name == name; });
    return found == kPrecisionRecipes.end() ? nullptr : &*found;
}

}  // namespace megamem

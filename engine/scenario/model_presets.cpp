// The models a user can start from: published dimensions and parameter counts, and a layout to begin with.
#include <array>
#include <span>

#include "scenario/presets.h"

namespace megamem {

namespace {

// MB below is NVIDIA-NeMo/Megatron-Bridge, src/megatron/bridge/recipes unless another folder is named; the
// recipes of one file per model size are of its 2025 revisions.
constexpr std::array kModelPresets{
    // Layout: arXiv:2205.05198, table 3 (64 GPUs, 3 interleaved stages, selective recompute).
    // Vocabulary: the 50257 words of the GPT-2 tokenizer; Megatron pads them to 51200 with TP 8.
    ModelPreset{
        "gpt3-175b", "GPT-3 175B", "arXiv:2005.14165 (Language Models are Few-Shot Learners), table 2.1",
        175.0, 0.0, "arXiv:2005.14165, table 2.1",
        "num_layers=96 hidden_size=12288 ffn_hidden_size=49152 num_attention_heads=96 num_query_groups=96 "
        "kv_channels=128 vocab_size=50257 "
        "nodes=8 tensor_model_parallel_size=8 pipeline_model_parallel_size=8 "
        "num_virtual_stages_per_pipeline_rank=3 sequence_parallel=1 "
        "seq_length=2048 micro_batch_size=1 global_batch_size=64 "
        "recompute_granularity=selective recompute_modules=core_attn"},
    // Layout: MB llama/llama2_7b.py on one node; sequence parallelism is ours.
    ModelPreset{
        "llama-2-7b", "Llama 2 7B", "meta-llama/Llama-2-7b-hf config.json", 6.74, 0.0,
        "meta-llama/Llama-2-7b-hf model page, count of the weights",
        "num_layers=32 hidden_size=4096 ffn_hidden_size=11008 num_attention_heads=32 num_query_groups=32 "
        "kv_channels=128 vocab_size=32000 swiglu=1 untie_embeddings_and_output_weights=1 "
        "tensor_model_parallel_size=2 sequence_parallel=1 "
        "seq_length=4096 micro_batch_size=1 global_batch_size=512"},
    // Layout: ours, after MB llama/llama3_70b.py without context parallelism.
    ModelPreset{
        "llama-2-70b", "Llama 2 70B", "meta-llama/Llama-2-70b-hf config.json", 69.0, 0.0,
        "meta-llama/Llama-2-70b-hf model page, count of the weights",
        "num_layers=80 hidden_size=8192 ffn_hidden_size=28672 num_attention_heads=64 num_query_groups=8 "
        "kv_channels=128 vocab_size=32000 swiglu=1 untie_embeddings_and_output_weights=1 "
        "nodes=8 tensor_model_parallel_size=4 pipeline_model_parallel_size=4 "
        "num_virtual_stages_per_pipeline_rank=5 sequence_parallel=1 "
        "seq_length=4096 micro_batch_size=1 global_batch_size=512"},
    // Layout: MB llama/llama3.py, llama31_8b_pretrain_config, on one node.
    ModelPreset{
        "llama-3.1-8b", "Llama 3.1 8B", "meta-llama/Meta-Llama-3.1-8B config.json", 8.03, 0.0,
        "meta-llama/Meta-Llama-3.1-8B model page, count of the weights",
        "num_layers=32 hidden_size=4096 ffn_hidden_size=14336 num_attention_heads=32 num_query_groups=8 "
        "kv_channels=128 vocab_size=128256 swiglu=1 untie_embeddings_and_output_weights=1 "
        "context_parallel_size=2 "
        "seq_length=8192 micro_batch_size=1 global_batch_size=512"},
    // Layout: MB llama/llama3_70b.py (TP 4, PP 4, VPP 5, CP 2, 8192 tokens), on 64 GPUs.
    ModelPreset{
        "llama-3.1-70b", "Llama 3.1 70B", "meta-llama/Meta-Llama-3.1-70B config.json", 70.6, 0.0,
        "meta-llama/Meta-Llama-3.1-70B model page, count of the weights",
        "num_layers=80 hidden_size=8192 ffn_hidden_size=28672 num_attention_heads=64 num_query_groups=8 "
        "kv_channels=128 vocab_size=128256 swiglu=1 untie_embeddings_and_output_weights=1 "
        "nodes=8 tensor_model_parallel_size=4 pipeline_model_parallel_size=4 "
        "context_parallel_size=2 num_virtual_stages_per_pipeline_rank=5 sequence_parallel=1 "
        "seq_length=8192 micro_batch_size=1 global_batch_size=512"},
    // Layout: MB llama/llama31_405b.py (TP 8, PP 8, VPP 2, CP 4), on 512 GPUs; its rule that the embedding
    // and the loss each count as a layer (126 + 2 = 16 * 8) is written as a pipeline layout here.
    ModelPreset{
        "llama-3.1-405b", "Llama 3.1 405B", "meta-llama/Meta-Llama-3.1-405B config.json", 405.9, 0.0,
        "meta-llama/Meta-Llama-3.1-405B model page, count of the weights",
        "num_layers=126 hidden_size=16384 ffn_hidden_size=53248 num_attention_heads=128 num_query_groups=8 "
        "kv_channels=128 vocab_size=128256 swiglu=1 untie_embeddings_and_output_weights=1 "
        "nodes=64 tensor_model_parallel_size=8 pipeline_model_parallel_size=8 "
        "context_parallel_size=4 pipeline_model_parallel_layout=Et*7|(t*8|)*14t*7L sequence_parallel=1 "
        "seq_length=8192 micro_batch_size=1 global_batch_size=512"},
    // Layout: Megatron-LM's functional test mixtral_8x7b_tp1pp4ep8vpp8_release (which sets TP 2), 64 GPUs.
    ModelPreset{
        "mixtral-8x7b", "Mixtral 8x7B", "mistralai/Mixtral-8x7B-v0.1 config.json", 46.7, 12.9,
        "Mistral AI announcement of Mixtral 8x7B, December 2023",
        "num_layers=32 hidden_size=4096 ffn_hidden_size=14336 num_attention_heads=32 num_query_groups=8 "
        "kv_channels=128 vocab_size=32000 swiglu=1 untie_embeddings_and_output_weights=1 "
        "num_experts=8 moe_ffn_hidden_size=14336 moe_router_topk=2 "
        "nodes=8 tensor_model_parallel_size=2 pipeline_model_parallel_size=4 "
        "expert_model_parallel_size=8 expert_tensor_parallel_size=1 num_virtual_stages_per_pipeline_rank=8 "
        "sequence_parallel=1 "
        "seq_length=4096 micro_batch_size=1 global_batch_size=256"},
    // Layout: Megatron-LM's functional test mixtral_8x22b_tp2pp8ep8vpp1_release, 128 GPUs; ETP 1 is ours.
    ModelPreset{
        "mixtral-8x22b", "Mixtral 8x22B", "mistralai/Mixtral-8x22B-v0.1 config.json", 141.0, 39.0,
        "Mistral AI announcement of Mixtral 8x22B, April 2024",
        "num_layers=56 hidden_size=6144 ffn_hidden_size=16384 num_attention_heads=48 num_query_groups=8 "
        "kv_channels=128 vocab_size=32000 swiglu=1 untie_embeddings_and_output_weights=1 "
        "num_experts=8 moe_ffn_hidden_size=16384 moe_router_topk=2 "
        "nodes=16 tensor_model_parallel_size=2 pipeline_model_parallel_size=8 "
        "expert_model_parallel_size=8 expert_tensor_parallel_size=1 sequence_parallel=1 "
        "seq_length=4096 micro_batch_size=1 global_batch_size=256"},
    // Layout: MB scripts/performance/configs/deepseek, DEEPSEEK_V3_PRETRAIN_CONFIG_H100_V1 (1024 GPUs).
    ModelPreset{
        "deepseek-v3", "DeepSeek-V3", "deepseek-ai/DeepSeek-V3 config.json", 671.0, 37.0,
        "deepseek-ai/DeepSeek-V3 model card (without the multi-token prediction module)",
        "num_layers=61 hidden_size=7168 ffn_hidden_size=18432 num_attention_heads=128 num_query_groups=128 "
        "kv_channels=128 vocab_size=129280 swiglu=1 untie_embeddings_and_output_weights=1 "
        "multi_latent_attention=1 q_lora_rank=1536 kv_lora_rank=512 qk_head_dim=128 qk_pos_emb_head_dim=64 "
        "v_head_dim=128 "
        "num_experts=256 moe_ffn_hidden_size=2048 moe_router_topk=8 moe_shared_expert_intermediate_size=2048 "
        "num_dense_layers=3 mtp_num_layers=1 "
        "nodes=128 tensor_model_parallel_size=2 pipeline_model_parallel_size=8 "
        "expert_model_parallel_size=64 expert_tensor_parallel_size=1 "
        "pipeline_model_parallel_layout=Et|(tt|)*30mL sequence_parallel=1 "
        "seq_length=4096 micro_batch_size=1 global_batch_size=8192 "
        "recompute_granularity=selective recompute_modules=mla_up_proj,mlp"},
    // Layout: MB qwen/qwen3_8b.py on one node; sequence parallelism is ours.
    ModelPreset{
        "qwen3-8b", "Qwen3-8B", "Qwen/Qwen3-8B config.json", 8.2, 0.0, "Qwen/Qwen3-8B model card",
        "num_layers=36 hidden_size=4096 ffn_hidden_size=12288 num_attention_heads=32 num_query_groups=8 "
        "kv_channels=128 vocab_size=151936 swiglu=1 untie_embeddings_and_output_weights=1 "
        "tensor_model_parallel_size=4 sequence_parallel=1 "
        "seq_length=4096 micro_batch_size=2 global_batch_size=32"},
    // Layout: MB qwen/qwen3_32b.py on two nodes, with its full recompute; sequence parallelism is ours.
    ModelPreset{
        "qwen3-32b", "Qwen3-32B", "Qwen/Qwen3-32B config.json", 32.8, 0.0, "Qwen/Qwen3-32B model card",
        "num_layers=64 hidden_size=5120 ffn_hidden_size=25600 num_attention_heads=64 num_query_groups=8 "
        "kv_channels=128 vocab_size=151936 swiglu=1 untie_embeddings_and_output_weights=1 "
        "nodes=2 tensor_model_parallel_size=8 pipeline_model_parallel_size=2 "
        "sequence_parallel=1 "
        "seq_length=4096 micro_batch_size=2 global_batch_size=32 recompute_granularity=full"},
    // Layout: MB scripts/performance/configs/qwen, QWEN3_30B_A3B_PRETRAIN_CONFIG_H100_BF16_V1 (16 GPUs).
    ModelPreset{
        "qwen3-30b-a3b", "Qwen3-30B-A3B", "Qwen/Qwen3-30B-A3B config.json", 30.5, 3.3,
        "Qwen/Qwen3-30B-A3B model card",
        "num_layers=48 hidden_size=2048 ffn_hidden_size=6144 num_attention_heads=32 num_query_groups=4 "
        "kv_channels=128 vocab_size=151936 swiglu=1 untie_embeddings_and_output_weights=1 "
        "num_experts=128 moe_ffn_hidden_size=768 moe_router_topk=8 "
        "nodes=2 expert_model_parallel_size=16 expert_tensor_parallel_size=1 "
        "seq_length=4096 micro_batch_size=1 global_batch_size=1024"},
    // Layout: MB scripts/performance/configs/qwen, QWEN3_235B_A22B_PRETRAIN_CONFIG_H100_BF16_V1 (256 GPUs,
    // VPP 4); the embedding and the loss each count as a layer (94 + 2 = 32 * 3), written as a pipeline
    // layout here.
    ModelPreset{
        "qwen3-235b-a22b", "Qwen3-235B-A22B", "Qwen/Qwen3-235B-A22B config.json", 235.0, 22.0,
        "Qwen/Qwen3-235B-A22B model card",
        "num_layers=94 hidden_size=4096 ffn_hidden_size=12288 num_attention_heads=64 num_query_groups=4 "
        "kv_channels=128 vocab_size=151936 swiglu=1 untie_embeddings_and_output_weights=1 "
        "num_experts=128 moe_ffn_hidden_size=1536 moe_router_topk=8 "
        "nodes=32 tensor_model_parallel_size=2 pipeline_model_parallel_size=8 "
        "expert_model_parallel_size=32 expert_tensor_parallel_size=1 "
        "pipeline_model_parallel_layout=Ett|(ttt|)*30ttL sequence_parallel=1 "
        "seq_length=4096 micro_batch_size=1 global_batch_size=2048"},
    // Layout: MB kimi/h100/kimi_k2.py (512 GPUs, its layout for PP 16 without VPP); full recompute is ours.
    ModelPreset{
        "kimi-k2", "Kimi K2", "moonshotai/Kimi-K2-Instruct config.json", 1040.0, 32.6,
        "Kimi K2 technical report, arXiv:2507.20534 (1.04T and 32.6B; the model card rounds to 1T and 32B)",
        "num_layers=61 hidden_size=7168 ffn_hidden_size=18432 num_attention_heads=64 num_query_groups=64 "
        "kv_channels=128 vocab_size=163840 swiglu=1 untie_embeddings_and_output_weights=1 "
        "multi_latent_attention=1 q_lora_rank=1536 kv_lora_rank=512 qk_head_dim=128 qk_pos_emb_head_dim=64 "
        "v_head_dim=128 "
        "num_experts=384 moe_ffn_hidden_size=2048 moe_router_topk=8 moe_shared_expert_intermediate_size=2048 "
        "num_dense_layers=1 "
        "nodes=64 tensor_model_parallel_size=2 pipeline_model_parallel_size=16 "
        "expert_model_parallel_size=32 expert_tensor_parallel_size=1 "
        "pipeline_model_parallel_layout=Et*4|(tttt|)*14tL sequence_parallel=1 "
        "seq_length=4096 micro_batch_size=1 global_batch_size=4096 recompute_granularity=full"},
    // Layout: MB gpt_oss/h100/gpt_oss.py, gpt_oss_20b_pretrain_16gpu_h100_bf16_config.
    // Its biases and attention sinks are not described by these fields.
    ModelPreset{
        "gpt-oss-20b", "gpt-oss-20b", "openai/gpt-oss-20b config.json", 20.91, 3.61,
        "gpt-oss model card, arXiv:2508.10925, table 1 (active: without the embedding)",
        "num_layers=24 hidden_size=2880 ffn_hidden_size=2880 num_attention_heads=64 num_query_groups=8 "
        "kv_channels=64 vocab_size=201088 swiglu=1 untie_embeddings_and_output_weights=1 "
        "num_experts=32 moe_ffn_hidden_size=2880 moe_router_topk=4 "
        "nodes=2 tensor_model_parallel_size=2 pipeline_model_parallel_size=4 "
        "expert_model_parallel_size=4 expert_tensor_parallel_size=1 sequence_parallel=1 "
        "seq_length=4096 micro_batch_size=1 global_batch_size=512"},
    // Layout: MB gpt_oss/h100/gpt_oss.py, gpt_oss_120b_pretrain_64gpu_h100_bf16_config.
    // Its biases and attention sinks are not described by these fields.
    ModelPreset{
        "gpt-oss-120b", "gpt-oss-120b", "openai/gpt-oss-120b config.json", 116.83, 5.13,
        "gpt-oss model card, arXiv:2508.10925, table 1 (active: without the embedding)",
        "num_layers=36 hidden_size=2880 ffn_hidden_size=2880 num_attention_heads=64 num_query_groups=8 "
        "kv_channels=64 vocab_size=201088 swiglu=1 untie_embeddings_and_output_weights=1 "
        "num_experts=128 moe_ffn_hidden_size=2880 moe_router_topk=4 "
        "nodes=8 tensor_model_parallel_size=2 pipeline_model_parallel_size=4 "
        "expert_model_parallel_size=16 expert_tensor_parallel_size=1 sequence_parallel=1 "
        "seq_length=4096 micro_batch_size=1 global_batch_size=512"},
    // Vision-language models, one of each kind of encoder. MM is Megatron-LM's examples/multimodal.
    // Layout: ours, on one node, with the encoder frozen as its authors did; an image a sample.
    ModelPreset{
        "llava-1.5-7b", "LLaVA 1.5 7B (CLIP)", "llava-hf/llava-1.5-7b-hf config.json", 7.06, 0.0,
        "llava-hf/llava-1.5-7b-hf model page, count of the weights",
        "num_layers=32 hidden_size=4096 ffn_hidden_size=11008 num_attention_heads=32 num_query_groups=32 "
        "kv_channels=128 vocab_size=32064 swiglu=1 untie_embeddings_and_output_weights=1 "
        "vision_model_type=clip vision_num_layers=24 vision_projector_ffn_hidden_size=4096 "
        "vision_patches_per_micro_batch=576 disable_vision_class_token=1 frozen=vision "
        "tensor_model_parallel_size=2 sequence_parallel=1 "
        "seq_length=2048 micro_batch_size=1 global_batch_size=128"},
    // Layout: MM nvlm/run_text_generation_qwen25_7b_siglip.sh (TP 4, 12 tiles and a thumbnail of 448 pixels,
    // 8192 tokens), for training on one node.
    ModelPreset{
        "qwen2.5-7b-siglip", "Qwen2.5 7B with SigLIP SO400M",
        "Megatron-LM examples/multimodal/config.py, qwen2.5_7B and siglip", 0.0, 0.0, "no count is published",
        "num_layers=28 hidden_size=3584 ffn_hidden_size=18944 num_attention_heads=28 num_query_groups=4 "
        "kv_channels=128 vocab_size=152064 swiglu=1 untie_embeddings_and_output_weights=1 add_qkv_bias=1 "
        "vision_model_type=siglip vision_num_layers=27 vision_spatial_merge_size=2 "
        "vision_projector_ffn_hidden_size=3584 vision_patches_per_micro_batch=13312 "
        "tensor_model_parallel_size=4 sequence_parallel=1 "
        "seq_length=8192 micro_batch_size=1 global_batch_size=256"},
    // Layout: MM nvlm/sft_qwen20_72b_internvit_6b.sh (TP 8, PP 4, frozen encoder, 6 tiles and a thumbnail).
    ModelPreset{
        "nvlm-d-72b", "NVLM-D 72B (InternViT-6B)", "nvidia/NVLM-D-72B config.json", 79.4, 0.0,
        "nvidia/NVLM-D-72B model page, count of the weights with InternViT's 7 dummy heads",
        "num_layers=80 hidden_size=8192 ffn_hidden_size=29568 num_attention_heads=64 num_query_groups=8 "
        "kv_channels=128 vocab_size=152064 swiglu=1 untie_embeddings_and_output_weights=1 add_qkv_bias=1 "
        "vision_model_type=internvit vision_num_layers=45 vision_spatial_merge_size=2 "
        "vision_projector_ffn_hidden_size=29568 vision_patches_per_micro_batch=7168 "
        "disable_vision_class_token=1 frozen=vision "
        "nodes=4 tensor_model_parallel_size=8 pipeline_model_parallel_size=4 "
        "seq_length=3200 micro_batch_size=1 global_batch_size=256"},
    // Layout: MM llama_3p1_nemotron_nano_vl_8b_v1/sft_llama_3p1_nemotron_nano_vl_8b_v1.sh on one node of
    // TP 4.
    ModelPreset{
        "llama-3.1-nemotron-nano-vl-8b", "Llama 3.1 Nemotron Nano VL 8B (C-RADIO-H)",
        "Megatron-LM examples/multimodal/config.py, llama3.1_8b and radio", 0.0, 0.0,
        "8B in its name, no count is published",
        "num_layers=32 hidden_size=4096 ffn_hidden_size=14336 num_attention_heads=32 num_query_groups=8 "
        "kv_channels=128 vocab_size=128256 swiglu=1 untie_embeddings_and_output_weights=1 "
        "vision_model_type=radio vision_num_layers=32 vision_spatial_merge_size=2 "
        "vision_projector_ffn_hidden_size=4096 vision_patches_per_micro_batch=13312 "
        "disable_vision_class_token=1 recompute_vision=1 "
        "tensor_model_parallel_size=4 sequence_parallel=1 "
        "seq_length=16384 micro_batch_size=1 global_batch_size=128 "
        "recompute_granularity=full recompute_method=block recompute_num_layers=32"},
    // Layout: MB qwen_vl/h100/qwen25_vl.py, qwen25_vl_7b_sft_2gpu_h100_bf16_config, on one node; an image of
    // 672 pixels a sample is ours.
    ModelPreset{
        "qwen2.5-vl-7b", "Qwen2.5-VL 7B", "Qwen/Qwen2.5-VL-7B-Instruct config.json", 8.29, 0.0,
        "Qwen/Qwen2.5-VL-7B-Instruct model page, count of the weights",
        "num_layers=28 hidden_size=3584 ffn_hidden_size=18944 num_attention_heads=28 num_query_groups=4 "
        "kv_channels=128 vocab_size=152064 swiglu=1 untie_embeddings_and_output_weights=1 add_qkv_bias=1 "
        "position_embedding_type=mrope "
        "vision_model_type=qwen2_5_vl vision_num_layers=32 vision_patches_per_micro_batch=4608 "
        "tensor_model_parallel_size=2 "
        "seq_length=4096 micro_batch_size=2 global_batch_size=32"},
    // Layout: MB qwen_vl/h100/qwen3_vl.py, qwen3_vl_8b_sft_2gpu_h100_bf16_config, likewise with 896 pixels.
    ModelPreset{
        "qwen3-vl-8b", "Qwen3-VL 8B", "Qwen/Qwen3-VL-8B-Instruct config.json", 8.77, 0.0,
        "Qwen/Qwen3-VL-8B-Instruct model page, count of the weights",
        "num_layers=36 hidden_size=4096 ffn_hidden_size=12288 num_attention_heads=32 num_query_groups=8 "
        "kv_channels=128 vocab_size=151936 swiglu=1 untie_embeddings_and_output_weights=1 qk_layernorm=1 "
        "position_embedding_type=mrope "
        "vision_model_type=qwen3_vl vision_num_layers=27 vision_patches_per_micro_batch=6272 "
        "tensor_model_parallel_size=2 "
        "seq_length=4096 micro_batch_size=2 global_batch_size=32"},
};

}  // namespace

std::span<const ModelPreset> model_presets() {
    return kModelPresets;
}

}  // namespace megamem

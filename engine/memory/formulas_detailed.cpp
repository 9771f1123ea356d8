// Formulas of the `detailed` method: what a layer saves for backward, for one layer and micro-batch. Symbols
// are those of explain_symbols.h; what follows a semicolon is words. Sources are files of Megatron-LM, or of
// TransformerEngine (TE, under transformer_engine/pytorch), each at its commit.
#include <array>

#include "memory/formulas.h"

namespace megamem {

namespace {

constexpr std::array kFormulas = {
    // Norms
    Formula{"detailed.act.norm_input", "element × Ts × h", "TE module/layernorm_linear.py:526-536@d0067d0d"},
    Formula{"detailed.act.norm_input_composite",
            "6 × Ts × h; PyTorch's own RMSNorm before torch 2.9 keeps an fp32 copy and the normalised one",
            "core/transformer/torch_norm.py:63@01eb7e87"},
    Formula{"detailed.act.norm_input_fp32", "4 × Ts × h; the fp32 residual stream itself",
            "core/transformer/transformer_layer.py:730, 890@d98e8a64"},
    Formula{"detailed.act.norm_output", "element × Ts × h; the input of the linear layer that follows",
            "TE module/layernorm_linear.py:526-536@d0067d0d"},
    Formula{"detailed.act.norm_output_fp8", "e_8 × Ts × h; the input of a linear layer is kept in FP8 or FP4",
            "TE module/layernorm_linear.py:526-536@d0067d0d"},
    Formula{"detailed.act.norm_output_fp8_twice",
            "2 × e_8 × Ts × h; both down projections keep their input in FP8 or FP4",
            "core/transformer/multi_latent_attention.py:693-777@d98e8a64; TE module/linear.py:433@v2.11"},
    Formula{"detailed.act.norm_stats", "4 × ns × Ts; fp32 factors of each token",
            "TE module/layernorm_linear.py:526-536@d0067d0d"},

    // Attention
    Formula{"detailed.act.qk_norm_inputs",
            "element × T × (n / TP + g_l) × d_q + 4 × ns × T × (n / TP + g_l); inputs of both norms, fp32 "
            "factors",
            "core/transformer/attention.py:1734-1751@d98e8a64"},
    Formula{"detailed.act.compressed_q", "e_c × Ts × q_lora; before and after its norm",
            "core/transformer/multi_latent_attention.py:508-630@d98e8a64"},
    Formula{"detailed.act.compressed_kv", "e_c × Ts × kv_lora; before and after its norm",
            "core/transformer/multi_latent_attention.py:508-630@d98e8a64"},
    Formula{"detailed.act.compressed_q_fp8",
            "e_c8 × Ts × q_lora; in FP8 or FP4 after its norm, and before it in bf16",
            "core/transformer/multi_latent_attention.py:508-630@d98e8a64"},
    Formula{"detailed.act.compressed_kv_fp8",
            "e_c8 × Ts × kv_lora; in FP8 or FP4 after its norm, and before it in bf16",
            "core/transformer/multi_latent_attention.py:508-630@d98e8a64"},
    Formula{"detailed.act.kv_combined", "element × Ts × (kv_lora + d_rope)",
            "core/transformer/multi_latent_attention.py:746-763@d98e8a64"},
    Formula{"detailed.act.gathered_k_position",
            "element × T × d_rope; an argument of the recomputed up projection, gathered over TP",
            "core/transformer/multi_latent_attention.py:763@d98e8a64"},
    Formula{"detailed.act.q", "element × T × n / TP × d_q",
            "TE attention/dot_product_attention/backends.py:1323-1332@v2.11"},
    Formula{"detailed.act.k", "element × T × g_l × d_q",
            "TE attention/dot_product_attention/backends.py:1323-1332@v2.11"},
    Formula{
        "detailed.act.k_expanded",
        "element × T × n / TP × d_q; unfused attention repeats grouped keys and values for each query head",
        "core/transformer/dot_product_attention.py:170-176@d98e8a64"},
    Formula{"detailed.act.v", "element × T × g_l × d_v",
            "TE attention/dot_product_attention/backends.py:1323-1332@v2.11"},
    Formula{"detailed.act.v_view",
            "element × T × (n / TP + 2 × g_l) × d_q; the value is a view that keeps the whole of q, k and v",
            "core/transformer/attention.py:415, 1507@01eb7e87"},
    Formula{"detailed.act.attention_output",
            "element × T × n / TP × d_v; also the input of the output projection",
            "core/transformer/attention.py:428-444@d98e8a64"},
    Formula{
        "detailed.act.attention_output_copy",
        "element × T × n / TP × d_v; FlashAttention is batch-first, so more than one sample is copied back",
        "TE attention/dot_product_attention/backends.py:720-731, 1062-1083@v2.11"},
    Formula{"detailed.act.attention_output_a2a",
            "element × T × n / TP × d_v; the output before the all-to-all, from TE 2.8",
            "TE attention/dot_product_attention/context_parallel.py:3564-3582@v2.11"},
    Formula{"detailed.act.kv_concatenation",
            "element × T × g_l × d_q; measured with FlashAttention and p2p for more than one sample, cause "
            "not found",
            "measured runs; TE attention/dot_product_attention/context_parallel.py:1499, 1967@v2.11"},
    Formula{"detailed.act.attention_output_steps",
            "element × T × n / TP × d_v; allgather keeps the output of each step as well",
            "TE attention/dot_product_attention/context_parallel.py:3010-3020@v2.11"},
    Formula{"detailed.act.attention_output_low",
            "e_8 × T × n / TP × d_v; the output projection's input in FP8 or FP4, before 2025-08-19 or with "
            "delayed scaling",
            "core/transformer/attention.py:428-444@d98e8a64"},
    Formula{"detailed.act.output_gate", "element × T × n / TP × d; the gate",
            "core/transformer/attention.py:1616-1640, 1943@d98e8a64"},
    Formula{"detailed.act.output_gate_view",
            "element × T × (2 × n / TP + 2 × g_l) × d; the gate is a view that keeps queries, keys and "
            "values too",
            "core/transformer/attention.py:1616-1640, 1943@d98e8a64"},
    Formula{"detailed.act.gated_output",
            "element × T × n / TP × d; the output projection's input, beside attention's own output",
            "core/transformer/attention.py:1616-1640@d98e8a64"},
    Formula{"detailed.act.log_sum_exp", "4 × T × n / TP",
            "TE attention/dot_product_attention/backends.py:1323-1332@v2.11"},
    Formula{"detailed.act.scores",
            "e_s × b × n / TP × s × s / CP; the softmax, with dropout also its mask and its output",
            "core/transformer/dot_product_attention.py:189@d98e8a64; fused_softmax.py"},
    Formula{"detailed.act.rotary_tables", "4 × element × s / CP × d_rot; cos and sin, for q and for k",
            "core/models/common/embeddings/rope_utils.py:122-125@01eb7e87"},
    Formula{"detailed.act.dropout_mask", "Ts × h; a byte an element",
            "core/fusions/fused_bias_dropout.py:47@d98e8a64"},

    // Dense MLP
    Formula{"detailed.act.fc1_output", "element × T × gm × f / TP",
            "core/fusions/fused_bias_swiglu.py:235@d98e8a64"},
    Formula{"detailed.act.fc2_input", "element × T × f / TP", "core/transformer/mlp.py:205-255@d98e8a64"},
    Formula{"detailed.act.fc2_input_fp8", "e_8 × T × f / TP; in FP8 or FP4", "TE module/linear.py:433@v2.11"},
    Formula{"detailed.act.activation",
            "element × T × f / TP; the factor of the gated product, without bias_swiglu_fusion",
            "core/transformer/mlp.py:205-255@d98e8a64"},

    // MoE
    Formula{"detailed.act.router",
            "Ts × E × (4 + 4 + 1 + e_p); fp32 logits and scores, the map of a byte, probabilities",
            "core/transformer/moe/router.py:90-111@d98e8a64"},
    Formula{"detailed.act.permutation", "4 × Ts × (2 × E + 1); the int32 map of the fused permutation",
            "TE permutation.py:447-451@d0067d0d"},
    Formula{"detailed.act.permutation_unfused", "8 × N; int64 indices",
            "core/transformer/moe/moe_utils.py:612@d98e8a64"},
    Formula{"detailed.act.permutation_hybrid_ep", "Ts × (4 × EP × ETP + 5 × E); HybridEP's handle",
            "DeepEP csrc/hybrid_ep/executor/executor.cu:95-127@94a9f8f"},
    Formula{"detailed.act.dispatched_tokens", "element × N × h_e; the experts' FC1 input",
            "TE module/grouped_linear.py:250@v2.11"},
    Formula{"detailed.act.dispatched_tokens_fp8", "e_8 × N × h_e; the experts' FC1 input in FP8 or FP4",
            "TE module/grouped_linear.py:250@v2.11"},
    Formula{"detailed.act.expert_fc1_output", "element × N × gm × f_e / ETP",
            "core/fusions/fused_bias_swiglu.py:270@d98e8a64"},
    Formula{"detailed.act.expert_fc2_input", "element × N × f_e / ETP",
            "TE module/grouped_linear.py:250@v2.11"},
    Formula{"detailed.act.expert_fc2_input_fp8", "e_8 × N × f_e / ETP; in FP8 or FP4",
            "TE module/grouped_linear.py:250@v2.11"},
    Formula{"detailed.act.probabilities", "e_p × N", "core/fusions/fused_bias_swiglu.py:270@d98e8a64"},
    Formula{"detailed.act.expert_activation",
            "element × N × f_e / ETP; without a fused SwiGLU, from 2025-04-09",
            "core/transformer/moe/experts.py:1015@d98e8a64"},
    Formula{"detailed.act.unpermute", "element × Ts × k × h_e; the un-permute's input",
            "core/transformer/moe/moe_utils.py:612@93ebf8d7"},
    Formula{"detailed.act.unpermute_gathered",
            "element × Ts × k × h_e × ETP; the un-permute's input with the allgather dispatcher, before "
            "2025-04-09",
            "core/transformer/moe/token_dispatcher.py:224@26596307^"},
    Formula{"detailed.act.unpermute_routed",
            "element × N × h_e; the input of the deterministic un-permute with the allgather dispatcher",
            "core/transformer/moe/moe_utils.py:612@93ebf8d7"},
    Formula{"detailed.act.shared_fc1_output", "element × T × gm × f_s / TP",
            "core/transformer/moe/shared_experts.py:127-145@d98e8a64"},
    Formula{"detailed.act.shared_fc2_input", "element × T × f_s / TP",
            "core/transformer/moe/shared_experts.py:127-145@d98e8a64"},
    Formula{"detailed.act.shared_fc2_input_fp8", "e_8 × T × f_s / TP; in FP8 or FP4",
            "core/transformer/moe/shared_experts.py:127-145@d98e8a64"},
    Formula{"detailed.act.shared_fc1_input", "e_8 × Ts × h; in FP8 or FP4, beside the router's input in bf16",
            "core/transformer/moe/shared_experts.py:127-145@d98e8a64"},
    Formula{"detailed.act.shared_gathered_input",
            "element × T × h; moe_shared_expert_overlap keeps the gathered input",
            "core/transformer/moe/shared_experts.py:127-145@d98e8a64"},

    Formula{"detailed.act.shared_activation",
            "element × T × f_s / TP; the factor of the gated product, without bias_swiglu_fusion",
            "core/transformer/moe/shared_experts.py:275-292@d98e8a64"},
    Formula{"detailed.act.shared_ungated_output",
            "element × Ts × h + element × Ts; the shared expert's output before its gate, and the gate",
            "core/transformer/moe/shared_experts.py:199-207@d98e8a64"},
    Formula{"detailed.act.latent_output",
            "element × Ts × h_e; the input of the projection back to the hidden size",
            "core/transformer/moe/moe_layer.py:588-590@d98e8a64"},
    Formula{"detailed.act.latent_output_fp8",
            "e_8 × Ts × h_e; the input of the projection back to the hidden size, in FP8 or FP4",
            "core/transformer/moe/moe_layer.py:588-590@d98e8a64"},
    Formula{"detailed.act.kept_for_balance",
            "kept; groups that would be offloaded, until rank × delta_offload_bytes_across_pp_ranks are kept",
            "core/pipeline_parallel/fine_grained_activation_offload.py:640-648@d98e8a64"},

    // Beside layers
    Formula{
        "detailed.act.mtp",
        "H / mtp + H × (5 + TP_s - 1); the states all depths start from, and of each depth: the embedding's "
        "output, the concatenation twice, the final norm's input, the gathered projection",
        "core/transformer/multi_token_prediction.py@01eb7e87; core/tensor_parallel/mappings.py:75"},
    Formula{"detailed.act.mtp_checkpointed", "H; the states that a depth starts from",
            "core/transformer/multi_token_prediction.py@01eb7e87"},
    Formula{"detailed.act.checkpoint",
            "H_r / TP_c; the input of each recomputed piece of layers; 2 × H of an MTP layer",
            "core/recompute.py:21-189@d98e8a64"},
};

}  // namespace

std::span<const Formula> detailed_activation_formulas() {
    return kFormulas;
}

}  // namespace megamem

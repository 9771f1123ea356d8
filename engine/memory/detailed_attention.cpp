// What attention keeps for backward, and the most that its backward pass holds beside it.
#include <algorithm>

#include "memory/detailed.h"

namespace megamem::detailed {

namespace {

struct Heads {
    Wide q, k, v, o;
};

// Multi-latent attention with fused rope: q in place, new k and v, all made contiguous
// (multi_latent_attention.py:693-777@d98e8a64).
Heads save_latent(const Context& c, LayerMemory& layer) {
    const Wide t = c.z.element * c.z.tokens * c.z.n_local;
    const Wide ts = c.z.local_tokens;
    const Wide qk = c.s.qk_head_dim + c.s.qk_pos_emb_head_dim;
    // The input of an up projection, in FP8 where that is on; and before it the input of its norm.
    const Wide compressed = (c.fp8() ? 1 : c.z.element) + (c.s.qk_layernorm ? c.z.element : 0);
    if (c.s.q_lora_rank) {
        layer.save("attention", "compressed_q", "detailed.act.compressed_q",
                   ts * *c.s.q_lora_rank * compressed);
    }
    layer.save("attention", "kv_combined", "detailed.act.kv_combined",
               c.z.element * ts * (c.s.kv_lora_rank + c.s.qk_pos_emb_head_dim));
    layer.save("attention", "compressed_kv", "detailed.act.compressed_kv",
               ts * c.s.kv_lora_rank * compressed);
    return {t * qk, t * qk, t * c.s.v_head_dim, t * c.s.v_head_dim};
}

Heads save_plain(const Context& c, LayerMemory& layer) {
    const Wide q = c.z.element * c.z.tokens * c.z.n_local * c.z.head;
    const Wide k = c.z.element * c.z.tokens * c.z.g_local * c.z.head;
    if (c.s.qk_layernorm) {
        layer.save("attention", "qk_norm_inputs", "detailed.act.qk_norm_inputs",
                   q + k + 4 * c.z.norm * c.z.tokens * (c.z.n_local + c.z.g_local));
    }
    return {q, k, k, q};
}

}  // namespace

Wide save_attention(const Context& c, LayerMemory& layer) {
    const Sizes& z = c.z;
    const Wide hidden = z.hidden_bytes();
    const Wide input_factor =
        c.fp8() && !c.s.multi_latent_attention ? 1 : z.element;  // bytes of the linear layer's input
    layer.save("norms", "attention_norm_input", "detailed.act.norm_input", hidden);
    layer.save("norms", "attention_norm_output", "detailed.act.norm_output",
               input_factor * z.local_tokens * z.h);
    layer.save("norms", "attention_norm_stats", "detailed.act.norm_stats", 4 * z.norm * z.local_tokens);

    const Heads heads = c.s.multi_latent_attention ? save_latent(c, layer) : save_plain(c, layer);
    layer.save("attention", "q", "detailed.act.q", heads.q);
    layer.save("attention", "k", "detailed.act.k", heads.k);
    layer.save("attention", "v", "detailed.act.v", heads.v);
    layer.save("attention", "attention_output", "detailed.act.attention_output", heads.o);

    if (c.attention == Attention::unfused) {
        // The softmax; dropout adds its mask of a byte and its output.
        const Wide scores = Wide{c.r.micro_batch} * z.n_local * c.r.sequence * c.r.sequence / z.cp;
        const Wide bytes = z.element + (c.s.attention_dropout.ten_thousandths > 0 ? 1 + z.element : 0);
        layer.save("attention", "scores", "detailed.act.scores", scores * bytes);
    } else {
        layer.save("attention", "log_sum_exp", "detailed.act.log_sum_exp", 4 * z.tokens * z.n_local);
    }
    // FlashAttention works on batch-first tensors: for more than one sample the output is copied back, and
    // both stay (TE attention/dot_product_attention/backends.py:720-731, 1062-1083).
    if (c.flash() && c.r.micro_batch > 1 && z.cp == 1) {
        layer.save("attention", "attention_output_copy", "detailed.act.attention_output_copy", heads.o);
    }
    if (c.a2a()) {
        // The output before the all-to-all stays beside the one after it, from TE 2.8
        // (context_parallel.py:3564-3582).
        if (c.software.transformer_engine >= Version{2, 8}) {
            layer.save("attention", "attention_output_a2a", "detailed.act.attention_output_a2a", heads.o);
        }
    } else if (z.cp > 1 && !c.s.multi_latent_attention) {
        // p2p saves one flat concatenation of k and v (context_parallel.py:1532, 1942-1954).
        layer.save("attention", "kv_concatenation", "detailed.act.kv_concatenation", 2 * heads.k);
    }
    if (c.s.hidden_dropout.ten_thousandths > 0) {
        layer.save("attention", "attention_dropout_mask", "detailed.act.dropout_mask", z.local_tokens * z.h);
    }

    const Wide qkv = heads.q + heads.k + heads.v;
    const Wide plain =
        hidden + 2 * heads.o + qkv;  // gradients of the residual, of the output twice, and of q, k, v
    return c.a2a() ? std::max(plain, hidden + 4 * qkv + 2 * heads.o) : plain;
}

}  // namespace megamem::detailed

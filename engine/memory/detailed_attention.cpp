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

bool has_attention_dropout(const Context& c) {
    return c.s.attention_dropout.ten_thousandths > 0;
}

Wide scores(const Context& c) {
    return Wide{c.r.micro_batch} * c.z.n_local * c.r.sequence * c.r.sequence / c.z.cp;
}

// fused_softmax.py, is_kernel_available; TE's copy takes longer sequences.
bool softmax_is_fused(const Context& c) {
    const std::int64_t longest = c.software.te ? 16384 : 4096;
    return c.s.masked_softmax_fusion && c.s.precision != Precision::fp32 && c.r.sequence > 16 &&
           c.r.sequence <= longest && c.r.sequence % 4 == 0 && c.r.micro_batch * c.z.n_local % 4 == 0;
}

}  // namespace

// The softmax; dropout adds its mask of a byte and its output. The local softmax in fp32 keeps 4 bytes and a
// copy.
Wide score_bytes(const Context& c) {
    const bool fp32 = !c.software.te && !softmax_is_fused(c) && c.s.apply_query_key_layer_scaling;
    if (fp32) return 4 + (has_attention_dropout(c) ? 3 : 2);
    return c.z.element + (has_attention_dropout(c) ? 1 + c.z.element : 0);
}

namespace {

// What of q, k and v stays: unfused attention expands grouped keys and values for its products
// (dot_product_attention.py:170@d98e8a64); the local one's v is a view that keeps the whole of q, k and v.
Heads kept_heads(const Context& c, Heads heads) {
    if (c.attention != Attention::unfused || c.s.multi_latent_attention) return heads;
    if (c.grouped_query()) {
        heads.k = heads.v = heads.q;
    } else if (!c.software.te && c.rope()) {
        heads.v = heads.q + heads.k + heads.v;
    }
    return heads;
}

// What p2p keeps beside q, k and v was measured for plain attention without rotary embedding and more than
// one sample only; elsewhere it is taken to keep nothing more.
bool p2p_keeps_copy(const Context& c) {
    return c.z.cp > 1 && c.s.cp_comm_type == CpCommType::p2p && !c.s.multi_latent_attention &&
           c.r.micro_batch > 1 && !c.grouped_query() && !c.rope();
}

}  // namespace

void save_attention(const Context& c, LayerMemory& layer, Transients& transients) {
    layer.half = Half::attention;
    const Sizes& z = c.z;
    const Wide hidden = z.hidden_bytes();
    const Wide input_factor =
        c.fp8() && !c.s.multi_latent_attention ? 1 : z.element;  // bytes of the linear layer's input
    layer.save("norms", "attention_norm_input", norm_input_formula(c), norm_input_bytes(c));
    layer.save("norms", "attention_norm_output", norm_output_formula(input_factor == 1),
               input_factor * z.local_tokens * z.h);
    layer.save("norms", "attention_norm_stats", "detailed.act.norm_stats", 4 * z.norm * z.local_tokens);

    const Heads heads = c.s.multi_latent_attention ? save_latent(c, layer) : save_plain(c, layer);
    const Heads kept = kept_heads(c, heads);
    layer.save("attention", "q", "detailed.act.q", kept.q);
    layer.save("attention", "k", kept.k > heads.k ? "detailed.act.k_expanded" : "detailed.act.k", kept.k);
    layer.save("attention", "v",
               kept.v == heads.v  ? "detailed.act.v"
               : kept.v == kept.q ? "detailed.act.k_expanded"
                                  : "detailed.act.v_view",
               kept.v);
    layer.save("attention", "attention_output", "detailed.act.attention_output", heads.o);

    if (c.attention == Attention::unfused) {
        layer.save("attention", "scores", "detailed.act.scores", scores(c) * score_bytes(c));
        const Wide dropout = has_attention_dropout(c) ? z.element : 0;
        // The softmax's gradient is written in place by the fused kernel; the products outlive the softmax.
        transients.attention_backward += scores(c) * ((softmax_is_fused(c) ? 1 : 2) * z.element + dropout);
        transients.attention_forward = scores(c) * z.element * (c.software.te ? 2 : 1);
    } else {
        layer.save("attention", "log_sum_exp", "detailed.act.log_sum_exp", 4 * z.tokens * z.n_local);
    }
    if (c.rope() && (!c.s.apply_rope_fusion || c.s.rotary_interleaved)) {
        // Unfused rotary embedding saves cos and sin for q and for k (rope_utils.py:122-125@01eb7e87).
        layer.save("attention", "rotary_tables", "detailed.act.rotary_tables",
                   4 * z.element * (c.r.sequence / z.cp) * rotary_width(c));
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
    } else if (p2p_keeps_copy(c)) {
        // p2p saves one flat concatenation of k and v (context_parallel.py:1532, 1942-1954).
        layer.save("attention", "kv_concatenation", "detailed.act.kv_concatenation", 2 * heads.k);
    }
    if (c.s.hidden_dropout.ten_thousandths > 0) {
        layer.save("attention", "attention_dropout_mask", "detailed.act.dropout_mask", z.local_tokens * z.h);
    }

    const Wide qkv = heads.q + heads.k + heads.v;
    const Wide plain =
        hidden + 2 * heads.o + qkv;  // gradients of the residual, of the output twice, and of q, k, v
    transients.attention_backward += c.a2a() ? std::max(plain, hidden + 4 * qkv + 2 * heads.o) : plain;
}

Wide rotary_width(const Context& c) {
    if (c.s.multi_latent_attention) return c.s.qk_pos_emb_head_dim;
    return c.z.head * c.s.rotary_percent.ten_thousandths / Decimal4::kOne;
}

}  // namespace megamem::detailed

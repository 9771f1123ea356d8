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
    // The input of an up projection, in FP8 or FP4 where that is on; and before it the input of its norm.
    const auto compressed = [&](Wide elements) {
        return (c.low_precision() ? low_bytes(c, elements) : c.z.element * elements) +
               (c.s.qk_layernorm ? c.z.element * elements : 0);
    };
    if (c.s.q_lora_rank) {
        layer.save("attention", "compressed_q",
                   c.low_precision() ? "detailed.act.compressed_q_fp8" : "detailed.act.compressed_q",
                   compressed(ts * *c.s.q_lora_rank));
    }
    layer.save("attention", "kv_combined", "detailed.act.kv_combined",
               c.z.element * ts * (c.s.kv_lora_rank + c.s.qk_pos_emb_head_dim));
    layer.save("attention", "compressed_kv",
               c.low_precision() ? "detailed.act.compressed_kv_fp8" : "detailed.act.compressed_kv",
               compressed(ts * c.s.kv_lora_rank));
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

// p2p keeps the keys and values as one new tensor in place of k and v (TE context_parallel.py:1499,
// 1532-1541@v2.11), so nothing more. Measured runs with FlashAttention, plain attention without rotary
// embedding and more than one sample keep one k more, which the source doesn't explain.
bool p2p_keeps_more(const Context& c) {
    return c.p2p() && c.flash() && !c.s.multi_latent_attention && c.r.micro_batch > 1 && !c.grouped_query() &&
           !c.rope();
}

// What a backward pass through context parallelism holds beside the saved tensors and the output's gradient.
Wide context_parallel_backward(const Context& c, const Heads& heads) {
    const Wide qkv = heads.q + heads.k + heads.v;
    const Wide kv = heads.k + heads.v;
    if (c.a2a()) return 4 * qkv;
    // p2p: a buffer for the queries' gradient, two of keys, values and their gradients each, and a step's
    // gradients (context_parallel.py:2194-2199, 2330-2420); between groups the output and its gradient anew.
    if (c.p2p()) {
        const Wide again = c.s.cp_comm_type == CpCommType::a2a_p2p ? 2 * heads.o : 0;
        return heads.q + 4 * kv + qkv + again;
    }
    // allgather: all keys, values and their gradients, a step's gradients of at most as many and half a
    // share, queries, their gradient and a step's (:3065-3235); FlashAttention copies keys and values anew.
    const Wide steps = kv * (2 * c.z.cp + 1) / 2;
    return 3 * heads.q + 2 * c.z.cp * kv + steps + (c.flash() ? c.z.cp * kv : 0);
}

// attention.py:1616-1640@d98e8a64: the gate stays, and the gated output beside attention's own. The gate of
// plain attention is a view that keeps the projection's whole output.
void save_output_gate(const Context& c, const Heads& heads, LayerMemory& layer) {
    const bool view = !c.grouped_query();
    layer.save("attention", "output_gate",
               view ? "detailed.act.output_gate_view" : "detailed.act.output_gate",
               view ? 2 * heads.q + heads.k + heads.v : heads.q);
    layer.save("attention", "gated_output", "detailed.act.gated_output", heads.o);
}

constexpr Date kSavesOriginal = {2025, 8, 19};  // 781e765818

// The output projection's input in FP8 or FP4 beside the output itself, where the projection isn't told to
// keep the latter (attention.py:428-444@d98e8a64).
bool keeps_low_output(const Context& c) {
    return c.low_precision() && !saves_original_input(c);
}

}  // namespace

bool saves_original_input(const Context& c) {
    const Version since = c.fp4() ? Version{2, 7} : Version{2, 6};
    const bool delayed = c.fp8() && c.s.fp8_recipe == Fp8Recipe::delayed;
    return !delayed && c.software.transformer_engine >= since && c.software.megatron >= kSavesOriginal;
}

void save_attention(const Context& c, LayerMemory& layer, Transients& transients) {
    layer.half = Half::attention;
    const Sizes& z = c.z;
    const Wide hidden = z.hidden_bytes();
    layer.save("norms", "attention_norm_input", norm_input_formula(c), norm_input_bytes(c));
    const Wide low_output = low_bytes(c, z.local_tokens * z.h);
    if (!c.low_precision()) {
        layer.save("norms", "attention_norm_output", norm_output_formula(false), hidden);
    } else if (!c.s.multi_latent_attention) {
        layer.save("norms", "attention_norm_output", norm_output_formula(true), low_output);
    } else if (low_byte_share(c) == kByteUnit) {
        // The down projections of queries and of keys and values keep a copy each: two bytes in all. A run in
        // fp32 with FP8 was measured to keep four.
        layer.save("norms", "attention_norm_output", norm_output_formula(false), hidden);
    } else {
        layer.save("norms", "attention_norm_output", "detailed.act.norm_output_fp8_twice", 2 * low_output);
    }
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
        transients.attention_forward = scores(c) * z.element;
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
    if (c.flash() && c.r.micro_batch > 1 && !c.a2a()) {
        layer.save("attention", "attention_output_copy", "detailed.act.attention_output_copy", heads.o);
    }
    if (c.a2a()) {
        // The output before the all-to-all stays beside the one after it, from TE 2.8
        // (context_parallel.py:3564-3582).
        if (c.software.transformer_engine >= Version{2, 8}) {
            layer.save("attention", "attention_output_a2a", "detailed.act.attention_output_a2a", heads.o);
        }
    } else if (p2p_keeps_more(c)) {
        layer.save("attention", "kv_concatenation", "detailed.act.kv_concatenation", heads.k);
    } else if (c.gathers_keys()) {
        // allgather keeps the output of both steps beside the one put together (context_parallel.py:3010).
        layer.save("attention", "attention_output_steps", "detailed.act.attention_output_steps", heads.o);
        const Wide kv = heads.k + heads.v;
        transients.attention_forward =
            std::max(transients.attention_forward, z.cp * (kv + heads.k) + (c.flash() ? z.cp * kv : 0));
    }
    if (c.s.attention_output_gate && !c.s.multi_latent_attention) save_output_gate(c, heads, layer);
    if (keeps_low_output(c)) {
        layer.save("attention", "attention_output_low", "detailed.act.attention_output_low",
                   low_bytes(c, heads.o / z.element));
    }
    if (c.s.hidden_dropout.ten_thousandths > 0) {
        layer.save("attention", "attention_dropout_mask", "detailed.act.dropout_mask", z.local_tokens * z.h);
    }

    const Wide qkv = heads.q + heads.k + heads.v;
    const Wide gate = layer.bytes_of("gated_output") > 0 ? 2 * heads.o : 0;  // gradients of gate and output
    // Gradients of the residual, of the output twice, and of q, k, v.
    const Wide plain = stream_bytes(c) + 2 * heads.o + qkv + gate;
    const Wide exchange =
        stream_bytes(c) + 2 * heads.o + (z.cp > 1 ? context_parallel_backward(c, heads) : 0);
    transients.attention_backward += std::max(plain, exchange);
}

Wide rotary_width(const Context& c) {
    if (c.s.multi_latent_attention) return c.s.qk_pos_emb_head_dim;
    return c.z.head * c.s.rotary_percent.ten_thousandths / Decimal4::kOne;
}

}  // namespace megamem::detailed

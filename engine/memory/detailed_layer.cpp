// One layer: what it saves, and what selective recompute takes off that list (sources @01eb7e87 of
// 2026-04-16). "Discard" modules free an output and rebuild it from kept inputs
// (core/tensor_parallel/random.py:~590, CheckpointWithoutOutput), "checkpoint" ones keep their inputs only
// (:~480).
#include <algorithm>

#include "memory/detailed.h"

namespace megamem::detailed {

namespace {

constexpr Date kSharedStorage = {2026, 3,
                                 11};  // f54403492e: what is rebuilt shares the storage of what was freed
constexpr Date kFusedTorchNorm = {2025, 10, 1};  // torch 2.9

class Selective {
  public:
    Selective(const Context& c, bool moe, LayerMemory& layer) : c_(c), moe_(moe), layer_(layer) {
        copies_ = c.software.megatron >= kSharedStorage ? 1 : 2;
    }

    void apply(Transients& transients) {
        if (c_.recomputes("layernorm")) layernorm();
        if (c_.recomputes("mla_up_proj") && c_.s.multi_latent_attention) mla_up_projection();
        if (c_.recomputes("core_attn")) core_attention();
        if (c_.recomputes("mlp") && !moe_) keep_only({"mlp_norm_input", "mlp_dropout_mask"}, !c_.software.te);
        if (c_.recomputes("moe") && moe_) {
            keep_only({"mlp_norm_input", "mlp_dropout_mask"}, true);
            transients.block_backward = std::max(transients.block_backward, transients.moe_forward);
            transients.moe_forward += c_.z.element * c_.z.routed * c_.z.expert_h;
        } else if (moe_) {
            if (c_.recomputes("moe_act")) moe_activation();
            if (c_.recomputes("shared_experts") && !c_.s.moe_shared_expert_overlap) shared_experts();
        }
    }

    Wide attention_discarded =
        0;                       // bytes that core attention's forward pass holds and the layer doesn't save
    Wide attention_rebuilt = 0;  // bytes made again while the attention half runs backward
    Wide block_rebuilt = 0;

  private:
    // Only where the norm is a module of its own: MLA's and the local input norm, MoE's and the local pre-MLP
    // norm.
    void layernorm() {
        if (c_.s.multi_latent_attention || !c_.software.te) {
            attention_rebuilt += layer_.drop("attention_norm_output") * copies_;
            layer_.drop("attention_norm_stats");
        }
        if (moe_ || !c_.software.te) {
            block_rebuilt += layer_.drop("mlp_norm_output") * copies_;
            layer_.drop("mlp_norm_stats");
        }
    }

    void mla_up_projection() {
        for (const std::string_view term : {"q", "k", "v"}) {
            const Wide bytes = layer_.drop(term);
            attention_rebuilt += bytes * copies_;
            attention_discarded += bytes;
        }
        // Norms of the compressed tensors are fused into the up projections: only the un-normed ones stay.
        if (c_.s.qk_layernorm) {
            const Wide ts = c_.z.element * c_.z.local_tokens;
            if (c_.s.q_lora_rank) shrink("compressed_q", ts * *c_.s.q_lora_rank);
            shrink("compressed_kv", ts * c_.s.kv_lora_rank);
        }
        if (c_.z.sp) {  // the gathered rotary part of k becomes an argument of the checkpoint
            layer_.replace({"attention", "gathered_k_position", "detailed.act.gathered_k_position",
                            c_.z.element * c_.z.tokens * c_.s.qk_pos_emb_head_dim, Half::attention});
        }
    }

    void shrink(std::string_view term, Wide to) {
        const Wide before = layer_.bytes_of(term);
        if (before <= to) return;
        attention_rebuilt += before - to;
        layer_.replace({"attention", term,
                        term == "compressed_q" ? "detailed.act.compressed_q" : "detailed.act.compressed_kv",
                        to, Half::attention});
    }

    // attention.py:415, 1507: the saved `value` is a view and keeps the whole of q, k and v.
    void core_attention() {
        attention_discarded += layer_.bytes_of("scores");
        for (const std::string_view term :
             {"log_sum_exp", "scores", "attention_output_copy", "attention_output_a2a",
              "attention_output_steps", "kv_concatenation"}) {
            attention_rebuilt += layer_.drop(term);
        }
        attention_rebuilt += layer_.bytes_of("attention_output");
        if (c_.s.multi_latent_attention) return;
        const Wide q = c_.z.element * c_.z.tokens * c_.z.n_local * c_.z.head;
        const Wide k = c_.z.element * c_.z.tokens * c_.z.g_local * c_.z.head;
        const bool own_k = c_.rope() || c_.s.qk_layernorm;
        const bool own_q = own_k || c_.grouped_query();
        const Wide before = layer_.bytes_of("q") + layer_.bytes_of("k") + layer_.bytes_of("v");
        attention_rebuilt += std::max<Wide>(before - (2 * q + 3 * k), 0);
        if (c_.attention != Attention::unfused) attention_rebuilt += k;
        layer_.replace({"attention", "q", "detailed.act.q", own_q ? q : 0, Half::attention});
        layer_.replace({"attention", "k", "detailed.act.k", own_k ? k : 0, Half::attention});
        layer_.replace({"attention", "v", "detailed.act.v_view", q + 2 * k, Half::attention});
    }

    void keep_only(std::initializer_list<std::string_view> kept, bool norm_output) {
        const auto stays = [&](const Saved& saved) {
            if (saved.half == Half::attention) return true;
            const bool norm = saved.term == "mlp_norm_output" || saved.term == "mlp_norm_stats";
            return (norm && norm_output) || std::find(kept.begin(), kept.end(), saved.term) != kept.end();
        };
        const Wide before = layer_.total;
        std::erase_if(layer_.saved, [&](const Saved& saved) { return !stays(saved); });
        layer_.total = 0;
        for (const Saved& saved : layer_.saved)
            layer_.total += saved.bytes;
        block_rebuilt += before - layer_.total + c_.z.hidden_bytes();
    }

    // experts.py:269-276, 1019-1030: the activation's output, FC2's input.
    void moe_activation() {
        block_rebuilt += c_.z.element * c_.z.routed * (c_.z.moe_ffn / c_.z.etp) * copies_;
        layer_.drop("expert_fc2_input");
        block_rebuilt += layer_.drop("expert_activation");
    }

    void shared_experts() {
        if (c_.z.shared == 0) return;
        for (const std::string_view term : {"shared_fc1_output", "shared_fc2_input", "shared_activation",
                                            "shared_fc1_input", "shared_ungated_output"}) {
            block_rebuilt += layer_.drop(term);
        }
        block_rebuilt += c_.z.hidden_bytes();
    }

    const Context& c_;
    bool moe_;
    LayerMemory& layer_;
    Wide copies_ = 1;
};

}  // namespace

void LayerMemory::save(std::string_view module, std::string_view term, std::string_view formula, Wide bytes) {
    if (bytes == 0) return;
    saved.push_back({module, term, formula, bytes, half});
    total += bytes;
}

Wide LayerMemory::bytes_of(std::string_view term) const {
    const auto found =
        std::find_if(saved.begin(), saved.end(), [&](const Saved& s) { return s.term == term; });
    return found == saved.end() ? 0 : found->bytes;
}

Wide LayerMemory::half_total(Half of) const {
    Wide sum = 0;
    for (const Saved& s : saved)
        sum += s.half == of ? s.bytes : 0;
    return sum;
}

Wide LayerMemory::drop(std::string_view term) {
    const auto found =
        std::find_if(saved.begin(), saved.end(), [&](const Saved& s) { return s.term == term; });
    if (found == saved.end()) return 0;
    const Wide bytes = found->bytes;
    saved.erase(found);
    total -= bytes;
    return bytes;
}

Wide LayerMemory::replace(const Saved& tensor) {
    const Wide before = drop(tensor.term);
    if (tensor.bytes > 0) {
        saved.push_back(tensor);
        total += tensor.bytes;
    }
    return before;
}

namespace {

bool composite_norm(const Context& c) {
    return !c.software.te && c.z.norm == 1 && c.software.megatron < kFusedTorchNorm;
}

}  // namespace

// fp32_residual_connection: TransformerEngine's norms keep a copy in the parameters' type of the fp32 stream
// (TE ops/basic/rmsnorm.py:170-200, module/layernorm_linear.py:166@v2.11), PyTorch's the stream itself.
Wide norm_input_bytes(const Context& c) {
    if (composite_norm(c)) return 6 * c.z.local_tokens * c.z.h;
    return c.software.te ? c.z.hidden_bytes() : stream_bytes(c);
}

std::string_view norm_input_formula(const Context& c) {
    if (composite_norm(c)) return "detailed.act.norm_input_composite";
    return norm_input_bytes(c) == c.z.hidden_bytes() ? "detailed.act.norm_input"
                                                     : "detailed.act.norm_input_fp32";
}

// transformer_layer.py:730, 890@d98e8a64: the residual is fp32; transformer_config.py:1420: what stages send
// too.
Wide stream_bytes(const Context& c) {
    return c.s.fp32_residual_connection ? 4 * c.z.local_tokens * c.z.h : c.z.hidden_bytes();
}

bool stays_in_bf16(const Context& c, std::int64_t layer) {
    // fp8_utils.py:711-727, fp4_utils.py:249-262@d98e8a64
    return c.s.first_last_layers_bf16 &&
           (layer < c.s.num_layers_at_start_in_bf16 || layer >= c.r.layers - c.s.num_layers_at_end_in_bf16);
}

std::size_t kind_of(const Context& c, std::int64_t layer) {
    const std::size_t moe = c.moe[static_cast<std::size_t>(layer)] ? 1 : 0;
    return moe + (c.low_precision() && stays_in_bf16(c, layer) ? 2 : 0);
}

// FP8 as the rest, but never FP4 (multi_token_prediction.py:1385-1394@d98e8a64).
std::size_t mtp_kind(const Context& c) {
    return (c.last_is_moe ? 1 : 0) + (c.fp4() ? 2 : 0);
}

Layers layers_of_every_kind(const Context& c) {
    Layers layers;
    const auto fill = [&](const Context& context, std::size_t from) {
        layers[from] = layer_memory(context, false);
        if (c.s.num_experts > 0) layers[from + 1] = layer_memory(context, true);
    };
    fill(c, 0);
    if (!c.low_precision() || !(c.s.first_last_layers_bf16 || c.fp4())) return layers;
    Scenario high = c.s;
    high.fp8_format = Fp8Format::none;
    high.fp4_format = Fp4Format::none;
    const Context context{.s = high,
                          .r = c.r,
                          .pipeline = c.pipeline,
                          .moe = c.moe,
                          .z = sizes_of(high, c.r),
                          .software = c.software,
                          .attention = c.attention,
                          .dispatcher = c.dispatcher,
                          .last_is_moe = c.last_is_moe,
                          .inventory = {}};
    fill(context, 2);
    return layers;
}

std::string_view norm_output_formula(bool quantized) {
    return quantized ? "detailed.act.norm_output_fp8" : "detailed.act.norm_output";
}

Transients save_layer(const Context& c, bool moe, LayerMemory& layer) {
    Transients transients;
    save_attention(c, layer, transients);
    if (moe) {
        save_mixture(c, layer, transients);
    } else {
        save_mlp(c, layer, transients);
    }
    return transients;
}

LayerMemory layer_memory(const Context& c, bool moe) {
    LayerMemory layer;
    constexpr std::size_t kSavedTensors = 40;  // about: of MLA and a mixture of experts
    layer.saved.reserve(kSavedTensors);
    Transients transients = save_layer(c, moe, layer);
    layer.raw = layer.total;
    // When attention's backward runs, the block's tensors are freed already; when its forward runs, they
    // aren't made.
    const Wide raw_block = layer.half_total(Half::block);
    layer.raw_backward = std::max({transients.block_backward, transients.attention_backward - raw_block,
                                   transients.attention_forward - raw_block});
    Selective selective(c, moe, layer);
    selective.apply(transients);
    const Wide block = layer.half_total(Half::block);
    layer.backward = std::max(transients.block_backward + selective.block_rebuilt,
                              transients.attention_backward + selective.attention_rebuilt - block);
    if (c.recomputes("core_attn")) {
        layer.backward = std::max(layer.backward, c.z.hidden_bytes() + selective.attention_rebuilt +
                                                      transients.attention_forward - block);
    }
    if (transients.attention_forward > 0)
        layer.attention_forward = transients.attention_forward + selective.attention_discarded - block;
    layer.moe_forward = transients.moe_forward;
    return layer;
}

}  // namespace megamem::detailed

#include "model/inventory.h"

#include <array>

namespace megamem {

namespace {

std::int64_t whole(Wide value) {
    return narrow(value);
}

constexpr std::array<std::string_view, 2> kQueryNorm = {"self_attention.q_layernorm.weight",
                                                        "self_attention.q_layernorm.bias"};

class Layer {
  public:
    Layer(const Scenario& scenario, const Sizes& sizes) : s_(scenario), z_(sizes) {
        constexpr std::size_t kTensorsOfALayer = 24;  // about
        tensors.reserve(kTensorsOfALayer);
    }

    // gpt_layer_specs.py:244-347@d98e8a64: norms are fused into the linear layer or stand alone; same count.
    void norms() {
        norm("norms", {"input_layernorm.weight", "input_layernorm.bias"}, z_.h);
        norm("norms", {"pre_mlp_layernorm.weight", "pre_mlp_layernorm.bias"}, z_.h);
    }

    // attention.py:1689-1751@d98e8a64
    void attention() {
        if (s_.multi_latent_attention) return latent_attention();
        const Wide query = z_.heads * z_.head;
        const Wide out = query * (s_.attention_output_gate ? 2 : 1) + 2 * z_.groups * z_.head;
        linear("attention", "self_attention.linear_qkv.weight", out / z_.tp, z_.h, Sharding::column);
        if (s_.add_bias_linear || s_.add_qkv_bias) {
            vector("attention", "self_attention.linear_qkv.bias", out / z_.tp, Sharding::column);
        }
        if (s_.qk_layernorm) {
            norm("attention", kQueryNorm, z_.head);
            norm("attention", {"self_attention.k_layernorm.weight", "self_attention.k_layernorm.bias"},
                 z_.head);
        }
        linear("attention", "self_attention.linear_proj.weight", z_.h, query / z_.tp, Sharding::row);
        projection_bias();
    }

    // mlp.py:205-255@d98e8a64
    void mlp() {
        linear("mlp", "mlp.linear_fc1.weight", z_.ffn * z_.gate / z_.tp, z_.h, Sharding::column);
        linear("mlp", "mlp.linear_fc2.weight", z_.h, z_.ffn / z_.tp, Sharding::row);
        if (!s_.add_bias_linear) return;
        vector("mlp", "mlp.linear_fc1.bias", z_.ffn * z_.gate / z_.tp, Sharding::column);
        vector("mlp", "mlp.linear_fc2.bias", z_.h);
    }

    void mixture() {
        router();
        if (s_.moe_latent_size) {  // moe_layer.py:266-304@d98e8a64
            linear("latent", "mlp.fc1_latent_proj.weight", z_.expert_h, z_.h, Sharding::replicated);
            linear("latent", "mlp.fc2_latent_proj.weight", z_.h, z_.expert_h, Sharding::replicated);
        }
        if (z_.shared > 0) shared_expert();
        experts();
    }

    // multi_token_prediction.py:1157-1251@d98e8a64
    void mtp() {
        norm("mtp", {"enorm.weight", "enorm.bias"}, z_.h);
        norm("mtp", {"hnorm.weight", "hnorm.bias"}, z_.h);
        linear("mtp", "eh_proj.weight", z_.h / z_.tp, 2 * z_.h, Sharding::column);
        norm("mtp", {"final_layernorm.weight", "final_layernorm.bias"}, z_.h);
    }

    Tensors tensors;

  private:
    // multi_latent_attention.py:508-630@d98e8a64. TransformerEngine's down projections are whole on every TP
    // rank.
    void latent_attention() {
        const Wide query = z_.heads * (s_.qk_head_dim + s_.qk_pos_emb_head_dim) / z_.tp;
        if (s_.q_lora_rank) {
            const Wide rank = *s_.q_lora_rank;
            linear("attention", "self_attention.linear_q_down_proj.weight", rank, z_.h, Sharding::replicated);
            linear("attention", "self_attention.linear_q_up_proj.weight", query, rank, Sharding::column);
            if (s_.qk_layernorm) norm("attention", kQueryNorm, rank);
        } else {
            linear("attention", "self_attention.linear_q_proj.weight", query, z_.h, Sharding::column);
        }
        linear("attention", "self_attention.linear_kv_down_proj.weight",
               s_.kv_lora_rank + s_.qk_pos_emb_head_dim, z_.h, Sharding::replicated);
        linear("attention", "self_attention.linear_kv_up_proj.weight",
               z_.heads * (s_.qk_head_dim + s_.v_head_dim) / z_.tp, s_.kv_lora_rank, Sharding::column);
        if (s_.qk_layernorm)
            norm("attention", {"self_attention.kv_layernorm.weight", "self_attention.kv_layernorm.bias"},
                 s_.kv_lora_rank);
        linear("attention", "self_attention.linear_proj.weight", z_.h, z_.heads * s_.v_head_dim / z_.tp,
               Sharding::row);
        projection_bias();
    }

    void projection_bias() {
        if (s_.add_bias_linear) vector("attention", "self_attention.linear_proj.bias", z_.h);
    }

    // router.py:64-88, 181-198@d98e8a64
    void router() {
        matrix("router", "mlp.router.weight", s_.num_experts, z_.h);
        if (s_.add_bias_linear) vector("router", "mlp.router.bias", s_.num_experts);
        if (!s_.moe_router_enable_expert_bias) return;
        buffer("router", "mlp.router.expert_bias", s_.num_experts);
        buffer("router", "mlp.router.local_tokens_per_expert", s_.num_experts);
    }

    // shared_experts.py:127-145@d98e8a64: no biases
    void shared_expert() {
        linear("shared_expert", "mlp.shared_experts.linear_fc1.weight", z_.shared * z_.gate / z_.tp, z_.h,
               Sharding::column);
        linear("shared_expert", "mlp.shared_experts.linear_fc2.weight", z_.h, z_.shared / z_.tp,
               Sharding::row);
        if (s_.moe_shared_expert_gate) matrix("shared_expert", "mlp.shared_experts.gate_weight", 1, z_.h);
    }

    // experts.py:213-252@d98e8a64
    void experts() {
        const Wide ffn = z_.moe_ffn / z_.etp;
        expert("mlp.experts.linear_fc1.weight", ffn * z_.gate, z_.expert_h);
        expert("mlp.experts.linear_fc2.weight", z_.expert_h, ffn);
        if (!s_.add_bias_linear) return;
        expert("mlp.experts.linear_fc1.bias", ffn * z_.gate, 0);
        expert("mlp.experts.linear_fc2.bias", z_.expert_h, 0);
    }

    void linear(std::string_view module, std::string_view name, Wide rows, Wide cols, Sharding sharding) {
        tensors.push_back(
            {module, name, whole(rows), whole(cols), 1, sharding, Buffer::dense, Holder::te_linear});
    }
    // RMSNorm has a weight, LayerNorm a bias too.
    void norm(std::string_view module, const std::array<std::string_view, 2>& names, Wide width) {
        vector(module, names[0], width);
        if (z_.norm > 1) vector(module, names[1], width);
    }
    void matrix(std::string_view module, std::string_view name, Wide rows, Wide cols) {
        tensors.push_back({module, name, whole(rows), whole(cols)});
    }
    void vector(std::string_view module, std::string_view name, Wide rows,
                Sharding sharding = Sharding::replicated) {
        tensors.push_back({module, name, whole(rows), 0, 1, sharding});
    }
    void buffer(std::string_view module, std::string_view name, Wide rows) {
        tensors.push_back({module, name, whole(rows), 0, 1, Sharding::replicated, Buffer::none});
    }
    void expert(std::string_view name, Wide rows, Wide cols) {
        // transformer_engine.py:1235-1240@d98e8a64: experts that aren't spread otherwise than the rest share
        // its buffer.
        const Buffer where = z_.separate_experts ? Buffer::expert : Buffer::dense;
        const Holder holder = cols == 0             ? Holder::other
                              : s_.moe_grouped_gemm ? Holder::te_grouped
                                                    : Holder::te_linear;
        tensors.push_back(
            {"experts", name, whole(rows), whole(cols), z_.experts_local, Sharding::expert, where, holder});
    }

    const Scenario& s_;
    const Sizes& z_;
};

}  // namespace

std::string_view name_of(Sharding sharding) {
    switch (sharding) {
        case Sharding::column:
            return "column";
        case Sharding::row:
            return "row";
        case Sharding::replicated:
            return "replicated";
        case Sharding::vocabulary:
            return "vocabulary";
        case Sharding::expert:
            return "expert";
    }
    return "";
}

Tensors decoder_layer(const Scenario& scenario, const Sizes& sizes, bool moe) {
    Layer layer(scenario, sizes);
    layer.norms();
    layer.attention();
    if (moe) {
        layer.mixture();
    } else {
        layer.mlp();
    }
    return std::move(layer.tensors);
}

Tensors mtp_layer(const Scenario& scenario, const Sizes& sizes, bool moe) {
    Layer projection(scenario, sizes);
    projection.mtp();
    Tensors tensors = std::move(projection.tensors);
    const Tensors layer = decoder_layer(scenario, sizes, moe);
    tensors.insert(tensors.end(), layer.begin(), layer.end());
    return tensors;
}

// language_model_embedding.py:70-73@d98e8a64: learned positions are whole on every TP rank.
Tensors embedding(const Scenario& s, const Resolved& r, const Sizes& z) {
    Tensors tensors = {{"embedding", "embedding.word_embeddings.weight", whole(z.vocab_local), whole(z.h), 1,
                        Sharding::vocabulary}};
    if (s.position_embedding_type == PositionEmbedding::learned_absolute) {
        tensors.push_back({"embedding", "embedding.position_embeddings.weight",
                           s.max_position_embeddings.value_or(r.sequence), whole(z.h)});
    }
    return tensors;
}

Tensors final_norm(const Sizes& z) {
    Tensors tensors = {{"norms", "decoder.final_layernorm.weight", whole(z.h)}};
    if (z.norm > 1) tensors.push_back({"norms", "decoder.final_layernorm.bias", whole(z.h)});
    return tensors;
}

Tensors output_layer(const Sizes& z) {
    return {{"output_layer", "output_layer.weight", whole(z.vocab_local), whole(z.h), 1, Sharding::vocabulary,
             Buffer::dense, Holder::output_layer}};
}

Wide elements_of(const Tensors& tensors) {
    Wide sum = 0;
    for (const Tensor& tensor : tensors)
        sum += tensor.elements();
    return sum;
}

}  // namespace megamem

#include "model/vision.h"

#include <algorithm>
#include <array>

namespace megamem {

namespace {

Wide rounded_up(Wide value, Wide to) {
    return (value + to - 1) / to;
}

// clip_vit_model.py:126-128, radio.py:115-119, Megatron-Bridge
// qwen_vl/modelling_qwen3_vl/vision_model.py:145.
Wide position_rows(const VisionTower& v) {
    const VisionKind& kind = *v.kind;
    const Wide side = v.patch_side;
    switch (kind.positions) {
        case VisionPositions::image:
            return (v.image_height / side) * (v.image_width / side) + v.class_tokens;
        case VisionPositions::grid:
            if (kind.grid_rows > 0) return kind.grid_rows;
            return (kind.grid_side_pixels / side) * (kind.grid_side_pixels / side);
        case VisionPositions::none:
            return 0;
    }
    return 0;
}

class Tower {
  public:
    Tower(const Scenario& scenario, const Resolved& resolved, const Sizes& sizes)
        : s_(scenario),
          kind_(*resolved.vision.kind),
          v_(vision_sizes(scenario, resolved)),
          z_(sizes),
          hidden_(resolved.hidden) {}

    // Norms are fused into the linear layer or stand alone; same count.
    void layer() {
        frozen_ = freezes_vision(s_);
        norm(kVisionNorms, {"input_layernorm.weight", "input_layernorm.bias"}, v_.h);
        norm(kVisionNorms, {"pre_mlp_layernorm.weight", "pre_mlp_layernorm.bias"}, v_.h);
        const Wide query = v_.n * v_.d / v_.tp;
        const Wide key = v_.g * v_.d / v_.tp;
        linear(kVisionAttention, "self_attention.linear_qkv.weight", query + 2 * key, v_.h, Sharding::column);
        if (kind_.qkv_bias)
            vector(kVisionAttention, "self_attention.linear_qkv.bias", query + 2 * key, Sharding::column);
        if (kind_.qk_norm) {
            vector(kVisionAttention, "self_attention.q_layernorm.weight", query, Sharding::column);
            vector(kVisionAttention, "self_attention.k_layernorm.weight", query, Sharding::column);
        }
        linear(kVisionAttention, "self_attention.linear_proj.weight", v_.h, query, Sharding::row);
        vector(kVisionAttention, "self_attention.linear_proj.bias", v_.h);
        const Wide fc1 = v_.f * (kind_.gated ? 2 : 1) / v_.tp;
        linear(kVisionMlp, "mlp.linear_fc1.weight", fc1, v_.h, Sharding::column);
        vector(kVisionMlp, "mlp.linear_fc1.bias", fc1, Sharding::column);
        linear(kVisionMlp, "mlp.linear_fc2.weight", v_.h, v_.f / v_.tp, Sharding::row);
        vector(kVisionMlp, "mlp.linear_fc2.bias", v_.h);
        if (!kind_.layer_scale) return;  // examples/multimodal/layer_scaling.py:44-45@d98e8a64
        vector(kVisionNorms, "ls1", v_.h);
        vector(kVisionNorms, "ls2", v_.h);
    }

    void ends() {
        frozen_ = freezes_vision(s_);
        const Wide patch = 3 * v_.temporal * v_.patch * v_.patch;
        const Wide divisor = kind_.patch_parallel ? v_.tp : 1;
        const Sharding sharding = kind_.patch_parallel ? Sharding::column : Sharding::replicated;
        matrix(kVisionEmbedding, "patch_embed.weight", v_.h / divisor, patch, sharding);
        if (kind_.patch_bias) vector(kVisionEmbedding, "patch_embed.bias", v_.h / divisor, sharding);
        if (v_.positions > 0) matrix(kVisionEmbedding, "position_embeddings.weight", v_.positions, v_.h);
        if (v_.class_tokens > 0) matrix(kVisionEmbedding, "class_token", v_.class_tokens, v_.h);
        if (kind_.mask_token) vector(kVisionEmbedding, "mask_token", v_.h);
        if (kind_.pre_norm) norm(kVisionNorms, {"ln_pre.weight", "ln_pre.bias"}, v_.h);
        if (kind_.post_norm) norm(kVisionNorms, {"ln_post.weight", "ln_post.bias"}, v_.h);
        frozen_ = s_.freeze_vision_projection;
        if (kind_.merger) {
            merger(v_.h);
        } else {
            projector();
        }
    }

    // Normed after merging: utils.py:126-138@067f987d.
    void deepstack_merger() {
        frozen_ = s_.freeze_vision_projection;
        merger(v_.h * v_.merge);
    }

    Tensors tensors;

  private:
    // Megatron-Bridge qwen_vl/modelling_qwen3_vl/utils.py:133-168@067f987d
    void merger(Wide normed) {
        norm(kVisionMerger, {"merger.patch_norm.weight", "merger.patch_norm.bias"}, normed);
        linear(kVisionMerger, "merger.linear_fc1.weight", v_.wide / v_.tp, v_.h * v_.merge, Sharding::column);
        vector(kVisionMerger, "merger.linear_fc1.bias", v_.wide / v_.tp, Sharding::column);
        linear(kVisionMerger, "merger.linear_fc2.weight", hidden_, v_.wide / v_.tp, Sharding::row);
        vector(kVisionMerger, "merger.linear_fc2.bias", hidden_);
    }

    // core/models/vision/multimodal_projector.py:47-65; normed by the language model's kind of norm, without
    // biases: examples/multimodal/config.py:336-415, model.py:197-200@d98e8a64
    void projector() {
        if (s_.vision_projection_type == VisionProjection::affine) {
            linear(kVisionProjector, "vision_projection.encoder.weight", hidden_ / v_.tp, v_.input,
                   Sharding::column);
            return;
        }
        vector(kVisionProjector, "vision_projection.encoder.linear_fc1.layer_norm_weight", v_.input);
        if (z_.norm > 1)
            vector(kVisionProjector, "vision_projection.encoder.linear_fc1.layer_norm_bias", v_.input);
        linear(kVisionProjector, "vision_projection.encoder.linear_fc1.weight", v_.wide / v_.tp, v_.input,
               Sharding::column);
        linear(kVisionProjector, "vision_projection.encoder.linear_fc2.weight", hidden_, v_.wide / v_.tp,
               Sharding::row);
    }

    void linear(std::string_view module, std::string_view name, Wide rows, Wide cols, Sharding sharding) {
        const Holder holder = kind_.hugging_face ? Holder::other
                              : kind_.takes_fp8  ? Holder::te_linear
                                                 : Holder::te_linear_unquantized;
        const Sharding how = v_.tp == 1 && kind_.hugging_face ? Sharding::replicated : sharding;
        tensors.push_back({module, name, narrow(rows), narrow(cols), 1, how, Buffer::dense, holder, frozen_});
    }
    void matrix(std::string_view module, std::string_view name, Wide rows, Wide cols,
                Sharding sharding = Sharding::replicated) {
        tensors.push_back(
            {module, name, narrow(rows), narrow(cols), 1, sharding, Buffer::dense, Holder::other, frozen_});
    }
    void vector(std::string_view module, std::string_view name, Wide rows,
                Sharding sharding = Sharding::replicated) {
        const Sharding how = kind_.hugging_face ? Sharding::replicated : sharding;
        tensors.push_back({module, name, narrow(rows), 0, 1, how, Buffer::dense, Holder::other, frozen_});
    }
    void norm(std::string_view module, const std::array<std::string_view, 2>& names, Wide width) {
        vector(module, names[0], width);
        if (v_.norm > 1) vector(module, names[1], width);
    }

    const Scenario& s_;
    const VisionKind& kind_;
    VisionSizes v_;
    const Sizes& z_;
    Wide hidden_;
    bool frozen_ = false;
};

}  // namespace

VisionSizes vision_sizes(const Scenario& s, const Resolved& r) {
    const VisionTower& t = r.vision;
    const VisionKind& kind = *t.kind;
    VisionSizes v;
    v.tp = kind.hugging_face ? 1 : s.tensor_model_parallel_size;
    v.layers = t.layers;
    v.h = t.hidden;
    v.f = t.ffn;
    v.d = t.head_width;
    // Dummy heads: 25 become the next multiple of TP (examples/multimodal/config.py:236-237,
    // nvlm/internvit.py:3-8@d98e8a64).
    v.n = kind.pads_heads ? rounded_up(t.heads, v.tp) * v.tp : Wide{t.heads};
    v.g = t.groups == t.heads ? v.n : Wide{t.groups};
    v.patch = t.patch_side;
    v.temporal = kind.temporal;
    v.norm = kind.norm;
    v.class_tokens = t.class_tokens;
    v.positions = position_rows(t);

    v.patches = t.patches;
    const Wide grid = t.image_height == 0
                          ? v.patches
                          : Wide{t.image_height / t.patch_side} * (t.image_width / t.patch_side);
    v.images = grid == 0 ? 0 : rounded_up(v.patches, grid);
    v.tokens = v.patches + v.images * v.class_tokens;
    v.sequence = std::min(grid + v.class_tokens, v.tokens);
    v.merge = Wide{t.merge_side} * t.merge_side;
    // pixel_shuffle takes squares of patches, and so no class tokens (llava_model.py:96-132, 1233-1279).
    const bool keeps_class = !s.disable_vision_class_token && v.merge == 1;
    v.merged = (v.patches + (keeps_class ? v.images * v.class_tokens : 0)) / v.merge;
    v.wide = t.projector_ffn;
    v.input = v.h * v.merge;
    v.deepstack = t.deepstack;
    return v;
}

Tensors vision_layer(const Scenario& scenario, const Resolved& resolved, const Sizes& sizes) {
    Tower tower(scenario, resolved, sizes);
    tower.layer();
    return std::move(tower.tensors);
}

Tensors vision_ends(const Scenario& scenario, const Resolved& resolved, const Sizes& sizes) {
    Tower tower(scenario, resolved, sizes);
    tower.ends();
    return std::move(tower.tensors);
}

Tensors vision_deepstack_merger(const Scenario& scenario, const Resolved& resolved, const Sizes& sizes) {
    Tower tower(scenario, resolved, sizes);
    tower.deepstack_merger();
    return std::move(tower.tensors);
}

}  // namespace megamem

#include "scenario/vision_kinds.h"

#include <algorithm>
#include <array>

#include "scenario/defaults.h"

namespace megamem {

namespace {

// Megatron-LM is @d98e8a64: core/models/vision/{clip_vit_model.py:91-157, radio.py:67-241}, which classes and
// lengths core/models/multimodal/llava_model.py:278-384 chooses, and the dimensions of
// examples/multimodal/config.py:188-333. Image sides are those of examples/multimodal's launch scripts.
// Megatron-Bridge is @067f987d: src/megatron/bridge/models/qwen_vl.
constexpr std::array kKinds = {
    VisionKind{.model = VisionModel::clip,
               .source = "core/models/vision/clip_vit_model.py:91-154@d98e8a64",
               .layers = 24,
               .hidden = 1024,
               .ffn = 4096,
               .heads = 16,
               .patch_side = 14,
               .image_side = 336,
               .class_tokens = 1,
               .positions = VisionPositions::image,
               .pre_norm = true},
    VisionKind{.model = VisionModel::siglip,
               .source = "core/models/vision/clip_vit_model.py:100-154@d98e8a64",
               .layers = 27,
               .hidden = 1152,
               .ffn = 4304,
               .heads = 16,
               .patch_side = 14,
               .image_side = 448,
               .patch_bias = true,
               .positions = VisionPositions::image,
               .post_norm = true},
    // Biases everywhere but in QKV: examples/multimodal/nvlm/internvit.py:183-192@d98e8a64.
    VisionKind{.model = VisionModel::internvit,
               .source = "examples/multimodal/nvlm/internvit.py:61-260@d98e8a64",
               .layers = 45,
               .hidden = 3200,
               .ffn = 12800,
               .heads = 25,
               .patch_side = 14,
               .image_side = 448,
               .patch_bias = true,
               .class_tokens = 1,
               .positions = VisionPositions::image,
               .norm = 1,
               .composite_norm = true,
               .qkv_bias = false,
               .qk_norm = true,
               .layer_scale = true,
               .pads_heads = true},
    VisionKind{.model = VisionModel::internvit300m,
               .source = "examples/multimodal/nvlm/internvit.py:263-286@d98e8a64",
               .layers = 24,
               .hidden = 1024,
               .ffn = 4096,
               .heads = 16,
               .patch_side = 14,
               .image_side = 448,
               .patch_bias = true,
               .class_tokens = 1,
               .positions = VisionPositions::image,
               .layer_scale = true},
    VisionKind{.model = VisionModel::radio,
               .source = "core/models/vision/radio.py:114-241@d98e8a64",
               .layers = 32,
               .hidden = 1280,
               .ffn = 5120,
               .heads = 16,
               .patch_side = 16,
               .image_side = 512,
               .patch_parallel = true,
               .class_tokens = 8,
               .positions = VisionPositions::grid,
               .grid_side_pixels = 2048},
    VisionKind{.model = VisionModel::radio_g,
               .source = "core/models/vision/radio.py:114-241, examples/multimodal/radio/radio_g.py@d98e8a64",
               .layers = 40,
               .hidden = 1536,
               .ffn = 4096,
               .heads = 24,
               .patch_side = 14,
               .image_side = 448,
               .patch_bias = true,
               .patch_parallel = true,
               .class_tokens = 5,
               .positions = VisionPositions::grid,
               .grid_side_pixels = 1792,
               .mask_token = true,
               .post_norm = true,
               .gated = true,
               .layer_scale = true},
    VisionKind{.model = VisionModel::cradio_g,
               .source = "core/models/vision/radio.py:114-241@d98e8a64",
               .layers = 40,
               .hidden = 1536,
               .ffn = 6144,
               .heads = 24,
               .patch_side = 16,
               .image_side = 512,
               .patch_parallel = true,
               .class_tokens = 8,
               .positions = VisionPositions::grid,
               .grid_side_pixels = 2048},
    // transformers' Qwen2_5_VisionTransformerPretrainedModel, on every TP rank as a whole:
    // qwen_vl/modeling_qwen25_vl.py:106-109@067f987d. Its convolution has no bias.
    VisionKind{.model = VisionModel::qwen2_5_vl,
               .source = "Megatron-Bridge qwen_vl/modeling_qwen25_vl.py:106-109@067f987d; transformers "
                         "models/qwen2_5_vl/modeling_qwen2_5_vl.py",
               .layers = 32,
               .hidden = 1280,
               .ffn = 3420,
               .heads = 16,
               .patch_side = 14,
               .merge_side = 2,
               .temporal = 2,
               .norm = 1,
               .composite_norm = true,
               .gated = true,
               .rotary = VisionRotary::once,
               .merger = true,
               .hugging_face = true,
               .takes_fp8 = false,
               .recompute_by_flag = false},
    // qwen_vl/modelling_qwen3_vl/{vision_model.py:144-173, utils.py:37-180, transformer_config.py:65-160}.
    VisionKind{.model = VisionModel::qwen3_vl,
               .source = "Megatron-Bridge qwen_vl/modelling_qwen3_vl/vision_model.py:144-173, "
                         "utils.py:37-180@067f987d",
               .layers = 27,
               .hidden = 1152,
               .ffn = 4304,
               .heads = 16,
               .patch_side = 16,
               .merge_side = 2,
               .temporal = 2,
               .patch_bias = true,
               .positions = VisionPositions::grid,
               .grid_rows = 2304,
               .rotary = VisionRotary::every_layer,
               .merger = true,
               .deepstack = 3,
               .takes_fp8 = false,
               .recompute_by_flag = false},
};

// fp8 pads the tokens of an image with class tokens (llava_model.py:351-355@d98e8a64).
std::int64_t class_tokens(const Scenario& s, const VisionKind& kind) {
    constexpr std::int64_t kFp8 = 16;
    constexpr std::int64_t kMxfp8 = 32;
    const bool grid = kind.positions == VisionPositions::grid && kind.class_tokens > 0;
    if (grid && s.fp8_format != Fp8Format::none) return s.fp8_recipe == Fp8Recipe::mxfp8 ? kMxfp8 : kFp8;
    // Only RADIO's can be set (llava_model.py:337-349).
    return grid ? s.class_token_len.value_or(kind.class_tokens) : kind.class_tokens;
}

OptionalInt positive(std::int64_t value) {
    return value > 0 ? OptionalInt(value) : std::nullopt;
}

}  // namespace

const VisionKind* vision_kind(VisionModel model) {
    const auto found = std::find_if(kKinds.begin(), kKinds.end(),
                                    [&](const VisionKind& kind) { return kind.model == model; });
    return found == kKinds.end() ? nullptr : &*found;
}

OptionalInt default_vision(const Scenario& s, std::string_view key) {
    const VisionKind* kind = vision_kind(s.vision_model_type);
    const auto dimension = [&](std::int64_t VisionKind::*member) {
        return kind == nullptr ? std::nullopt : positive(kind->*member);
    };
    const OptionalInt hidden = s.vision_hidden_size ? s.vision_hidden_size : dimension(&VisionKind::hidden);
    const OptionalInt heads =
        s.vision_num_attention_heads ? s.vision_num_attention_heads : dimension(&VisionKind::heads);
    if (key == "vision_hidden_size") return dimension(&VisionKind::hidden);
    if (key == "vision_ffn_hidden_size") return dimension(&VisionKind::ffn);
    if (key == "vision_num_attention_heads") return dimension(&VisionKind::heads);
    if (key == "vision_num_query_groups") return heads;
    if (key == "vision_kv_channels") return default_kv_channels(hidden, heads);
    if (key == "vision_patch_dim") return dimension(&VisionKind::patch_side);
    if (key == "vision_spatial_merge_size") return dimension(&VisionKind::merge_side);
    if (kind == nullptr) return std::nullopt;
    if (key == "img_h" || key == "img_w") return dimension(&VisionKind::image_side);
    if (key == "class_token_len") return class_tokens(s, *kind);
    if (key == "vision_num_deepstack_mergers") return kind->deepstack;
    if (key == "vision_projector_ffn_hidden_size") {
        const std::int64_t side = s.vision_spatial_merge_size.value_or(kind->merge_side);
        // A merger is as wide inside as what it merges; an affine projector has no inside.
        if (kind->merger && hidden) return *hidden * side * side;
        if (!kind->merger && s.vision_projection_type == VisionProjection::affine) return s.hidden_size;
    }
    return std::nullopt;
}

bool freezes_vision(const Scenario& s) {
    return s.frozen == Frozen::vision || s.frozen == Frozen::language_and_vision;
}

bool freezes_language(const Scenario& s) {
    return s.frozen == Frozen::language || s.frozen == Frozen::language_and_vision;
}

}  // namespace megamem

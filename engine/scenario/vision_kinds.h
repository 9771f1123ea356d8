// The vision encoders that Megatron-LM and Megatron-Bridge build, as data: what decides their tensors, and
// the published dimensions that a scenario may leave out.
#pragma once

#include <cstdint>
#include <string_view>

#include "scenario/scenario.h"

namespace megamem {

enum class VisionPositions {
    image,  // a learned vector for each patch of the image, and for each class token
    grid,   // a learned grid of its own size, cropped or interpolated
    none    // rotary only
};

enum class VisionRotary {
    none,
    every_layer,  // each layer makes cos and sin of its own, for queries and for keys
    once          // one table for all layers
};

struct VisionKind {
    VisionModel model = VisionModel::generic;
    std::string_view source;  // of the module

    // Published dimensions: defaults of fields that aren't set.
    std::int64_t layers = 0;  // for the reader, and the tests: vision_num_layers says if there is a tower
    std::int64_t hidden = 0;
    std::int64_t ffn = 0;
    std::int64_t heads = 0;
    std::int64_t patch_side = 0;
    std::int64_t image_side = 0;  // 0: images of any size, so one image is a micro-batch's
    std::int64_t merge_side = 1;

    // Embedding
    std::int64_t temporal = 1;  // frames of a patch
    bool patch_bias = false;
    bool patch_parallel = false;  // a column-parallel linear layer, not a convolution
    std::int64_t class_tokens = 0;
    VisionPositions positions = VisionPositions::none;
    std::int64_t grid_side_pixels = 0;  // of a grid: its side / patch side, squared
    std::int64_t grid_rows = 0;         // or its rows
    bool mask_token = false;
    bool pre_norm = false;
    bool post_norm = false;

    // Layers
    std::int64_t norm = 2;        // vectors of a norm: 1 RMSNorm, 2 LayerNorm
    bool composite_norm = false;  // written in PyTorch's operators: fp32 copy and normalised input stay
    bool qkv_bias = true;         // the other linear layers always have one
    bool gated = false;
    bool qk_norm = false;  // over all heads of a GPU together
    bool layer_scale = false;
    VisionRotary rotary = VisionRotary::none;
    bool pads_heads = false;  // up to a multiple of TP

    // After the layers
    bool merger = false;  // norm and MLP over merged patches, to the language model's width: no projector
    std::int64_t deepstack = 0;  // such mergers inside the encoder

    // How it is built
    bool hugging_face = false;      // transformers' own module: whole on every TP rank, nothing fused
    bool takes_fp8 = true;          // its configuration is a copy of the language model's
    bool recompute_by_flag = true;  // --recompute-vision; else as the language model
};

// nullptr for the generic tower.
const VisionKind* vision_kind(VisionModel model);

// What an unset field of the vision tower means, for the formulas and for the form's greyed values; nullopt
// where nothing can be told.
OptionalInt default_vision(const Scenario& scenario, std::string_view key);

bool freezes_vision(const Scenario& scenario);
bool freezes_language(const Scenario& scenario);

}  // namespace megamem

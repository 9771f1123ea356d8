// The vision tower of a scenario with a vision_model_type: its sizes on one GPU, and every tensor.
#pragma once

#include <cstdint>
#include <string_view>

#include "model/inventory.h"
#include "model/sizes.h"
#include "scenario/vision_kinds.h"

namespace megamem {

// Symbols of the tower's formulas. It has no pipeline, sequence or context parallelism of its own
// (examples/multimodal/model.py:187-222@d98e8a64).
struct VisionSizes {
    Wide tp = 1;  // 1 for transformers' own modules
    Wide layers = 0;
    Wide h = 0, f = 0, d = 0;
    Wide n = 0, g = 0;  // heads, with padding
    Wide patch = 0;     // side
    Wide temporal = 1;
    Wide norm = 2;  // vectors of a norm
    Wide class_tokens = 0;
    Wide positions = 0;  // rows of the learned table

    Wide patches = 0;  // P: of a micro-batch
    Wide images = 0;
    Wide tokens = 0;    // T: patches and class tokens
    Wide sequence = 0;  // S: tokens of an image
    Wide merged = 0;    // M: tokens that reach the projector, or leave the merger
    Wide merge = 1;     // m²: patches of such a token
    Wide wide = 0;      // w: inner width of the projector or merger
    Wide input = 0;     // width of the projector's input
    Wide deepstack = 0;
};

VisionSizes vision_sizes(const Scenario& scenario, const Resolved& resolved);

// Modules of its tensors; frozen ones are marked.
inline constexpr std::string_view kVisionEmbedding = "vision/embedding";
inline constexpr std::string_view kVisionAttention = "vision/attention";
inline constexpr std::string_view kVisionMlp = "vision/mlp";
inline constexpr std::string_view kVisionNorms = "vision/norms";
inline constexpr std::string_view kVisionMerger = "vision/merger";
inline constexpr std::string_view kVisionProjector = "vision/projector";

Tensors vision_layer(const Scenario& scenario, const Resolved& resolved, const Sizes& sizes);
// All but the layers; without the mergers of deepstack, which are alike.
Tensors vision_ends(const Scenario& scenario, const Resolved& resolved, const Sizes& sizes);
Tensors vision_deepstack_merger(const Scenario& scenario, const Resolved& resolved, const Sizes& sizes);

}  // namespace megamem

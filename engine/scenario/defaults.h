// A scenario with every gap filled by Megatron-LM's own default, ready for formulas. What was filled is said.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/problem.h"
#include "scenario/scenario.h"

namespace megamem {

// Something that a number rests on: shown beside it.
struct Assumption {
    std::string_view id;  // stable; always a literal
    std::string message;
};

using Assumptions = std::vector<Assumption>;

struct VisionKind;  // scenario/vision_kinds.h

struct VisionTower {
    std::int64_t layers = 0;  // 0: no tower, and nothing else here counts
    std::int64_t hidden = 0;
    std::int64_t ffn = 0;
    std::int64_t heads = 0;
    std::int64_t groups = 0;
    std::int64_t head_width = 0;
    std::int64_t patch_side = 0;
    std::int64_t projector_ffn = 0;
    std::int64_t merge_side = 0;
    std::int64_t patches = 0;
    // With a vision_model_type; the generic tower has none of these.
    const VisionKind* kind = nullptr;
    std::int64_t image_height = 0;  // 0: a micro-batch's patches are one image
    std::int64_t image_width = 0;
    std::int64_t class_tokens = 0;  // of an image
    std::int64_t deepstack = 0;
};

struct Resolved {
    std::int64_t layers = 0;
    std::int64_t hidden = 0;
    std::int64_t ffn = 0;  // of a dense MLP
    std::int64_t heads = 0;
    std::int64_t groups = 0;
    std::int64_t head_width = 0;  // kv_channels
    std::int64_t vocab = 0;
    std::int64_t moe_ffn = 0;
    std::int64_t etp = 1;
    std::int64_t world_size = 0;
    std::int64_t sequence = 0;
    std::int64_t micro_batch = 0;
    VisionTower vision;

    std::int64_t tokens() const { return micro_batch * sequence; }
};

// Fills the gaps. A required field that isn't set is an error and gives nullopt; so is a width that has to be
// computed and doesn't come out whole. All such problems are reported at once.
std::optional<Resolved> resolve(const Scenario& scenario, Problems& problems, Assumptions& assumptions);

// What Megatron uses where the field isn't set, for the form's greyed values; nullopt where that can't be
// told.
OptionalInt default_ffn_hidden_size(const Scenario& scenario);
OptionalInt default_kv_channels(OptionalInt hidden, OptionalInt heads);

}  // namespace megamem

// Which stage of the pipeline holds what, from a layout or an even split.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/problem.h"
#include "scenario/defaults.h"
#include "scenario/scenario.h"

namespace megamem {

struct Stage {
    bool embedding = false;
    std::int64_t first_layer = 0;  // index of its first decoder layer in the model, from 0
    std::int64_t layers = 0;       // decoder layers
    std::int64_t mtp = 0;
    bool output = false;
};

// Stages in model order. Stage i is chunk i / pp of rank i % pp
// (pipeline_parallel_layer_layout.py:48-55@d98e8a64; transformer_layer.py:65-219 for the even split).
struct Pipeline {
    std::int64_t ranks = 1;   // PP
    std::int64_t chunks = 1;  // VPP
    std::vector<Stage> stages;

    const Stage& stage(std::int64_t rank, std::int64_t chunk) const {
        return stages[static_cast<std::size_t>(chunk * ranks + rank)];
    }
};

// nullopt where the layout or the split can't be: the problems then hold an error that names the character,
// or the rule and the stage.
std::optional<Pipeline> plan_pipeline(const Scenario& scenario, const Resolved& resolved, Problems& problems);

// "Ettt", "tmL": a stage in layout letters.
std::string letters_of(const Stage& stage);

}  // namespace megamem

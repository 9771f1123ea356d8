// A scenario's stages as a picture shows them: also while it has errors, as far as they can be told.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "pipeline/stages.h"
#include "scenario/scenario.h"

namespace megamem {

struct StageMap {
    // What is wrong with the layout, and the character of it that is to blame; its length for the end.
    struct Fault {
        std::size_t position = 0;
        std::string message;
    };

    std::optional<Pipeline> pipeline;  // nothing where no stages can be told
    std::vector<bool> moe;             // of each decoder layer; a layout that is wrong can have more layers
    std::optional<Fault> fault;

    bool is_moe(std::int64_t layer) const {
        return layer < static_cast<std::int64_t>(moe.size()) && moe[static_cast<std::size_t>(layer)];
    }
    // nullptr where a layout's stages end before the last chunk does.
    const Stage* stage(std::int64_t rank, std::int64_t chunk) const;
};

StageMap stage_map(const Scenario& scenario);

}  // namespace megamem

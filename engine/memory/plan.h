// A checked scenario, as every method gets it.
#pragma once

#include <vector>

#include "pipeline/stages.h"
#include "scenario/defaults.h"
#include "scenario/scenario.h"

namespace megamem {

struct Plan {
    const Scenario& scenario;
    const Resolved& resolved;
    const Pipeline& pipeline;
    const std::vector<bool>& moe;  // of each decoder layer
};

}  // namespace megamem

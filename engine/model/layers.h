// Which decoder layers are dense and which are MoE.
#pragma once

#include <optional>
#include <vector>

#include "base/problem.h"
#include "scenario/defaults.h"
#include "scenario/scenario.h"

namespace megamem {

// One entry a layer, true for MoE. nullopt, with an error, where num_dense_layers and moe_layer_freq
// contradict each other. A list of the wrong length has been refused by the rules already.
std::optional<std::vector<bool>> moe_layers(const Scenario& scenario, const Resolved& resolved,
                                            Problems& problems);

}  // namespace megamem

// The vision tower with a vision_model_type: what it saves for backward. Its states are in add_states.
#pragma once

#include <cstdint>
#include <vector>

#include "memory/detailed.h"

namespace megamem::detailed {

// Bytes an element of a linear layer's input in the tower and of what its norms keep, and theirs a token.
struct TowerBytes {
    Wide linear_input = 2;
    Wide norm = 2;         // kept for the weight's gradient and the input's
    Wide norm_frozen = 2;  // for the input's alone
    Wide norm_stats = 8;
};

TowerBytes tower_bytes(const Context& context);

// Its items come after the language model's, of which `in_flight` tells the micro-batches of each chunk.
void add_tower(const Context& context, const std::vector<std::int64_t>& in_flight,
               std::vector<LineItem>& items);

}  // namespace megamem::detailed

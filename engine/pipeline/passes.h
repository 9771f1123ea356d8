// The passes of a rank's schedule, one after the other, as far as its memory is decided by them.
#pragma once

#include <cstdint>
#include <vector>

#include "pipeline/stages.h"
#include "scenario/scenario.h"

namespace megamem {

struct Pass {
    bool forward = true;
    std::int64_t chunk = 0;
    std::int64_t micro_batch = 0;
};

struct Passes {
    // Micro-batches alive in each chunk before the first of `list`: passes before it hold less, and no
    // others.
    std::vector<std::int64_t> alive;
    std::vector<Pass> list;
};

// 1F1B and GPipe: the forward and the backward pass with most alive. Interleaved: from the first pass on,
// until what is alive repeats (schedules.py:929-1016@d98e8a64); none where that takes too many passes.
Passes passes_of(const Scenario& scenario, const Pipeline& pipeline, std::int64_t rank,
                 std::int64_t micro_batches, bool overlapped);

}  // namespace megamem

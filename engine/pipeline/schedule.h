// How many micro-batches of each model chunk are in flight when a rank's memory peaks.
#pragma once

#include <cstdint>
#include <vector>

#include "pipeline/stages.h"
#include "scenario/scenario.h"

namespace megamem {

// One entry a chunk of the rank: forward passes done and not yet freed by their backward pass, at the peak.
//   1F1B         min(PP - rank, M)                                schedules.py:2277-2279@d98e8a64
//   interleaved  the first warm-up + 1 entries of the schedule's table, where warm-up is
//                2 (PP - rank - 1) + (VPP - 1) G [+ 1 with overlap_moe_expert_parallel_comm]   :929-1016
//   GPipe        M
std::vector<std::int64_t> in_flight(const Scenario& scenario, const Pipeline& pipeline, std::int64_t rank,
                                    std::int64_t micro_batches);
// `overlapped`: whether overlap_moe_expert_parallel_comm is in force.
std::vector<std::int64_t> in_flight(const Scenario& scenario, const Pipeline& pipeline, std::int64_t rank,
                                    std::int64_t micro_batches, bool overlapped);

}  // namespace megamem

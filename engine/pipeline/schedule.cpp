#include "pipeline/schedule.h"

#include <algorithm>

namespace megamem {

std::vector<std::int64_t> in_flight(const Scenario& s, const Pipeline& pipeline, std::int64_t rank,
                                    std::int64_t micro_batches) {
    return in_flight(s, pipeline, rank, micro_batches, s.overlap_moe_expert_parallel_comm);
}

std::vector<std::int64_t> in_flight(const Scenario& s, const Pipeline& pipeline, std::int64_t rank,
                                    std::int64_t micro_batches, bool overlapped) {
    const std::int64_t pp = pipeline.ranks;
    const std::int64_t vpp = pipeline.chunks;
    std::vector<std::int64_t> chunks(static_cast<std::size_t>(vpp), 0);
    if (s.pipeline_schedule == PipelineSchedule::gpipe) {
        std::fill(chunks.begin(), chunks.end(), micro_batches);
        return chunks;
    }
    if (vpp == 1) {
        chunks[0] = std::min(pp - rank, micro_batches);
        return chunks;
    }
    const std::int64_t group = s.microbatch_group_size_per_virtual_pipeline_stage.value_or(pp);
    const std::int64_t warm_up = 2 * (pp - rank - 1) + (vpp - 1) * group + (overlapped ? 1 : 0);
    // Groups of G micro-batches pass through chunk 0, 1, ...; only the groups that the warm-up reaches are
    // walked.
    std::int64_t left = warm_up + 1;
    for (std::int64_t first = 0; first < micro_batches && left > 0; first += group) {
        const std::int64_t size = std::min(group, micro_batches - first);
        for (std::int64_t chunk = 0; chunk < vpp && left > 0; ++chunk) {
            const std::int64_t count = std::min(size, left);
            chunks[static_cast<std::size_t>(chunk)] += count;
            left -= count;
        }
    }
    return chunks;
}

}  // namespace megamem

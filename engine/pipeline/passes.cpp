#include "pipeline/passes.h"

#include <algorithm>

#include "pipeline/schedule.h"

namespace megamem {

namespace {

constexpr std::int64_t kMostPasses = 1 << 14;  // longer walks than any cluster's

// get_schedule_table (schedules.py:989-1016@d98e8a64): groups of G micro-batches through chunk 0, 1, ...
class Table {
  public:
    Table(std::int64_t chunks, std::int64_t micro_batches, std::int64_t group)
        : chunks_(chunks), micro_batches_(micro_batches), group_(group) {}

    std::int64_t size() const { return chunks_ * micro_batches_; }

    Pass forward(std::int64_t at) const {
        const std::int64_t first = at / (chunks_ * group_) * group_;
        const std::int64_t size = std::min(group_, micro_batches_ - first);
        const std::int64_t rest = at - first * chunks_;
        return {true, rest / size, first + rest % size};
    }
    // The same with the chunks reversed.
    Pass backward(std::int64_t at) const {
        const Pass pass = forward(at);
        return {false, chunks_ - 1 - pass.chunk, pass.micro_batch};
    }

  private:
    std::int64_t chunks_;
    std::int64_t micro_batches_;
    std::int64_t group_;
};

}  // namespace

Passes passes_of(const Scenario& s, const Pipeline& pipeline, std::int64_t rank, std::int64_t micro_batches,
                 bool overlapped) {
    const std::int64_t chunks = pipeline.chunks;
    if (chunks == 1 || s.pipeline_schedule == PipelineSchedule::gpipe) {
        Passes passes{in_flight(s, pipeline, rank, micro_batches, overlapped), {}};
        const std::int64_t last = chunks - 1;
        std::int64_t& alive = passes.alive[static_cast<std::size_t>(last)];
        if (alive == 0) return passes;
        --alive;
        // GPipe runs backward from the last micro-batch, 1F1B from the first.
        const bool gpipe = s.pipeline_schedule == PipelineSchedule::gpipe;
        passes.list = {{true, last, alive}, {false, last, gpipe ? alive : 0}};
        if (!gpipe && alive + 1 < micro_batches) {
            passes.list.push_back({true, last, alive + 1});
            passes.list.push_back({false, last, 1});
        }
        return passes;
    }
    const std::int64_t group = s.microbatch_group_size_per_virtual_pipeline_stage.value_or(pipeline.ranks);
    const Table table(chunks, micro_batches, group);
    const std::int64_t warm_up =
        std::min(2 * (pipeline.ranks - rank - 1) + (chunks - 1) * group + (overlapped ? 1 : 0), table.size());
    // What is alive repeats after a group's passes; the first backward passes stand on a part of the table
    // only.
    const std::int64_t forwards = std::min(table.size(), warm_up + 2 * chunks * group);
    if (forwards > kMostPasses) return {};
    Passes passes{std::vector<std::int64_t>(static_cast<std::size_t>(chunks), 0), {}};
    passes.list.reserve(static_cast<std::size_t>(2 * forwards));
    for (std::int64_t at = 0; at < forwards; ++at) {
        passes.list.push_back(table.forward(at));
        if (at >= warm_up) passes.list.push_back(table.backward(at - warm_up));
    }
    if (forwards < table.size()) return passes;
    for (std::int64_t at = std::max<std::int64_t>(forwards - warm_up, 0); at < table.size(); ++at)
        passes.list.push_back(table.backward(at));
    return passes;
}

}  // namespace megamem

#include "pipeline/passes.h"

#include <fmt/format.h>
#include <rapidcheck.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <numeric>
#include <string>

#include "pipeline/schedule.h"

namespace megamem {

namespace {

Pipeline pipeline_of(std::int64_t ranks, std::int64_t chunks) {
    Pipeline pipeline;
    pipeline.ranks = ranks;
    pipeline.chunks = chunks;
    pipeline.stages.resize(static_cast<std::size_t>(ranks * chunks));
    return pipeline;
}

// "F0.1": the forward pass of chunk 0 and micro-batch 1.
std::string written(const Passes& passes) {
    std::string text;
    for (const Pass& pass : passes.list) {
        text += fmt::format("{}{}{}.{}", text.empty() ? "" : " ", pass.forward ? 'F' : 'B', pass.chunk,
                            pass.micro_batch);
    }
    return text;
}

}  // namespace

TEST_CASE("Interleaved passes, in the order of the schedule", "[pipeline][passes]") {
    // By hand from schedules.py:929-1016@d98e8a64. Rank 1 of 2, VPP 2, groups of 2: a warm-up of 2 passes.
    CHECK(written(passes_of({}, pipeline_of(2, 2), 1, 4, false)) ==
          "F0.0 F0.1 F1.0 B1.0 F1.1 B1.1 F0.2 B0.0 F0.3 B0.1 F1.2 B1.2 F1.3 B1.3 B0.2 B0.3");
    // Rank 0: 2 + 2 of warm-up.
    CHECK(written(passes_of({}, pipeline_of(2, 2), 0, 2, false)) ==
          "F0.0 F0.1 F1.0 F1.1 B1.0 B1.1 B0.0 B0.1");
    // Expert overlap runs one more ahead.
    CHECK(written(passes_of({}, pipeline_of(2, 2), 1, 2, true)) == "F0.0 F0.1 F1.0 F1.1 B1.0 B1.1 B0.0 B0.1");
}

TEST_CASE("1F1B and GPipe: the passes with most alive", "[pipeline][passes]") {
    const Passes first = passes_of({}, pipeline_of(4, 1), 0, 8, false);
    CHECK(first.alive == std::vector<std::int64_t>{3});
    CHECK(written(first) == "F0.3 B0.0 F0.4 B0.1");
    CHECK(written(passes_of({}, pipeline_of(4, 1), 3, 8, false)) == "F0.0 B0.0 F0.1 B0.1");
    CHECK(written(passes_of({}, pipeline_of(4, 1), 0, 2, false)) == "F0.1 B0.0");
    Scenario gpipe;
    gpipe.pipeline_schedule = PipelineSchedule::gpipe;
    const Passes all = passes_of(gpipe, pipeline_of(4, 2), 1, 5, false);
    CHECK(all.alive == std::vector<std::int64_t>{5, 4});
    CHECK(written(all) == "F1.4 B1.4");
}

TEST_CASE("A walk that no cluster has is left out", "[pipeline][passes]") {
    Scenario s;
    s.microbatch_group_size_per_virtual_pipeline_stage = 1'000'000;
    CHECK(passes_of(s, pipeline_of(2, 100), 0, 1'000'000, false).list.empty());
}

TEST_CASE("Property: every micro-batch runs forward, then backward, and as many are alive as in flight",
          "[pipeline][passes][property]") {
    CHECK(rc::check("passes", [] {
        const auto pp = *rc::gen::inRange<std::int64_t>(2, 7);
        const auto vpp = *rc::gen::inRange<std::int64_t>(2, 5);
        const auto groups = *rc::gen::inRange<std::int64_t>(1, 3);
        const auto rank = *rc::gen::inRange<std::int64_t>(0, pp);
        const bool overlapped = *rc::gen::arbitrary<bool>();
        const Pipeline pipeline = pipeline_of(pp, vpp);
        const Passes passes = passes_of({}, pipeline, rank, groups * pp, overlapped);
        std::vector<std::int64_t> alive = passes.alive;
        std::int64_t most = 0;
        for (const Pass& pass : passes.list) {
            std::int64_t& here = alive[static_cast<std::size_t>(pass.chunk)];
            here += pass.forward ? 1 : -1;
            RC_ASSERT(here >= 0);
            most = std::max(most, std::accumulate(alive.begin(), alive.end(), std::int64_t{0}));
        }
        const auto expected = in_flight({}, pipeline, rank, groups * pp, overlapped);
        RC_ASSERT(most == std::accumulate(expected.begin(), expected.end(), std::int64_t{0}));
        // Few enough micro-batches: the walk is the whole schedule.
        RC_ASSERT(std::count(alive.begin(), alive.end(), 0) == vpp);
    }));
}

}  // namespace megamem

#include "pipeline/schedule.h"

#include <rapidcheck.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <numeric>

#include "engine/support/scenarios.h"

namespace megamem {

namespace {

using Counts = std::vector<std::int64_t>;

Pipeline pipeline_of(std::int64_t ranks, std::int64_t chunks) {
    Pipeline pipeline;
    pipeline.ranks = ranks;
    pipeline.chunks = chunks;
    pipeline.stages.resize(static_cast<std::size_t>(ranks * chunks));
    return pipeline;
}

std::int64_t sum_of(const Counts& counts) {
    return std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
}

struct Interleaved {
    std::int64_t pp, vpp, micro_batches, group;
    std::int64_t extra = 0;  // overlap_moe_expert_parallel_comm

    Counts at(std::int64_t rank) const {
        Scenario s;
        s.microbatch_group_size_per_virtual_pipeline_stage = group;
        s.overlap_moe_expert_parallel_comm = extra > 0;
        return in_flight(s, pipeline_of(pp, vpp), rank, micro_batches);
    }
};

// The interleaved schedule itself, pass by pass: get_schedule_table (schedules.py:989-1016@d98e8a64), then
// the warm-up's forward passes and forward and backward in turn. A backward pass takes the table's entries in
// the same order with the chunks reversed. Gives the chunks' counts where most are alive, first time.
Counts simulate(const Interleaved& i, std::int64_t rank) {
    std::vector<std::size_t> table;
    for (std::int64_t first = 0; first < i.micro_batches; first += i.group) {
        for (std::int64_t chunk = 0; chunk < i.vpp; ++chunk) {
            for (std::int64_t m = first; m < std::min(first + i.group, i.micro_batches); ++m)
                table.push_back(static_cast<std::size_t>(chunk));
        }
    }
    const auto total = static_cast<std::int64_t>(table.size());
    const std::int64_t warm_up = std::min(2 * (i.pp - rank - 1) + (i.vpp - 1) * i.group + i.extra, total);
    Counts alive(static_cast<std::size_t>(i.vpp), 0);
    Counts most = alive;
    bool sound = true;
    for (std::int64_t step = 0; step < total + warm_up; ++step) {
        if (step < total) ++alive[table[static_cast<std::size_t>(step)]];
        if (sum_of(alive) > sum_of(most)) most = alive;
        if (step < warm_up) continue;
        const std::size_t chunk =
            static_cast<std::size_t>(i.vpp) - 1 - table[static_cast<std::size_t>(step - warm_up)];
        sound = sound && --alive[chunk] >= 0;  // nothing runs backward before it ran forward
    }
    REQUIRE(sound);
    REQUIRE(sum_of(alive) == 0);
    return most;
}

}  // namespace

TEST_CASE("Interleaved: entries of every rank and rank 0's chunks", "[pipeline][schedule]") {
    // Worked out by hand from schedules.py:929-986@d98e8a64: min(2 (PP - rank - 1) + (VPP - 1) G + 1, M VPP).
    struct Row {
        Interleaved schedule;
        Counts entries;  // by rank
        Counts first_rank;
    };
    const std::vector<Row> rows = {
        {{4, 2, 8, 4}, {11, 9, 7, 5}, {7, 4}},
        {{4, 2, 4, 4}, {8, 8, 7, 5}, {4, 4}},
        {{4, 4, 8, 4}, {19, 17, 15, 13}, {7, 4, 4, 4}},
        {{4, 3, 4, 4}, {12, 12, 11, 9}, {4, 4, 4}},
        {{8, 2, 16, 8}, {23, 21, 19, 17, 15, 13, 11, 9}, {15, 8}},
        {{16, 2, 64, 16}, {47, 45, 43, 41, 39, 37, 35, 33, 31, 29, 27, 25, 23, 21, 19, 17}, {31, 16}},
        {{4, 2, 10, 5}, {12, 10, 8, 6}, {7, 5}},
        {{2, 4, 8, 2}, {9, 7}, {3, 2, 2, 2}},
    };
    for (const Row& row : rows) {
        INFO(row.schedule.pp << ' ' << row.schedule.vpp << ' ' << row.schedule.micro_batches);
        REQUIRE(row.entries.size() == static_cast<std::size_t>(row.schedule.pp));
        for (std::int64_t rank = 0; rank < row.schedule.pp; ++rank)
            CHECK(sum_of(row.schedule.at(rank)) == row.entries[static_cast<std::size_t>(rank)]);
        CHECK(row.schedule.at(0) == row.first_rank);
        // The last rank has G of every chunk but one of the last, which runs backward at once.
        Counts last(static_cast<std::size_t>(row.schedule.vpp), row.schedule.group);
        last.back() = 1;
        CHECK(row.schedule.at(row.schedule.pp - 1) == last);
    }
}

TEST_CASE("Interleaved: a group is PP unless it is given, and expert overlap adds one",
          "[pipeline][schedule]") {
    const Counts by_default = in_flight({}, pipeline_of(4, 2), 0, 8);
    CHECK(by_default == Counts{7, 4});
    const Interleaved overlapped{4, 2, 8, 4, 1};
    CHECK(overlapped.at(0) == Counts{8, 4});
    CHECK(overlapped.at(3) == Counts{4, 2});
    // Asked for, and not in force: the release refused it.
    Scenario asked;
    asked.overlap_moe_expert_parallel_comm = true;
    CHECK(in_flight(asked, pipeline_of(4, 2), 0, 8, true) == Counts{8, 4});
    CHECK(in_flight(asked, pipeline_of(4, 2), 0, 8, false) == Counts{7, 4});
    const Interleaved few{4, 2, 4, 4, 1};
    CHECK(few.at(0) == Counts{4, 4});
}

TEST_CASE("1F1B: as many as ranks from here to the end, or as there are", "[pipeline][schedule]") {
    // schedules.py:2277-2279@d98e8a64
    for (std::int64_t rank = 0; rank < 4; ++rank) {
        CHECK(in_flight({}, pipeline_of(4, 1), rank, 16) == Counts{4 - rank});
        CHECK(in_flight({}, pipeline_of(4, 1), rank, 2) == Counts{std::min<std::int64_t>(4 - rank, 2)});
    }
    CHECK(in_flight({}, pipeline_of(1, 1), 0, 64) == Counts{1});
    // One GPU: overlapped expert communication keeps one, not two.
    Scenario overlapped;
    overlapped.overlap_moe_expert_parallel_comm = true;
    CHECK(in_flight(overlapped, pipeline_of(1, 1), 0, 64) == Counts{1});
}

TEST_CASE("GPipe: every micro-batch of the step", "[pipeline][schedule]") {
    Scenario gpipe;
    gpipe.pipeline_schedule = PipelineSchedule::gpipe;
    CHECK(in_flight(gpipe, pipeline_of(4, 1), 3, 9) == Counts{9});
    CHECK(in_flight(gpipe, pipeline_of(4, 2), 0, 9) == Counts{9, 9});
}

TEST_CASE("Property: interleaved counts are those of the schedule run pass by pass",
          "[pipeline][schedule][property]") {
    CHECK(rc::check("simulation", [] {
        Interleaved i{};
        i.pp = *rc::gen::inRange<std::int64_t>(2, 9);
        i.vpp = *rc::gen::inRange<std::int64_t>(2, 6);
        i.group = *rc::gen::inRange<std::int64_t>(i.pp, 2 * i.pp + 1);
        // Megatron's checks, schedules.py:1160-1180@d98e8a64: M >= PP, and M mod G is 0 or at least PP.
        const auto groups = *rc::gen::inRange<std::int64_t>(1, 5);
        const auto rest = *rc::gen::inRange<std::int64_t>(0, 2) == 0
                              ? 0
                              : *rc::gen::inRange<std::int64_t>(i.pp, i.group + 1);
        i.micro_batches = groups * i.group + rest;
        i.extra = *rc::gen::inRange<std::int64_t>(0, 2);
        const auto rank = *rc::gen::inRange<std::int64_t>(0, i.pp);
        RC_ASSERT(i.at(rank) == simulate(i, rank));
    }));
}

TEST_CASE("Property: in flight is at least one and at most all; later ranks have no more",
          "[pipeline][schedule][property]") {
    CHECK(rc::check("bounds", [] {
        const auto pp = *rc::gen::inRange<std::int64_t>(1, 17);
        const auto vpp = pp == 1 ? 1 : *rc::gen::inRange<std::int64_t>(1, 6);
        const auto m = *rc::gen::inRange<std::int64_t>(1, 65);
        std::int64_t before = m * vpp;
        for (std::int64_t rank = 0; rank < pp; ++rank) {
            const Counts counts = in_flight({}, pipeline_of(pp, vpp), rank, m);
            RC_ASSERT(counts.size() == static_cast<std::size_t>(vpp));
            for (const std::int64_t count : counts)
                RC_ASSERT(count >= 0 && count <= m);
            RC_ASSERT(sum_of(counts) >= 1);
            RC_ASSERT(sum_of(counts) <= before);
            before = sum_of(counts);
        }
    }));
}

}  // namespace megamem

#include "accuracy/nearest_runs.h"

#include <catch2/catch_test_macros.hpp>

#include <cmath>

#include "accuracy/evidence.h"
#include "memory/estimate.h"
#include "scenario/presets.h"

namespace megamem {

TEST_CASE("The nearest runs are those of the evidence, in order", "[evidence]") {
    for (const ModelPreset& preset : model_presets()) {
        CAPTURE(preset.id);
        const Scenario scenario = scenario_of(preset);
        const Report report = estimate(scenario, Method::detailed);
        REQUIRE(is_comparable(report));
        const NearestRuns nearest = nearest_runs(here_of(scenario, report));
        const Evidence evidence = evidence_for(scenario, report);
        CHECK(nearest.alike == evidence.alike);
        CHECK(nearest.worst() == evidence.worst);
        for (std::size_t i = 1; i < nearest.alike; ++i)
            CHECK(nearest.runs[i - 1].distance <= nearest.runs[i].distance);
    }
}

TEST_CASE("Every doubling and every GPU generation is half a feature's weight", "[evidence]") {
    EvidenceRow row;
    row.features = bit(Feature::tensor_parallel);
    row.hidden = 4096;
    row.peak_mib = 1024;
    row.sm = 90;
    Here here;
    here.features = row.features;
    here.sm = 90;
    // log2 in 64ths: 12 x 64 and 10 x 64.
    here.log_hidden = 768;
    here.log_peak = 640;
    CHECK(distance(here, row) == 0);
    here.log_hidden = 768 + 64;  // twice as wide
    CHECK(distance(here, row) == 32);
    here.log_peak = 640 - 2 * 64;  // a quarter of the peak
    CHECK(distance(here, row) == 32 + 64);
    here.sm = 103;  // the next generation
    CHECK(distance(here, row) == 32 + 64 + 32);
    here.features |= bit(Feature::moe);
    CHECK(distance(here, row) == 32 + 64 + 32 + weight_of(Feature::moe));
    CHECK_FALSE(same_kind(here, row));
    CHECK(generation(120) == generation(100));
    CHECK(generation(89) == generation(80));
}

TEST_CASE("Reports of other methods, and those without a result, are compared with nothing", "[evidence]") {
    const Scenario scenario = scenario_of(*find_preset("deepseek-v3"));
    CHECK_FALSE(is_comparable(estimate(scenario, Method::calculator)));
    CHECK_FALSE(is_comparable(estimate(scenario, Method::megatron_report)));
    CHECK_FALSE(is_comparable(estimate({}, Method::detailed)));
}

}  // namespace megamem

#include "accuracy/nearest_runs.h"

#include <catch2/catch_test_macros.hpp>

#include <cmath>

#include "accuracy/evidence.h"
#include "memory/estimate.h"
#include "scenario/presets.h"

namespace megamem {

TEST_CASE("The nearest runs are those of the evidence, the nearest first, and so is the worst error",
          "[evidence]") {
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

TEST_CASE("Reports of other methods, and those without a result, are compared with nothing", "[evidence]") {
    const Scenario scenario = scenario_of(*find_preset("deepseek-v3"));
    CHECK_FALSE(is_comparable(estimate(scenario, Method::calculator)));
    CHECK_FALSE(is_comparable(estimate(scenario, Method::megatron_report)));
    CHECK_FALSE(is_comparable(estimate({}, Method::detailed)));
}

}  // namespace megamem

#include "memory/compare.h"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>

#include "memory/compare_records.h"
#include "memory/estimate.h"
#include "scenario/presets.h"

namespace megamem {

namespace {

const MethodRow& row_named(const Comparison& comparison, std::string_view name) {
    const auto found = std::find_if(comparison.rows.begin(), comparison.rows.end(),
                                    [&](const MethodRow& row) { return row.name == name; });
    REQUIRE(found != comparison.rows.end());
    return *found;
}

Comparison of_preset(std::string_view id) {
    return compare_methods(scenario_of(*find_preset(id)));
}

}  // namespace

TEST_CASE("Each method's column holds what its own report says of its worst rank", "[compare]") {
    const Scenario scenario = scenario_of(*find_preset("deepseek-v3"));
    const Comparison comparison = compare_methods(scenario);
    const Report detailed = estimate(scenario, Method::detailed);
    const Report calculator = estimate(scenario, Method::calculator);
    CHECK(comparison.detailed_rank == detailed.worst_rank);
    CHECK(comparison.calculator_rank == calculator.worst_rank);
    CHECK(row_named(comparison, "weights").detailed == detailed.worst().totals.weight);
    CHECK(row_named(comparison, "weights").calculator == calculator.worst().totals.weight);
    CHECK(row_named(comparison, "total").detailed == detailed.needed());
    CHECK(row_named(comparison, "total").calculator == calculator.needed());
}

TEST_CASE("The rows of a column add up to its total", "[compare]") {
    for (const ModelPreset& preset : model_presets()) {
        CAPTURE(preset.id);
        const Comparison comparison = of_preset(preset.id);
        Bytes sum = 0;
        for (const MethodRow& row : comparison.rows) {
            // The one figure of Megatron's line stands for the rows above it.
            if (row.name != "total" && row.name != "weights to optimizer") sum += row.detailed.value_or(0);
        }
        CHECK(sum == row_named(comparison, "total").detailed);
        for (const MethodRow& row : comparison.rows)
            CHECK_FALSE(row.reason.empty());
    }
}

TEST_CASE("A scenario without a result has rows without figures", "[compare]") {
    const Comparison comparison = compare_methods({});
    CHECK(comparison.detailed_rank == -1);
    CHECK_FALSE(row_named(comparison, "total").detailed);
    CHECK_FALSE(row_named(comparison, "total").megatron_report);
}

TEST_CASE("A comparison comes back from its records", "[compare][records]") {
    for (const Comparison& c : {of_preset("deepseek-v3"), of_preset("llama-2-7b"), compare_methods({})}) {
        const Comparison read = read_comparison_records(write_comparison_records(c));
        CHECK(read.detailed_rank == c.detailed_rank);
        CHECK(read.calculator_rank == c.calculator_rank);
        CHECK(read.has_megatron_report == c.has_megatron_report);
        REQUIRE(read.rows.size() == c.rows.size());
        for (std::size_t i = 0; i < c.rows.size(); ++i) {
            CHECK(read.rows[i].name == c.rows[i].name);
            CHECK(read.rows[i].detailed == c.rows[i].detailed);
            CHECK(read.rows[i].calculator == c.rows[i].calculator);
            CHECK(read.rows[i].megatron_report == c.rows[i].megatron_report);
            CHECK(read.rows[i].reason == c.rows[i].reason);
        }
    }
}

}  // namespace megamem

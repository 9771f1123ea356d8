#include "memory/megatron_report.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "engine/support/assumptions.h"
#include "engine/support/problems.h"
#include "memory/estimate.h"
#include "memory/formulas.h"
#include "memory/report_json.h"
#include "scenario/scenario_json.h"

namespace megamem {

namespace {

constexpr double kTolerance = 1e-12;

nlohmann::json reference() {
    std::ifstream file(std::string(MEGAMEM_TEST_DATA) + "/theoretical_reference.json");
    REQUIRE(file.good());
    return nlohmann::json::parse(file);
}

Scenario read_case(const nlohmann::json& json) {
    ReadScenario read = read_scenario_json(json.dump());
    REQUIRE(read.problems.empty());
    return read.scenario;
}

Report report_of(const Scenario& scenario) {
    Report report = estimate(scenario, Method::megatron_report);
    for (const Problem& problem : report.problems)
        UNSCOPED_INFO(problem.message);
    REQUIRE(report.valid);
    REQUIRE_FALSE(report.shards.empty());
    return report;
}

// What was printed has this many decimals.
void check_printed(const nlohmann::json& printed, const char* key, double value, double half_digit) {
    if (!printed.contains(key)) return;
    INFO(key);
    CHECK_THAT(value / 1e9, Catch::Matchers::WithinAbs(printed[key].get<double>(), half_digit * 1.0001));
}

Scenario small() {
    Scenario s;
    s.num_layers = 8;
    s.hidden_size = 512;
    s.num_attention_heads = 8;
    s.vocab_size = 1000;
    s.seq_length = 256;
    s.micro_batch_size = 1;
    return s;
}

bool says(const Report& report, std::string_view id) {
    return test::assumes(report.assumptions, id);
}

const Problem* problem_of(const Report& report, std::string_view code) {
    return test::find_problem(report.problems, code);
}

}  // namespace

TEST_CASE("Every case of Megatron's own function, by every version of it", "[memory][megatron_report]") {
    const nlohmann::json data = reference();
    REQUIRE(data["cases"].size() >= 19);
    for (const nlohmann::json& one : data["cases"]) {
        for (const auto& [version, expected] : one["expected"].items()) {
            INFO(one["name"].get<std::string>() << ", " << version);
            Scenario scenario = read_case(one["scenario"]);
            scenario.framework_version = version;
            const Report report = report_of(scenario);
            const Shard& most = report.shards.front();
            CHECK(most.name == "most loaded");
            CHECK_THAT(
                most.weight_and_optimizer_bytes,
                Catch::Matchers::WithinRel(expected["weight_and_optimizer_bytes"].get<double>(), kTolerance));
            REQUIRE(most.activation_bytes);
            CHECK_THAT(*most.activation_bytes,
                       Catch::Matchers::WithinRel(expected["activation_bytes"].get<double>(), kTolerance));

            const nlohmann::json& printed = expected["printed"];
            check_printed(printed, "most_loaded_billions", most.parameters, 0.5e-4);
            check_printed(printed, "total_billions", static_cast<double>(report.parameters.total), 0.5e-2);
            check_printed(printed, "active_billions", static_cast<double>(report.parameters.active), 0.5e-2);
            CHECK(printed.contains("other_billions") == (report.shards.size() == 2));
            if (report.shards.size() == 2)
                check_printed(printed, "other_billions", report.shards[1].parameters, 0.5e-4);
        }
    }
}

TEST_CASE("A release between two versions of the file has the older one", "[memory][megatron_report]") {
    const nlohmann::json one = reference()["cases"].back();
    Scenario scenario = read_case(one["scenario"]);
    const auto bytes = [&](std::string_view version) {
        scenario.framework_version = version;
        return report_of(scenario).shards.front().weight_and_optimizer_bytes;
    };
    CHECK(bytes("v0.15.3") == bytes("core_v0.15.0"));
    CHECK(bytes("v0.15.3") == bytes("2026-01-29"));
    CHECK(bytes("core_v0.16.1") == bytes("core_v0.17.0"));
    CHECK(bytes("core_v0.18.0") == bytes("2026-05-14"));
    CHECK(bytes("core_v0.19.0") == bytes("main"));
    CHECK(bytes("") == bytes("main"));

    scenario.framework_version = "core_v0.14.0";
    CHECK(says(report_of(scenario), "megatron_report.older"));
    scenario.framework_version = "core_v0.15.3";
    CHECK_FALSE(says(report_of(scenario), "megatron_report.older"));
}

TEST_CASE("Shards stand in place of ranks", "[memory][megatron_report]") {
    Scenario scenario = small();
    scenario.pipeline_model_parallel_size = 2;
    const Report report = report_of(scenario);
    CHECK(report.ranks.empty());
    CHECK(report.worst_rank == -1);
    REQUIRE(report.shards.size() == 2);
    CHECK(report.shards[1].name == "other");
    CHECK_FALSE(report.shards[1].total_bytes());
    CHECK(report.fits());
    CHECK(report.needed() + report.headroom() == report.capacity.usable);

    double parameters = 0;
    for (const ShardItem& item : report.shards[0].modules)
        parameters += item.parameters;
    CHECK(parameters == report.shards[0].parameters);

    const nlohmann::json json = nlohmann::json::parse(write_report_json(report));
    CHECK(json["method"] == "megatron-report");
    CHECK(json["ranks"].empty());
    CHECK(json["worst_rank"].is_null());
    CHECK(json["gpu"]["fits"] == true);
    REQUIRE(json["shards"].size() == 2);
    CHECK(json["shards"][0]["total_bytes"] == *report.shards[0].total_bytes());
    CHECK(json["shards"][1]["activation_bytes"].is_null());

    scenario.pipeline_model_parallel_size = 1;
    CHECK(report_of(scenario).shards.size() == 1);
}

TEST_CASE("A pipeline that Megatron refuses is a warning, as long as VPP is known",
          "[memory][megatron_report]") {
    Scenario scenario = small();
    scenario.pipeline_model_parallel_size = 2;
    scenario.num_layers = 7;
    const Report uneven = report_of(scenario);
    REQUIRE(problem_of(uneven, "layers_over_pp") != nullptr);
    CHECK(problem_of(uneven, "layers_over_pp")->severity == Severity::warning);

    // Six layers in the layout and seven in the model: only the number of stages counts.
    scenario.pipeline_model_parallel_layout = "Ett|tt|t|tL";
    const Report miscounted = report_of(scenario);
    CHECK(miscounted.virtual_stages == 2);
    REQUIRE(problem_of(miscounted, "layout_count") != nullptr);
    CHECK(problem_of(miscounted, "layout_count")->severity == Severity::warning);

    scenario.pipeline_model_parallel_layout = "Ett|tt|tttL";
    const Report odd = estimate(scenario, Method::megatron_report);
    CHECK_FALSE(odd.valid);
    CHECK(odd.shards.empty());
    REQUIRE(problem_of(odd, "layout_stages") != nullptr);
    CHECK(problem_of(odd, "layout_stages")->severity == Severity::error);
    const nlohmann::json json = nlohmann::json::parse(write_report_json(odd));
    CHECK(json["valid"] == false);
    CHECK(json["shards"].empty());
}

TEST_CASE("Ways to give VPP agree, and VPP 1 is no VPP", "[memory][megatron_report]") {
    Scenario scenario = small();
    scenario.pipeline_model_parallel_size = 2;
    const double plain = *report_of(scenario).shards[0].activation_bytes;
    scenario.num_virtual_stages_per_pipeline_rank = 1;
    CHECK(*report_of(scenario).shards[0].activation_bytes == plain);
    scenario.num_virtual_stages_per_pipeline_rank = 2;
    const double interleaved = *report_of(scenario).shards[0].activation_bytes;
    CHECK_THAT(interleaved, Catch::Matchers::WithinRel(plain * 1.25, kTolerance));

    scenario.num_virtual_stages_per_pipeline_rank.reset();
    scenario.num_layers_per_virtual_pipeline_stage = 2;
    CHECK(*report_of(scenario).shards[0].activation_bytes == interleaved);
    scenario.num_layers_per_virtual_pipeline_stage.reset();
    scenario.pipeline_model_parallel_layout = "Ett|tt|tt|ttL";
    CHECK(*report_of(scenario).shards[0].activation_bytes == interleaved);
}

TEST_CASE("Sequence parallelism is off at TP 1, as Megatron turns it off", "[memory][megatron_report]") {
    Scenario scenario = small();
    scenario.recompute_granularity = RecomputeGranularity::selective;
    const double without = *report_of(scenario).shards[0].activation_bytes;
    scenario.sequence_parallel = true;
    CHECK(*report_of(scenario).shards[0].activation_bytes == without);
}

TEST_CASE("Numbers beyond 2^53 are refused", "[memory][megatron_report]") {
    Scenario scenario = small();
    scenario.num_layers = 1000;
    scenario.seq_length = 1 << 24;
    scenario.micro_batch_size = 1 << 12;
    const Report report = estimate(scenario, Method::megatron_report);
    CHECK_FALSE(report.valid);
    CHECK(report.shards.empty());
    CHECK(problem_of(report, "too_large") != nullptr);
}

TEST_CASE("What the report leaves out is said where it matters", "[memory][megatron_report]") {
    Scenario scenario = small();
    CHECK_FALSE(says(report_of(scenario), "megatron_report.cp"));
    scenario.context_parallel_size = 2;
    CHECK(says(report_of(scenario), "megatron_report.cp"));
    CHECK(says(report_of(scenario), "megatron_report.optimizer_shards"));
    CHECK_FALSE(says(report_of(scenario), "megatron_report.moe_activations"));
    scenario.num_experts = 8;
    CHECK(says(report_of(scenario), "megatron_report.moe_activations"));
    CHECK_FALSE(says(report_of(scenario), "megatron_report.experts"));
    scenario.framework_version = "v0.15.3";
    CHECK(says(report_of(scenario), "megatron_report.experts"));
}

TEST_CASE("Every item of a shard has its formula, and every formula an item", "[memory][megatron_report]") {
    const nlohmann::json data = reference();
    std::set<std::string_view> used;
    for (const nlohmann::json& one : data["cases"]) {
        for (const bool sequence_parallel : {false, true}) {
            Scenario scenario = read_case(one["scenario"]);
            if (sequence_parallel) {
                scenario.sequence_parallel = true;
                scenario.recompute_granularity = RecomputeGranularity::selective;
            }
            for (const Shard& shard : report_of(scenario).shards) {
                for (const auto* items : {&shard.modules, &shard.activations}) {
                    for (const ShardItem& item : *items) {
                        INFO(item.formula);
                        const Formula* formula = find_formula(item.formula);
                        REQUIRE(formula != nullptr);
                        CHECK_FALSE(formula->symbols.empty());
                        CHECK_FALSE(formula->source.empty());
                        used.insert(item.formula);
                    }
                }
            }
        }
    }
    for (const Formula& formula : megatron_report_formulas()) {
        INFO(formula.id);
        CHECK(used.contains(formula.id));
    }
}

}  // namespace megamem

#include "memory/estimate.h"

#include <rapidcheck.h>

#include <catch2/catch_test_macros.hpp>

#include "engine/support/generators.h"
#include "engine/support/problems.h"
#include "engine/support/scenarios.h"
#include "memory/report_json.h"
#include "scenario/presets.h"

namespace megamem {

using test::find_problem;
using test::with;

TEST_CASE("An empty scenario gives no number and says what is missing", "[memory][estimate]") {
    const Report report = estimate({}, Method::calculator);
    CHECK_FALSE(report.valid);
    CHECK(report.ranks.empty());
    CHECK(report.worst_rank == -1);
    CHECK(report.problems.size() == 6);
    CHECK(report.capacity.gpu == "H100-80");
}

TEST_CASE("Warnings leave the numbers, errors take them", "[memory][estimate]") {
    const Report warned = estimate(with(test::clean_moe(), "global_batch_size=30"), Method::calculator);
    CHECK(warned.valid);
    CHECK(warned.ranks.size() == 2);
    CHECK(warned.micro_batches == 0);
    const Report refused = estimate(with(test::clean_moe(), "num_experts=6"), Method::calculator);
    CHECK_FALSE(refused.valid);
    CHECK(refused.ranks.empty());
    CHECK(refused.groups.world_size == 16);
}

TEST_CASE("Errors stand before warnings, and a layout's are told with the others", "[memory][estimate]") {
    const Report report = estimate(
        with(test::clean_moe(), "moe_router_topk=99 num_experts=6 pipeline_model_parallel_layout=Ex|L"),
        Method::calculator);
    REQUIRE(report.problems.size() == 3);
    CHECK(report.problems[0].severity == Severity::error);
    CHECK(report.problems[1].severity == Severity::error);
    CHECK(report.problems[2].severity == Severity::warning);
    CHECK(find_problem(report.problems, "layout_character") != nullptr);
    CHECK(find_problem(report.problems, "experts_over_ep") != nullptr);
}

TEST_CASE("The clean scenarios give numbers with each method, without a word", "[memory][estimate]") {
    for (const Method method : {Method::detailed, Method::calculator, Method::megatron_report}) {
        for (const Scenario& scenario : {test::clean_moe(), test::clean_dense()}) {
            const Report report = estimate(scenario, method);
            INFO(name_of(method) << '\n' << test::shown(report.problems));
            CHECK(report.method == method);
            CHECK(report.valid);
            CHECK(report.needed() > 0);
            for (const Problem& problem : report.problems)
                CHECK(problem.severity == Severity::info);
        }
        CHECK_FALSE(estimate({}, method).valid);
    }
}

TEST_CASE("Contradicting layer types are an error", "[memory][estimate]") {
    const Report report = estimate(with(test::clean_moe(), "moe_layer_freq=[0]*3+[1]*5"), Method::calculator);
    CHECK_FALSE(report.valid);
    CHECK(find_problem(report.problems, "layer_types_conflict") != nullptr);
}

TEST_CASE("The GPU's size is the preset's", "[memory][estimate]") {
    for (const Gpu& gpu : gpus()) {
        Scenario scenario = test::clean_moe();
        scenario.gpu = gpu.id;
        const Report report = estimate(scenario, Method::calculator);
        CHECK(report.capacity.gpu == gpu.id);
        CHECK(report.capacity.usable == gpu.usable_bytes);
    }
    const Report too_big = estimate(with(test::clean_dense(), "nccl_buffer_gib=1024"), Method::calculator);
    CHECK(too_big.valid);
    CHECK_FALSE(too_big.fits());
    CHECK(too_big.headroom() < 0);
}

TEST_CASE("Micro-batches of a step", "[memory][estimate]") {
    CHECK(estimate(test::clean_moe(), Method::calculator).micro_batches == 8);
    CHECK(estimate(with(test::clean_moe(), "global_batch_size=none"), Method::calculator).micro_batches == 1);
    CHECK(estimate(with(test::clean_moe(), "micro_batch_size=4"), Method::calculator).micro_batches == 2);
}

TEST_CASE("The largest scenario that the fields take is refused, not wrapped", "[memory][estimate]") {
    Scenario scenario;
    for (const Field& field : field_table()) {
        if (field.type == FieldType::integer) REQUIRE_FALSE(set_integer(scenario, field, field.max));
    }
    // These would be refused for other reasons.
    scenario = with(std::move(scenario),
                    "num_layers_per_virtual_pipeline_stage=none decoder_first_pipeline_num_layers=none "
                    "decoder_last_pipeline_num_layers=none");
    for (const char* settings :
         {"", "num_virtual_stages_per_pipeline_rank=none num_layers=4096",
          "nodes=1 gpus_per_node=1 tensor_model_parallel_size=1 pipeline_model_parallel_size=1 "
          "context_parallel_size=1 expert_model_parallel_size=1 num_virtual_stages_per_pipeline_rank=none",
          "nodes=1 gpus_per_node=1 tensor_model_parallel_size=1 pipeline_model_parallel_size=1 "
          "context_parallel_size=1 expert_model_parallel_size=1 num_virtual_stages_per_pipeline_rank=2500 "
          "num_experts=0 vision_num_layers=0"}) {
        INFO(settings);
        const Report report = estimate(with(scenario, settings), Method::calculator);
        INFO(test::shown(report.problems));
        CHECK_FALSE(report.valid);
        CHECK(report.ranks.empty());
        CHECK(has_error(report.problems));
    }
    const Report large = estimate(
        with(
            scenario,
            "nodes=1 gpus_per_node=1 tensor_model_parallel_size=1 pipeline_model_parallel_size=1 "
            "context_parallel_size=1 expert_model_parallel_size=1 num_virtual_stages_per_pipeline_rank=none"),
        Method::calculator);
    CHECK(find_problem(large.problems, "too_large") != nullptr);
}

TEST_CASE("Property: any scenario gives numbers or errors, and sound JSON", "[memory][estimate][property]") {
    CHECK(rc::check("numbers or errors", [] {
        const Scenario scenario = test::any_scenario();
        const Report report = estimate(scenario, Method::calculator);
        RC_ASSERT(report.valid == !has_error(report.problems));
        RC_ASSERT(report.valid == !report.ranks.empty());
        for (const Problem& problem : report.problems) {
            RC_ASSERT(!problem.message.empty());
            RC_ASSERT(!problem.code.empty());
        }
        RC_ASSERT(!nlohmann::json::parse(write_report_json(report, -1), nullptr, false).is_discarded());
    }));
}

TEST_CASE("Property: the same scenario gives the same report", "[memory][estimate][property]") {
    CHECK(rc::check("pure", [] {
        const Scenario scenario = test::valid_scenario();
        RC_ASSERT(write_report_json(estimate(scenario, Method::calculator)) ==
                  write_report_json(estimate(scenario, Method::calculator)));
    }));
}

}  // namespace megamem

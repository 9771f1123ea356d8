#include "memory/report_json.h"

#include <catch2/catch_test_macros.hpp>

#include "engine/support/data.h"
#include "engine/support/scenarios.h"
#include "memory/estimate.h"

namespace megamem {

using test::with;

namespace {

nlohmann::json json_of_estimate(const Scenario& scenario) {
    return test::parse_json(write_report_json(estimate(scenario, Method::calculator)));
}

std::vector<std::string> keys_of(const nlohmann::json& object) {
    std::vector<std::string> keys;
    for (const auto& [key, value] : object.items())
        keys.push_back(key);
    return keys;
}

}  // namespace

TEST_CASE("A report's JSON has the promised shape", "[memory][json]") {
    const nlohmann::json json = json_of_estimate(test::clean_moe());
    CHECK(json["schema"] == 1);
    CHECK(json["method"] == "calculator");
    CHECK(json["valid"] == true);
    CHECK(json["groups"] == nlohmann::json{{"world_size", 16},
                                           {"data_parallel_size", 4},
                                           {"expert_data_parallel_size", 2},
                                           {"shared_expert_data_parallel_size", 8},
                                           {"vision_data_parallel_size", 16}});
    CHECK(json["micro_batches"] == 8);
    CHECK(json["virtual_stages"] == 1);
    REQUIRE(json["ranks"].size() == 2);
    CHECK(json["problems"] == nlohmann::json::array());
    CHECK_FALSE(json["assumptions"].empty());
    CHECK(json["gpu"]["id"] == "H100-80");
    CHECK(json["gpu"]["fits"] == true);

    const nlohmann::json& rank = json["ranks"][1];
    CHECK(rank["pipeline_rank"] == 1);
    CHECK(rank["layers"] ==
          nlohmann::json{{"embedding", 0}, {"dense", 0}, {"moe", 4}, {"mtp", 0}, {"output", 1}});
    CHECK(rank["chunks"] == nlohmann::json{"ttttL"});
    CHECK(rank["modules"].size() == 11);
    CHECK(rank["activations"].size() == 20);
    CHECK_FALSE(rank.contains("vision"));
    CHECK(keys_of(rank["modules"][0]) == std::vector<std::string>{"elements", "fp8_cache", "grad", "master",
                                                                  "module", "optimizer", "weight"});
    CHECK(keys_of(rank["totals"]) == std::vector<std::string>{"activation", "fp8_cache", "grad", "master",
                                                              "optimizer", "reserve", "total", "vision",
                                                              "weight"});
    CHECK(json["gpu"]["headroom_bytes"] ==
          json["gpu"]["usable_bytes"].get<Bytes>() -
              json["ranks"][json["worst_rank"].get<std::size_t>()]["totals"]["total"].get<Bytes>());
}

TEST_CASE("An invalid report says why and gives no rank", "[memory][json]") {
    const nlohmann::json json = json_of_estimate(with(test::clean_moe(), "num_experts=6 moe_router_topk=7"));
    CHECK(json["valid"] == false);
    CHECK(json["ranks"] == nlohmann::json::array());
    CHECK(json["worst_rank"].is_null());
    CHECK_FALSE(json["gpu"].contains("fits"));
    REQUIRE(json["problems"].size() == 2);
    CHECK(json["problems"][0] == nlohmann::json{{"severity", "error"},
                                                {"code", "experts_over_ep"},
                                                {"path", "num_experts"},
                                                {"message", "num_experts 6 is not divisible by EP 4"}});
    CHECK(json["problems"][1]["severity"] == "warning");
}

TEST_CASE("Broken text in a problem can't break the JSON", "[memory][json]") {
    Report report;
    report.problems.push_back({Severity::info, "x", "a\xFF", "b\xC3\n\"</script>"});
    const nlohmann::json json = test::parse_json(write_report_json(report, -1));
    CHECK(json["problems"][0]["path"] == "a\uFFFD");
    CHECK(json["problems"][0]["message"] == "b\uFFFD\n\"</script>");
    CHECK(json["problems"][0]["severity"] == "info");
}

}  // namespace megamem

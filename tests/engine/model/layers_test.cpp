#include "model/layers.h"

#include <catch2/catch_test_macros.hpp>

#include "engine/support/problems.h"
#include "engine/support/scenarios.h"

namespace megamem {

using test::with;
using Types = std::vector<bool>;

namespace {

std::optional<Types> types_of(const Scenario& scenario, Problems& problems) {
    Assumptions assumptions;
    const auto resolved = resolve(scenario, problems, assumptions);
    REQUIRE(resolved);
    return moe_layers(scenario, *resolved, problems);
}

Types types_of(const char* settings) {
    Problems problems;
    const auto types = types_of(with(test::clean_moe(), std::string("num_layers=5 ") + settings), problems);
    INFO(test::shown(problems));
    CHECK(problems.empty());
    REQUIRE(types);
    return *types;
}

}  // namespace

TEST_CASE("Which layers are MoE", "[model]") {
    CHECK(types_of("num_experts=0") == Types{false, false, false, false, false});
    CHECK(types_of("num_dense_layers=none") == Types{true, true, true, true, true});
    CHECK(types_of("num_dense_layers=0") == Types{true, true, true, true, true});
    CHECK(types_of("num_dense_layers=2") == Types{false, false, true, true, true});
    CHECK(types_of("num_dense_layers=9") == Types{false, false, false, false, false});
    CHECK(types_of("num_dense_layers=none moe_layer_freq=2") == Types{true, false, true, false, true});
    CHECK(types_of("num_dense_layers=none moe_layer_freq=[1,0,0,1,1]") ==
          Types{true, false, false, true, true});
    CHECK(types_of("num_dense_layers=2 moe_layer_freq=[0]*2+[1]*3") == Types{false, false, true, true, true});
    // A dense model has no layer types to contradict.
    CHECK(types_of("num_experts=0 num_dense_layers=2 moe_layer_freq=1") ==
          Types{false, false, false, false, false});
}

TEST_CASE("Two statements that contradict each other are an error that names the layer", "[model]") {
    Problems problems;
    const auto types = types_of(
        with(test::clean_moe(), "num_layers=5 num_dense_layers=2 moe_layer_freq=[0]*3+[1]*2"), problems);
    CHECK_FALSE(types);
    REQUIRE(problems.size() == 1);
    CHECK(problems[0].code == "layer_types_conflict");
    CHECK(problems[0].severity == Severity::error);
    CHECK(problems[0].message ==
          "num_dense_layers 2 makes layer 2 MoE and moe_layer_freq ([0]*3+[1]*2) makes it dense");
}

}  // namespace megamem

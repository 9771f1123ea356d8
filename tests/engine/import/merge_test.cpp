#include "import/merge.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>

namespace megamem {

namespace {

Import import_of(std::vector<Taken> taken, std::vector<Taken> defaults = {}) {
    Import import;
    import.taken = std::move(taken);
    import.defaults = std::move(defaults);
    return import;
}

Merged merge(std::vector<Import> imports) {
    return merge_imports(Scenario{}, imports);
}

}  // namespace

TEST_CASE("a later import replaces what an earlier one set, and says so", "[import][merge]") {
    const Merged merged = merge({import_of({{"num_layers", "61", "num_hidden_layers", 3}}),
                                 import_of({{"num_layers", "4", "--num-layers 4", 1}})});
    CHECK(merged.scenario.num_layers == 4);
    REQUIRE(merged.problems.size() == 1);
    CHECK(merged.problems[0].path == "num_layers");
    CHECK(merged.problems[0].message == "num_layers: 4 replaces 61");
}

TEST_CASE("what a script means by silence doesn't replace what a config says", "[import][merge]") {
    const Merged merged = merge({import_of({{"swiglu", "1", "hidden_act", 1}}),
                                 import_of({{"hidden_size", "64", "--hidden-size 64", 1}},
                                           {{"swiglu", "0", "", 0}, {"precision", "fp32", "", 0}})});
    CHECK(merged.scenario.swiglu);
    CHECK(merged.scenario.precision == Precision::fp32);
    CHECK(merged.problems.empty());
}

TEST_CASE("required fields that nobody sets are listed", "[import][merge]") {
    const Merged merged = merge({import_of({{"num_layers", "61", "", 0}})});
    CHECK(std::find(merged.missing.begin(), merged.missing.end(), "hidden_size") != merged.missing.end());
    CHECK(std::find(merged.missing.begin(), merged.missing.end(), "num_layers") == merged.missing.end());
}

TEST_CASE("which layers are dense is said in one way, by whoever speaks last", "[import][merge]") {
    const Import config = import_of({{"num_dense_layers", "3", "first_k_dense_replace", 1}});
    const Import script = import_of({{"moe_layer_freq", "([0]*1+[1]*3)", "--moe-layer-freq", 1}});
    const Import silent = import_of({}, {{"moe_layer_freq", "1", "", 0}});
    const Scenario first = merge({config, script}).scenario;
    CHECK_FALSE(first.num_dense_layers);
    CHECK(first.moe_layer_freq == "([0]*1+[1]*3)");
    const Scenario second = merge({script, config}).scenario;
    CHECK(second.num_dense_layers == 3);
    CHECK(second.moe_layer_freq.empty());
    const Scenario third = merge({silent, config}).scenario;
    CHECK(third.num_dense_layers == 3);
    CHECK(third.moe_layer_freq.empty());
    // What the imports are put on counts less than any of them.
    Scenario base;
    base.num_dense_layers = 2;
    CHECK_FALSE(merge_imports(base, {{script}}).scenario.num_dense_layers);
}

}  // namespace megamem

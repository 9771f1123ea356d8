#include "link/link_pair.h"

#include <rapidcheck.h>

#include <catch2/catch_test_macros.hpp>

#include "engine/support/generators.h"
#include "scenario/presets.h"

namespace megamem {

TEST_CASE("a pair of scenarios is one link", "[link][pair]") {
    Scenario open = scenario_of(*find_preset("deepseek-v3"));
    Scenario compared = open;
    open.micro_batch_size = 2;
    compared.tensor_model_parallel_size = 8;
    const std::string link = write_link_pair(write_link(open, "deepseek-v3", Method::calculator),
                                             write_link(compared, "deepseek-v3"));
    CHECK(link == "#v=1&m=deepseek-v3&mt=calculator&mb=2&a.v=1&a.m=deepseek-v3&a.tp=8&z=1");
    const ReadLinkPair read = read_link_pair(link);
    CHECK(read.open.scenario == open);
    CHECK(read.open.method == Method::calculator);
    CHECK(read.open.problems.empty());
    REQUIRE(read.compared);
    CHECK(read.compared->scenario == compared);
    CHECK(read.compared->preset == "deepseek-v3");
    CHECK(read.compared->problems.empty());
}

TEST_CASE("a link of one scenario has nothing to compare", "[link][pair]") {
    const ReadLinkPair read = read_link_pair("#v=1&m=deepseek-v3&tp=8&z=1");
    CHECK(!read.compared);
    CHECK(read.open.scenario.tensor_model_parallel_size == 8);
    CHECK(read_link_pair("").open.empty);
}

TEST_CASE("what is wrong with either half is said, and a cut in the last one", "[link][pair]") {
    const ReadLinkPair read = read_link_pair("https://example.org/#v=1&m=deepseek-v3&a.v=1&amp;a.tp=x");
    REQUIRE(read.compared);
    REQUIRE(read.open.problems.size() == 1);
    CHECK(read.open.problems[0].code == "html_entities");
    REQUIRE(read.compared->problems.size() == 2);
    CHECK(read.compared->problems[0].path == "tensor_model_parallel_size");
    CHECK(read.compared->problems[1].code == "link_cut");
}

TEST_CASE("Property: any two scenarios come back from their link", "[link][pair][property]") {
    CHECK(rc::check("read(write(a, b)) == (a, b)", [] {
        const Scenario open = test::any_scenario();
        const Scenario compared = test::any_scenario();
        const ReadLinkPair read =
            read_link_pair(write_link_pair(write_link(open, ""), write_link(compared, "deepseek-v3")));
        RC_ASSERT(read.compared.has_value());
        RC_ASSERT(read.open.scenario == open);
        RC_ASSERT(read.compared->scenario == compared);
    }));
}

}  // namespace megamem

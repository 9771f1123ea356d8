#include "scenario/layer_pattern.h"

#include <catch2/catch_test_macros.hpp>

#include "engine/support/problems.h"

namespace megamem {

using test::holds;
using Runs = std::vector<LayerRun>;

TEST_CASE("A number makes every N-th layer MoE, from the first", "[scenario]") {
    const LayerPattern pattern = parse_layer_pattern(" 3 ");
    CHECK(pattern.error.empty());
    CHECK(pattern.every == 3);
    CHECK(to_text(pattern) == "3");
    CHECK(expand(pattern, 7) == std::vector<bool>{true, false, false, true, false, false, true});
    CHECK(expand(parse_layer_pattern("1"), 3) == std::vector<bool>{true, true, true});
}

TEST_CASE("Lists and Python expressions say the same", "[scenario]") {
    const Runs runs = {{false, 3}, {true, 2}};
    for (const char* text :
         {"[0,0,0,1,1]", "[0, 0, 0, 1, 1,]", "([0]*3+[1]*2)", "[0]*3 + [1]*2", "[0]*3+([1]+[1])",
          "([0,0]+[0])+[1]*2", "  ( [ 0 ] * 3 + [1] * 2 )  ", "[0]*3+[]+[1]*2", "[0]*3+[0]*0+[1]*2"}) {
        INFO(text);
        const LayerPattern pattern = parse_layer_pattern(text);
        CHECK(pattern.error.empty());
        CHECK(pattern.every == 0);
        CHECK(pattern.runs == runs);
        CHECK(pattern.length() == 5);
        CHECK(to_text(pattern) == "([0]*3+[1]*2)");
    }
}

TEST_CASE("A repeated group keeps its order", "[scenario]") {
    const LayerPattern pattern = parse_layer_pattern("([0]+[1]*2)*3");
    CHECK(pattern.runs == Runs{{false, 1}, {true, 2}, {false, 1}, {true, 2}, {false, 1}, {true, 2}});
    CHECK(expand(pattern, 9) == std::vector<bool>{false, true, true, false, true, true, false, true, true});
}

TEST_CASE("A mistake is told with its position", "[scenario]") {
    struct Case {
        const char* text;
        const char* says;
        const char* where;
    };
    for (const Case& c : {
             Case{"[0,2]", "expected 0 or 1", "position 5"},
             Case{"[0;1]", "expected ','", "position 3"},
             Case{"[0,1", "expected ','", "at the end"},
             Case{"([0]*3", "expected ')'", "at the end"},
             Case{"[0]*x", "expected a count", "position 5"},
             Case{"[0]*3]", "unexpected character", "position 6"},
             Case{"0", "at least 1", "at the end"},
             Case{"-1", "expected '['", "position 1"},
             Case{"1.5", "unexpected character", "position 2"},
             Case{"", "expected '['", "at the end"},
             Case{"层", "expected '['", "position 1"},
         }) {
        INFO(c.text);
        const LayerPattern pattern = parse_layer_pattern(c.text);
        INFO(pattern.error);
        CHECK(holds(pattern.error, c.says));
        CHECK(holds(pattern.error, c.where));
        CHECK(pattern.runs.empty());
        CHECK(pattern.every == 0);
    }
    CHECK(holds(parse_layer_pattern("[]").error, "empty"));
    CHECK(holds(parse_layer_pattern("[0]*0").error, "empty"));
}

TEST_CASE("Size bombs are refused before they are made", "[scenario]") {
    std::string deep;
    for (int i = 0; i < 100'000; ++i)
        deep += '(';
    std::string powers = "[0,1]";
    for (int i = 0; i < 12; ++i)
        powers = "(" + powers + ")*1000";
    for (const std::string& text :
         {std::string("[1]*999999999"), std::string("[1]*99999999999999999999999"), deep, powers,
          std::string("[0,1]*1000000"), std::string("([1]*1000000)*1000000"),
          std::string("[1]*1000000+[1]*1000000")}) {
        INFO(text.substr(0, 60));
        CHECK_FALSE(parse_layer_pattern(text).error.empty());
    }
}

}  // namespace megamem

#include "link/view.h"

#include <catch2/catch_test_macros.hpp>

#include "link/link_pair.h"
#include "scenario/field.h"

namespace megamem {

namespace {

const LinkView kFull{.tab = "methods", .rank = 3, .cell = "all layers.weight#2", .language = "zh"};

}  // namespace

TEST_CASE("A link carries the view after the fields", "[link][view]") {
    Scenario scenario;
    scenario.num_layers = 61;
    const std::string link = write_link(scenario, "", Method::calculator, kFull, LinkStamp{"0.1.0", "61.20"});
    CHECK(link ==
          "#v=1&mt=calculator&l=61&tab=methods&rank=3&at=all%20layers.weight%232&lang=zh&ver=0.1.0"
          "&was=61.20&z=1");
    const ReadLink read = read_link(link);
    CHECK(read.problems.empty());
    CHECK(read.scenario == scenario);
    CHECK(read.view == kFull);
    CHECK(read.stamp == LinkStamp{"0.1.0", "61.20"});
}

TEST_CASE("A view that isn't chosen writes nothing", "[link][view]") {
    CHECK(write_link({}, "", Method::detailed, {}, {}) == "#v=1&z=1");
    const ReadLink read = read_link("#v=1&z=1");
    CHECK(read.view == LinkView{});
    CHECK_FALSE(read.stamp);
}

TEST_CASE("What no link can carry is left out", "[link][view]") {
    CHECK(link_text(LinkView{.tab = "Two words"}).empty());
    CHECK(link_text(LinkView{.tab = "seventeen-letters"}).empty());
    CHECK(link_text(LinkView{.rank = -1}).empty());
    CHECK(link_text(LinkView{.cell = std::string(201, 'a')}).empty());
    CHECK(link_text(LinkView{.cell = "a\nb"}).empty());
    CHECK(link_text(LinkView{.cell = "\xFF"}).empty());
    CHECK(link_text(LinkView{.language = "fr"}).empty());
    CHECK(link_text(LinkStamp{"0.1.0", "61.2"}).empty());
    CHECK(link_text(LinkStamp{"0.1 0", "61.20"}).empty());
    CHECK(link_text(LinkStamp{"", "61.20"}).empty());
}

TEST_CASE("A view or stamp that can't be used is told quietly and changes nothing else", "[link][view]") {
    for (const char* pair : {"tab=A%20B", "tab=", "rank=x", "rank=-1", "at=", "at=%FF", "lang=fr", "ver=%20",
                             "was=61", "was=61.2", "was=.20", "was=6a.20"}) {
        INFO(pair);
        const ReadLink read = read_link("#v=1&l=61&" + std::string(pair) + "&z=1");
        CHECK(read.view == LinkView{});
        CHECK_FALSE(read.stamp);
        CHECK(read.scenario.num_layers == 61);
        REQUIRE(read.problems.size() == 1);
        CHECK(read.problems[0].severity == Severity::info);
    }
    CHECK(read_link("#v=1&lang=fr&z=1").problems[0].message ==
          "lang in the link must be en or zh, not \"fr\": ignored");
}

TEST_CASE("Half a stamp is none", "[link][view]") {
    CHECK_FALSE(read_link("#v=1&ver=0.1.0&z=1").stamp);
    CHECK_FALSE(read_link("#v=1&was=61.20&z=1").stamp);
}

TEST_CASE("A pair of links has one view: the open one's", "[link][view][pair]") {
    const LinkView other{.tab = "notes", .rank = 1, .cell = "weight", .language = "en"};
    const LinkStamp stamp{"0.1.0", "1.00"};
    const std::string link = write_link_pair(write_link({}, "", Method::detailed, kFull, stamp),
                                             write_link({}, "", Method::detailed, other, stamp));
    CHECK(link == "#v=1&tab=methods&rank=3&at=all%20layers.weight%232&lang=zh&ver=0.1.0&was=1.00&a.v=1&z=1");
    const ReadLinkPair read = read_link_pair(link);
    CHECK(read.open.view == kFull);
    CHECK(read.open.stamp == stamp);
    REQUIRE(read.compared);
    CHECK(read.compared->view == LinkView{});
}

TEST_CASE("Another number of another version is told", "[link][view]") {
    const LinkStamp then{"0.1.0", "61.20"};
    CHECK(changed_since(then, {"0.2.0", "60.95"}) == "This number was 61.20 GiB with version 0.1.0.");
    CHECK_FALSE(changed_since(then, {"0.2.0", "61.20"}));
    // The same version gives the same number: somebody has edited the link.
    CHECK_FALSE(changed_since(then, {"0.1.0", "60.95"}));
}

TEST_CASE("No field has a key of the link's own", "[link][view]") {
    for (const char* key : {"v", "m", "mt", "z", "tab", "rank", "at", "lang", "ver", "was"}) {
        INFO(key);
        CHECK(find_field_by_link_key(key) == nullptr);
        CHECK(find_field(key) == nullptr);
    }
}

}  // namespace megamem

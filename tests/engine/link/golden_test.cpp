// tests/data/links/v1.txt: links of version 1 and what each must give for ever.
#include <catch2/catch_test_macros.hpp>

#include "base/text.h"
#include "engine/support/data.h"
#include "engine/support/problems.h"
#include "link/link_pair.h"
#include "scenario/scenario_json.h"

namespace megamem {

namespace {

using Json = nlohmann::json;

void check_read(const ReadLink& read, const Json& expected) {
    const ReadScenario scenario = read_scenario_json(expected.value("scenario", Json::object()).dump());
    INFO(test::shown(scenario.problems));
    REQUIRE(scenario.problems.empty());
    INFO("read " << write_scenario_json(read.scenario, -1));
    CHECK(read.scenario == scenario.scenario);
    CHECK(read.preset == expected.value("preset", ""));
    CHECK(name_of(read.method) == expected.value("method", "detailed"));
    const Json view = expected.value("view", Json::object());
    CHECK(read.view.tab == view.value("tab", ""));
    CHECK(read.view.cell == view.value("cell", ""));
    CHECK(read.view.language == view.value("language", ""));
    CHECK(read.view.rank.value_or(-1) == view.value("rank", -1));
    const Json stamp = expected.value("stamp", Json::object());
    CHECK(read.stamp.value_or(LinkStamp{}).version == stamp.value("version", ""));
    CHECK(read.stamp.value_or(LinkStamp{}).gib == stamp.value("gib", ""));
}

}  // namespace

TEST_CASE("Links of version 1 mean the same for ever", "[link][golden]") {
    const std::string text = test::read_file(std::string(MEGAMEM_TEST_DATA) + "/links/v1.txt");
    std::string link;
    int count = 0;
    for (const std::string_view line : split(text, '\n')) {
        if (line.empty() || line.starts_with("// ")) continue;
        if (!line.starts_with("= ")) {
            // A line that follows another belongs to it: a mail program broke it.
            link += (link.empty() ? "" : "\n") + std::string(line);
            continue;
        }
        INFO(link);
        const Json expected = test::parse_json(std::string(line.substr(2)));
        const ReadLinkPair read = read_link_pair(link);
        check_read(read.open, expected);
        REQUIRE(read.compared.has_value() == expected.contains("compared"));
        if (read.compared) check_read(*read.compared, expected["compared"]);
        link.clear();
        ++count;
    }
    CHECK(link.empty());
    CHECK(count >= 60);
}

}  // namespace megamem

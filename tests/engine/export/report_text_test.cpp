#include "export/report_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "base/units.h"
#include "memory/estimate.h"
#include "scenario/presets.h"

namespace megamem {

namespace {

struct Made {
    Scenario scenario = scenario_of(*find_preset("deepseek-v3"));
    Report report;

    explicit Made(Method method = Method::detailed) : report(estimate(scenario, method)) {}
};

bool holds(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("CSV has every item of every rank, in lines of five cells", "[export][csv]") {
    const Made made;
    const std::string csv = export_csv(made.report);
    std::size_t items = 0;
    for (const RankReport& rank : made.report.ranks) {
        items += rank.items.size() + 11;  // ten components and the total
        CHECK(holds(csv, fmt::format("{},,total,total,{}\r\n", rank.pipeline_rank, rank.totals.total)));
    }
    CHECK(static_cast<std::size_t>(std::count(csv.begin(), csv.end(), '\n')) == items + 1);
    CHECK(static_cast<std::size_t>(std::count(csv.begin(), csv.end(), ',')) == 4 * (items + 1));
    CHECK(csv.starts_with("rank,module,component,kind,bytes\r\n"));
}

TEST_CASE("CSV cells are no formulas, and quotes are doubled", "[export][csv]") {
    Report report;
    report.ranks.push_back({});
    for (const char* component : {"=cmd|' /C calc'!A0", "a \"b\", c"}) {
        LineItem item;
        item.component = component;
        item.bytes = 1;
        report.ranks[0].items.push_back(item);
    }
    const std::string csv = export_csv(report);
    CHECK(holds(csv, "0,'=cmd|' /C calc'!A0,'=cmd|' /C calc'!A0,weight,1\r\n"));
    CHECK(holds(csv, "0,\"a \"\"b\"\", c\",\"a \"\"b\"\", c\",weight,1\r\n"));
}

TEST_CASE("CSV of megatron-report has its shards", "[export][csv]") {
    const Made made(Method::megatron_report);
    CHECK(holds(export_csv(made.report), "most loaded,,total,total,"));
}

TEST_CASE("Markdown has the verdict and a row for each rank; names are no markup", "[export][markdown]") {
    Made made;
    made.scenario.name = "a|b\n# <c>";
    const std::string text = export_markdown(made.scenario, made.report);
    CHECK(text.starts_with("**a\\|b \\# \\<c\\>** (megamem, detailed)\n"));
    for (const RankReport& rank : made.report.ranks) {
        CHECK(holds(text, fmt::format("\n| {} | ", rank.pipeline_rank)));
        CHECK(holds(text, fmt::format(" **{}** |\n", gib(rank.totals.total))));
    }
}

TEST_CASE("SVG has a bar for each rank; names are text", "[export][svg]") {
    Made made;
    made.scenario.name = "<script>alert(1)</script>";
    const std::string svg = export_svg(made.scenario, made.report);
    CHECK(svg.starts_with("<svg "));
    CHECK(svg.ends_with("</svg>\n"));
    CHECK_FALSE(holds(svg, "<script"));
    CHECK(holds(svg, "&lt;script&gt;"));
    for (const RankReport& rank : made.report.ranks)
        CHECK(holds(svg, fmt::format(">rank {}</text>", rank.pipeline_rank)));
}

TEST_CASE("A report without a result is exported as such", "[export]") {
    const Report report = estimate(Scenario{}, Method::detailed);
    REQUIRE_FALSE(report.valid);
    CHECK(export_csv(report) == "rank,module,component,kind,bytes\r\n");
    CHECK(holds(export_svg(Scenario{}, report), "no ranks"));
    CHECK(holds(export_markdown(Scenario{}, report), "- error: "));
}

}  // namespace megamem

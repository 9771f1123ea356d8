#include "link/link.h"

#include <rapidcheck.h>

#include <catch2/catch_test_macros.hpp>

#include "base/text.h"
#include "engine/support/generators.h"
#include "engine/support/problems.h"
#include "engine/support/scenarios.h"
#include "scenario/presets.h"

namespace megamem {

using test::find_problem;
using test::holds;
using test::with;

namespace {

// A link that must be read without a word.
Scenario clean(std::string_view link) {
    ReadLink read = read_link(link);
    INFO(link << '\n' << test::shown(read.problems));
    CHECK(read.problems.empty());
    return read.scenario;
}

// A link in which nothing is lost.
Scenario quietly(std::string_view link) {
    ReadLink read = read_link(link);
    INFO(link << '\n' << test::shown(read.problems));
    for (const Problem& problem : read.problems)
        CHECK(problem.severity == Severity::info);
    return read.scenario;
}

Problem only_problem(std::string_view link) {
    const ReadLink read = read_link(link);
    INFO(link.substr(0, 200) << '\n' << test::shown(read.problems));
    REQUIRE(read.problems.size() == 1);
    return read.problems[0];
}

}  // namespace

TEST_CASE("A link is version, preset, differences in the table's order, end mark", "[link]") {
    CHECK(write_link({}, "") == "#v=1&z=1");
    CHECK(write_link(with({}, "tensor_model_parallel_size=8 num_layers=61"), "") == "#v=1&l=61&tp=8&z=1");
    const ModelPreset& preset = *find_preset("deepseek-v3");
    CHECK(write_link(scenario_of(preset), "deepseek-v3") == "#v=1&m=deepseek-v3&z=1");
    CHECK(write_link(with(scenario_of(preset), "tensor_model_parallel_size=4 mtp_num_layers=0"),
                     "deepseek-v3") == "#v=1&m=deepseek-v3&mtp=0&tp=4&z=1");
    // An unknown preset is none.
    CHECK(write_link({}, "no-such-preset") == "#v=1&z=1");
}

TEST_CASE("Every value of every field comes back, over the defaults and over a preset", "[link]") {
    const ModelPreset& preset = *find_preset("deepseek-v3");
    for (const Field& field : field_table()) {
        for (const std::string& value : test::good_values(field)) {
            INFO(field.key << " = " << value.substr(0, 80));
            Scenario scenario;
            REQUIRE_FALSE(set_text(scenario, field, value));
            CHECK(clean(write_link(scenario, "")) == scenario);
            scenario = scenario_of(preset);
            REQUIRE_FALSE(set_text(scenario, field, value));
            const ReadLink read = read_link(write_link(scenario, preset.id));
            CHECK(read.problems.empty());
            CHECK(read.preset == preset.id);
            CHECK(read.scenario == scenario);
        }
    }
}

TEST_CASE("Any preset's scenario can be told from any other preset", "[link]") {
    for (const ModelPreset& from : model_presets()) {
        for (const ModelPreset& to : model_presets()) {
            INFO(from.id << " -> " << to.id);
            const ReadLink read = read_link(write_link(scenario_of(to), from.id));
            CHECK(read.problems.empty());
            CHECK(read.preset == from.id);
            CHECK(read.scenario == scenario_of(to));
        }
    }
}

TEST_CASE("A written link has only characters that programs leave alone", "[link]") {
    for (const Field& field : field_table()) {
        for (const std::string& value : test::good_values(field)) {
            Scenario scenario;
            REQUIRE_FALSE(set_text(scenario, field, value));
            const std::string link = write_link(scenario, "");
            INFO(link.substr(0, 300));
            CHECK(link[0] == '#');
            CHECK(link.substr(1).find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                                   "0123456789-._%=&") == std::string::npos);
        }
    }
}

TEST_CASE("Property: any scenario comes back from its link", "[link][property]") {
    CHECK(rc::check("read(write(s)) == s", [] {
        const Scenario scenario = test::any_scenario();
        std::string preset;
        if (*rc::gen::arbitrary<bool>()) {
            const auto all = model_presets();
            preset = all[*rc::gen::inRange<std::size_t>(0, all.size())].id;
        }
        const auto method = static_cast<Method>(*rc::gen::inRange<int>(0, kMethodNames.size()));
        LinkView view;
        view.tab = *rc::gen::element<std::string>("", "methods", "compare");
        if (*rc::gen::arbitrary<bool>()) view.rank = *rc::gen::inRange<std::int64_t>(0, 1000);
        view.cell =
            *rc::gen::element<std::string>("", "all layers.weight", "experts.activation.q#2", "a&tp=8");
        view.language = *rc::gen::element<std::string>("", "en", "zh");
        std::optional<LinkStamp> stamp;
        if (*rc::gen::arbitrary<bool>())
            stamp = LinkStamp{"0.1.0",
                              fmt::format("{}.{:02}", *rc::gen::inRange(0, 2000), *rc::gen::inRange(0, 100))};
        const std::string link = write_link(scenario, preset, method, view, stamp);
        RC_ASSERT(link.find_first_not_of(
                      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._%=&", 1) ==
                  std::string::npos);
        const ReadLink read = read_link(link);
        if (!read.problems.empty()) RC_FAIL(link + "\n" + test::shown(read.problems));
        RC_ASSERT(read.scenario == scenario);
        RC_ASSERT(read.preset == preset);
        RC_ASSERT(read.method == method);
        RC_ASSERT(read.view == view);
        RC_ASSERT(read.stamp == stamp);
        // Canonical: what was read is written the same.
        RC_ASSERT(write_link(read.scenario, read.preset, read.method, read.view, read.stamp) == link);
    }));
}

TEST_CASE("Property: what happens to links on their way changes nothing", "[link][property]") {
    CHECK(rc::check("mangled", [] {
        const Scenario scenario = test::any_scenario();
        const std::string link = write_link(scenario, "");
        std::string mangled = link;
        const auto replace_all = [&](std::string_view from, std::string_view to) {
            for (std::size_t at = 0; (at = mangled.find(from, at)) != std::string::npos; at += to.size())
                mangled.replace(at, from.size(), to);
        };
        switch (*rc::gen::inRange(0, 7)) {
            case 0:
                replace_all("&", "&amp;");
                break;
            case 1:
                replace_all("&", ";");
                break;
            case 2:
                mangled += *rc::gen::element<std::string>(".", ",", ")", ").", ">", "!", "\"", "']", "\n");
                break;
            case 3:
                mangled = "https://example.org/megamem/?lang=zh" + mangled;
                break;
            case 4:
                mangled = mangled.substr(1);
                break;
            case 5:
                // As a whole, once more: '%' too, so what was encoded before is encoded twice.
                replace_all("%", "%25");
                replace_all("=", "%3D");
                replace_all("&", "%26");
                replace_all("#", "%23");
                break;
            default:
                mangled = " \n" + mangled + " ";
        }
        const ReadLink read = read_link(mangled);
        for (const Problem& problem : read.problems) {
            if (problem.severity != Severity::info) RC_FAIL(mangled + "\n" + test::shown(read.problems));
        }
        RC_ASSERT(read.scenario == scenario);
    }));
}

TEST_CASE("Property: any text gives a scenario and never an error", "[link][property]") {
    CHECK(rc::check("no errors", [] {
        const std::string text = *test::pieces_of({"#",       "v=1",      "v=2",
                                                   "&",       "&amp;",    ";",
                                                   "=",       "z=1",      "m=deepseek-v3",
                                                   "m=",      "tp=",      "8",
                                                   "%",       "%3D",      "%26",
                                                   "pl=",     "Etx3.L",   "mf=",
                                                   "0x3.1x5", "n=",       "层",
                                                   "\xFF",    "dr=0.5",   "rm=moe_act.mlp",
                                                   "rg=",     "none",     std::string(1, '\0'),
                                                   "l=61",    "nonsense", " "});
        const ReadLink read = read_link(text);
        for (const Problem& problem : read.problems) {
            RC_ASSERT(problem.severity != Severity::error);
            RC_ASSERT(is_valid_utf8(problem.message));
        }
        // What was read can be written and read again.
        const ReadLink again = read_link(write_link(read.scenario, read.preset));
        RC_ASSERT(again.scenario == read.scenario);
        RC_ASSERT(again.problems.empty());
    }));
}

TEST_CASE("An empty link is told from one that says something", "[link]") {
    for (const char* text : {"", "#", "  ", "https://example.org/#", "&&", "."}) {
        INFO(text);
        const ReadLink read = read_link(text);
        CHECK(read.empty);
        CHECK(read.problems.empty());
        CHECK(read.scenario == Scenario{});
    }
    CHECK_FALSE(read_link("#v=1&z=1").empty);
    CHECK_FALSE(read_link("#nonsense").empty);
}

TEST_CASE("A bad value is dropped with its reason and the rest is kept", "[link]") {
    const ReadLink read = read_link("#v=1&l=61&tp=zero&pp=4&z=1");
    CHECK(read.scenario == with({}, "num_layers=61 pipeline_model_parallel_size=4"));
    REQUIRE(read.problems.size() == 1);
    const Problem& problem = read.problems[0];
    CHECK(problem.severity == Severity::warning);
    CHECK(problem.path == "tensor_model_parallel_size");
    CHECK(problem.message ==
          "tensor_model_parallel_size must be a whole number from 1 to 65536, not \"zero\"; kept \"1\"");
    // Over a preset the preset's value is kept.
    CHECK(holds(only_problem("#v=1&m=deepseek-v3&tp=0&z=1").message, "not 0; kept \"2\""));
    CHECK(read_link("#v=1&m=deepseek-v3&tp=0&z=1").scenario.tensor_model_parallel_size == 2);
}

TEST_CASE("Bad values of every field are dropped", "[link]") {
    for (const Field& field : field_table()) {
        // A layout's own spelling is judged with the scenario, not with the link.
        if (field.type == FieldType::layout) continue;
        for (const std::string& value : test::bad_values(field)) {
            std::string encoded;
            for (const char c : value)
                encoded += fmt::format("%{:02x}", static_cast<unsigned char>(c));
            // No value at all means unset for words and patterns.
            if (value.empty() || field.type == FieldType::layer_pattern) continue;
            INFO(field.key << " = " << value.substr(0, 60));
            const ReadLink read = read_link(fmt::format("#v=1&{}={}&z=1", field.link_key, encoded));
            CHECK(read.scenario == Scenario{});
            REQUIRE(read.problems.size() == 1);
            CHECK(read.problems[0].severity == Severity::warning);
            CHECK(holds(read.problems[0].message, field.key));
        }
    }
}

TEST_CASE("Unknown keys are ignored and named", "[link]") {
    const ReadLink read = read_link("#v=1&qq=5&l=61&z=1");
    CHECK(read.scenario.num_layers == 61);
    REQUIRE(read.problems.size() == 1);
    CHECK(read.problems[0].code == "unknown_key");
    CHECK(read.problems[0].severity == Severity::info);
    CHECK(holds(read.problems[0].message, "\"qq\""));
}

TEST_CASE("A repeated key is told and the last one counts", "[link]") {
    const ReadLink read = read_link("#v=1&l=61&l=62&z=1");
    CHECK(read.scenario.num_layers == 62);
    REQUIRE(read.problems.size() == 1);
    CHECK(read.problems[0].code == "duplicate_key");
    CHECK(read.problems[0].path == "num_layers");
    // The short and the long name are the same key.
    CHECK(only_problem("#v=1&l=61&num_layers=62&z=1").code == "duplicate_key");
}

TEST_CASE("Other versions are read as far as they go", "[link]") {
    for (const char* version : {"2", "0", "x", "", "99999999999999999999"}) {
        const ReadLink read = read_link(fmt::format("#v={}&l=61&z=1", version));
        INFO(version);
        CHECK(read.scenario.num_layers == 61);
        REQUIRE(read.problems.size() == 1);
        CHECK(read.problems[0].code == "unknown_link_version");
        CHECK(read.problems[0].severity == Severity::warning);
    }
}

TEST_CASE("An unknown preset is told and the rest is read", "[link]") {
    const ReadLink read = read_link("#v=1&m=deepseek-v9&l=61&z=1");
    CHECK(read.preset.empty());
    CHECK(read.scenario == with({}, "num_layers=61"));
    REQUIRE(read.problems.size() == 1);
    CHECK(read.problems[0].code == "unknown_preset");
    CHECK(holds(read.problems[0].message, "deepseek-v9"));
}

TEST_CASE("The preset counts wherever it stands", "[link]") {
    CHECK(clean("#v=1&tp=4&m=deepseek-v3&z=1") == clean("#v=1&m=deepseek-v3&tp=4&z=1"));
    CHECK(clean("#z=1&tp=4&v=1") == with({}, "tensor_model_parallel_size=4"));
}

TEST_CASE("Long names and values typed by hand are taken", "[link]") {
    CHECK(clean("#v=1&num_layers=61&swiglu=true&precision=fp16&z=1") ==
          with({}, "num_layers=61 swiglu=1 precision=fp16"));
    CHECK(clean("#v=1&rm=moe_act.mlp&z=1").recompute_modules == std::vector<std::string>{"mlp", "moe_act"});
    CHECK(clean("#v=1&rm=moe_act,mlp&z=1").recompute_modules == std::vector<std::string>{"mlp", "moe_act"});
    CHECK(clean("#v=1&mf=([0]*3+[1]*58)&z=1").moe_layer_freq == "([0]*3+[1]*58)");
}

TEST_CASE("Layouts in any spelling", "[link]") {
    struct Case {
        const char* value;
        const char* layout;
    };
    for (const Case& c : {
             Case{"Etx3._tt.-29cm.L", "Et*3|(tt|)*29,m|L"},
             Case{"Et*3|(tt|)*29,m|L", "Et*3|(tt|)*29,m|L"},
             Case{"Et%2A3%7C%28tt%7C%29%2A29%2Cm%7CL", "Et*3|(tt|)*29,m|L"},
             Case{"%5B%27Ett%27%5D%20%2B%20%5B%27mL%27%5D", "['Ett'] + ['mL']"},
             Case{"['Ett'] + ['mL']", "['Ett'] + ['mL']"},
             Case{"[[\"embedding\"],[\"loss\"]]", "[[\"embedding\"],[\"loss\"]]"},
             Case{"EtL", "EtL"},
             Case{"none", ""},
             Case{"", ""},
         }) {
        INFO(c.value);
        CHECK(clean(fmt::format("#v=1&pl={}&z=1", c.value)).pipeline_model_parallel_layout == c.layout);
    }
    CHECK(write_link(with({}, "pipeline_model_parallel_layout=Et*3|(tt|)*29,m|L"), "") ==
          "#v=1&pl=Etx3._tt.-29cm.L&z=1");
}

TEST_CASE("What programs do to links is undone", "[link]") {
    const Scenario expected = with({}, "num_layers=61 tensor_model_parallel_size=8");
    for (const char* link : {
             "#v=1&l=61&tp=8&z=1",
             "v=1&l=61&tp=8&z=1",
             "https://example.org/megamem/#v=1&l=61&tp=8&z=1",
             "http://localhost:8080/index.html?x=y#v=1&l=61&tp=8&z=1",
             "#v=1&amp;l=61&amp;tp=8&amp;z=1",
             "#v=1;l=61;tp=8;z=1",
             "#v=1&l=61&tp=8&z=1.",
             "#v=1&l=61&tp=8&z=1).",
             "#v=1&l=61&tp=8&z=1>",
             "<https://example.org/#v=1&l=61&tp=8&z=1>",
             "#v%3D1%26l%3D61%26tp%3D8%26z%3D1",
             "%23v%3D1%26l%3D61%26tp%3D8%26z%3D1",
             "https://example.org/#v%3D1%26l%3D61%26tp%3D8%26z%3D1",
             "#v%253D1%2526l%253D61%2526tp%253D8%2526z%253D1",
             "  #v=1&l=61&tp=8&z=1\r\n",
             "#&v=1&&l=61&tp=8&z=1&",
         }) {
        INFO(link);
        CHECK(quietly(link) == expected);
    }
}

TEST_CASE("Names keep Chinese and everything else", "[link]") {
    for (const char* name : {"深度求索 V3", "a&b=c;d#e%41", "100%", "Ünïcödé 🚀", "."}) {
        Scenario scenario;
        scenario.name = name;
        CHECK(clean(write_link(scenario, "")) == scenario);
    }
    // Browsers may show and copy it decoded.
    CHECK(clean("#v=1&n=深度求索&z=1").name == "深度求索");
    CHECK(only_problem("#v=1&n=%FF%FE&z=1").code == "not_text");
    CHECK(only_problem("#v=1&n=a%00b&z=1").code == "not_text");
}

TEST_CASE("A link longer than 64 KB is not read", "[link]") {
    const auto of_size = [](std::size_t size) {
        std::string link = "#v=1&z=1";
        link.resize(size, '&');
        return link;
    };
    CHECK(read_link(of_size(65536)).problems.empty());
    const ReadLink read = read_link(of_size(65537));
    REQUIRE(read.problems.size() == 1);
    CHECK(read.problems[0].code == "link_too_long");
    CHECK(read.problems[0].message == "the link is 65537 bytes long; 65536 are allowed");
    CHECK(read.scenario == Scenario{});
}

}  // namespace megamem

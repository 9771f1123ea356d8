#include "scenario/scenario_json.h"

#include <rapidcheck.h>

#include <catch2/catch_test_macros.hpp>

#include "base/json_reader.h"
#include "engine/support/data.h"
#include "engine/support/generators.h"
#include "engine/support/problems.h"
#include "engine/support/scenarios.h"

namespace megamem {

using test::find_problem;
using test::holds;

namespace {

// The scenario of a text that must be read without a word.
Scenario clean(std::string_view text) {
    ReadScenario read = read_scenario_json(text);
    INFO(text << '\n' << test::shown(read.problems));
    CHECK(read.problems.empty());
    return read.scenario;
}

// The one problem of `text`, which must leave the scenario at its defaults.
Problem only_problem(std::string_view text) {
    const ReadScenario read = read_scenario_json(text);
    INFO(text.substr(0, 200) << '\n' << test::shown(read.problems));
    REQUIRE(read.problems.size() == 1);
    CHECK(read.scenario == Scenario{});
    return read.problems[0];
}

}  // namespace

TEST_CASE("A scenario comes back from its JSON", "[scenario][json]") {
    for (const Scenario& scenario : {Scenario{}, test::clean_moe(), test::clean_dense()}) {
        for (const int indent : {-1, 0, 2})
            CHECK(clean(write_scenario_json(scenario, indent)) == scenario);
    }
    for (const Field& field : field_table()) {
        for (const std::string& value : test::good_values(field)) {
            INFO(field.key << " = " << value.substr(0, 80));
            Scenario scenario;
            REQUIRE_FALSE(set_text(scenario, field, value));
            CHECK(clean(write_scenario_json(scenario)) == scenario);
        }
    }
}

TEST_CASE("Property: any scenario comes back from its JSON", "[scenario][json][property]") {
    CHECK(rc::check("read(write(s)) == s", [] {
        const Scenario scenario = test::any_scenario();
        const ReadScenario read = read_scenario_json(write_scenario_json(scenario));
        if (!read.problems.empty()) RC_FAIL(test::shown(read.problems));
        RC_ASSERT(read.scenario == scenario);
    }));
}

TEST_CASE("The JSON is schema, then the set fields in the table's order", "[scenario][json]") {
    const OrderedJson json =
        OrderedJson::parse(write_scenario_json(test::clean_moe()), nullptr, /*allow_exceptions=*/false);
    REQUIRE(json.is_object());
    std::vector<std::string> keys;
    for (const auto& [key, value] : json.items())
        keys.push_back(key);
    std::vector<std::string> expected = {"schema"};
    for (const Field& field : field_table()) {
        if (is_set(test::clean_moe(), field)) expected.emplace_back(field.key);
    }
    CHECK(keys == expected);
    CHECK(json["schema"] == 1);
    CHECK(json["swiglu"] == true);
    CHECK(json["num_layers"] == 8);
    CHECK(json["droprate"] == 1);
    CHECK(json["recompute_modules"] == OrderedJson::array());
    CHECK_FALSE(json.contains("q_lora_rank"));
}

TEST_CASE("An unknown key is a warning and changes nothing", "[scenario][json]") {
    const Problem problem = only_problem(R"({"schema": 1, "num_layer": 3})");
    CHECK(problem.severity == Severity::warning);
    CHECK(problem.code == "unknown_key");
    CHECK(problem.path == "num_layer");
    CHECK(problem.message == "unknown key \"num_layer\": ignored");

    SECTION("a hostile key is cut and made printable") {
        const Problem long_key = only_problem("{\"" + std::string(10'000, 'k') + "\": 1}");
        CHECK(long_key.path.size() == 80);
        CHECK(long_key.message.size() < 200);
        CHECK(holds(only_problem(R"({"a\n\u0000<b>": 1})").message, "\\x0a\\x00<b>"));
        CHECK(only_problem(R"({"__proto__": {"hidden_size": 1}})").code == "unknown_key");
    }
}

TEST_CASE("A value of the wrong type is an error with field, wish and value", "[scenario][json]") {
    struct Case {
        const char* text;
        const char* message;
    };
    for (const Case& c : {
             Case{R"({"num_layers": "61"})",
                  R"(num_layers must be a whole number from 1 to 10000, not a string (""61""))"},
             Case{R"({"num_layers": 3.5})",
                  R"(num_layers must be a whole number from 1 to 10000, not a number ("3.5"))"},
             Case{R"({"num_layers": true})",
                  R"(num_layers must be a whole number from 1 to 10000, not true or false ("true"))"},
             Case{R"({"num_layers": [61]})",
                  R"(num_layers must be a whole number from 1 to 10000, not an array ("[61]"))"},
             Case{R"({"num_layers": {}})",
                  R"(num_layers must be a whole number from 1 to 10000, not an object ("{}"))"},
             Case{R"({"swiglu": "true"})", R"(swiglu must be true or false, not a string (""true""))"},
             Case{R"({"swiglu": 2})", R"(swiglu must be true or false, not a number ("2"))"},
             Case{R"({"swiglu": 0.5})", R"(swiglu must be true or false, not a number ("0.5"))"},
             Case{R"({"precision": 16})",
                  R"(precision must be one of bf16, fp16, fp32, not a number ("16"))"},
             Case{R"({"name": 5})", R"(name must be text, not a number ("5"))"},
             Case{R"({"pipeline_model_parallel_layout": 4})",
                  "pipeline_model_parallel_layout must be a pipeline layout such as Et*3|(tt|)*29,m|L, not a "
                  "number (\"4\")"},
         }) {
        INFO(c.text);
        const Problem problem = only_problem(c.text);
        CHECK(problem.severity == Severity::error);
        CHECK(problem.code == "wrong_type");
        CHECK(problem.message == c.message);
        CHECK(find_field(problem.path) != nullptr);
    }
    for (const char* text :
         {R"({"droprate": "0.5"})", R"({"droprate": 0.00001})", R"({"droprate": -0.5})",
          R"({"droprate": true})", R"({"recompute_modules": 5})", R"({"recompute_modules": [5]})",
          R"({"moe_layer_freq": 2.5})", R"({"moe_layer_freq": true})", R"({"moe_layer_freq": {}})"}) {
        INFO(text);
        const Problem problem = only_problem(text);
        CHECK(problem.code == "wrong_type");
        CHECK(holds(problem.message, problem.path));
    }
}

TEST_CASE("A value out of range is an error with the range", "[scenario][json]") {
    for (const char* value :
         {"0", "-1", "10001", "9223372036854775807", "-9223372036854775808", "-0.0", "1e15"}) {
        const Problem problem = only_problem(fmt::format(R"({{"num_layers": {}}})", value));
        INFO(problem.message);
        CHECK(problem.code == "out_of_range");
        CHECK(problem.path == "num_layers");
        CHECK(holds(problem.message, "num_layers must be a whole number from 1 to 10000, not "));
    }
    CHECK(only_problem(R"({"embedding_bytes": 3})").message == "embedding_bytes must be 2 or 4, not 3");
    CHECK(only_problem(R"({"droprate": 0})").code == "out_of_range");
    CHECK(only_problem(R"({"droprate": 1.5})").code == "out_of_range");
    CHECK(only_problem(R"({"precision": "bf8"})").code == "unknown_choice");
    CHECK(only_problem(R"({"gpu": "RTX-4090"})").code == "unknown_choice");
    CHECK(only_problem(R"({"recompute_modules": ["moe_act", "x"]})").path == "recompute_modules[1]");
    CHECK(only_problem(R"({"moe_layer_freq": [0, 2]})").code == "bad_layer_pattern");
    CHECK(only_problem(R"({"moe_layer_freq": 0})").code == "bad_layer_pattern");
}

TEST_CASE("Numbers too large for 64 bits are errors, not other numbers", "[scenario][json]") {
    for (const char* value : {"9223372036854775808", "18446744073709551615", "18446744073709551616", "1e300",
                              "123456789012345678901234567890"}) {
        const Problem problem = only_problem(fmt::format(R"({{"num_layers": {}}})", value));
        INFO(value << ": " << problem.message);
        CHECK(problem.severity == Severity::error);
        CHECK(holds(problem.message, "num_layers must be"));
    }
    CHECK(only_problem(R"({"num_layers": 1e400})").code == "bad_json");
    CHECK(only_problem(R"({"num_layers": NaN})").code == "bad_json");
    CHECK(only_problem(R"({"num_layers": -Infinity})").code == "bad_json");
}

TEST_CASE("Other spellings of the same value are taken", "[scenario][json]") {
    CHECK(clean(R"({"hidden_size": 4096.0})").hidden_size == 4096);
    CHECK(clean(R"({"global_batch_size": 1e6})").global_batch_size == 1'000'000);
    CHECK(clean(R"({"swiglu": 1})").swiglu);
    CHECK_FALSE(clean(R"({"swiglu": 0})").swiglu);
    CHECK(clean(R"({"droprate": 0.75})").droprate == Decimal4{7500});
    CHECK(clean(R"({"droprate": 1.0})").droprate == Decimal4{10000});
    CHECK(clean(R"({"nccl_buffer_gib": 0})").nccl_buffer_gib == Decimal4{0});
    CHECK(clean(R"({"recompute_modules": "moe_act,core_attn"})").recompute_modules ==
          std::vector<std::string>{"core_attn", "moe_act"});
    CHECK(clean(R"({"moe_layer_freq": [0, 0, 1]})").moe_layer_freq == "([0]*2+[1]*1)");
    CHECK(clean(R"({"moe_layer_freq": 2})").moe_layer_freq == "2");
    CHECK(clean(R"_({"moe_layer_freq": "([0]*3+[1]*58)"})_").moe_layer_freq == "([0]*3+[1]*58)");
    CHECK(clean(R"({"pipeline_model_parallel_layout": [["embedding"], ["decoder", "loss"]]})")
              .pipeline_model_parallel_layout == R"([["embedding"],["decoder","loss"]])");
}

TEST_CASE("null means not set", "[scenario][json]") {
    CHECK(clean(R"({"num_layers": null, "swiglu": null, "droprate": null, "gpu": null, "name": null,
                    "recompute_modules": null, "moe_layer_freq": null, "precision": null})") == Scenario{});
}

TEST_CASE("Every bad value is told at once and the good ones are kept", "[scenario][json]") {
    const ReadScenario read =
        read_scenario_json(R"({"num_layers": 0, "hidden_size": 1024, "swiglu": "yes", "foo": 1})");
    CHECK(test::codes_of(read.problems) ==
          std::vector<std::string>{"out_of_range", "unknown_key", "wrong_type"});
    CHECK(read.scenario.hidden_size == 1024);
    CHECK_FALSE(read.scenario.num_layers);
    CHECK_FALSE(read.scenario.swiglu);
}

TEST_CASE("A repeated key is a warning and the last one counts", "[scenario][json]") {
    const ReadScenario read = read_scenario_json(R"({"hidden_size": 1, "hidden_size": 2})");
    CHECK(read.scenario.hidden_size == 2);
    REQUIRE(read.problems.size() == 1);
    CHECK(read.problems[0].severity == Severity::warning);
    CHECK(holds(read.problems[0].message, "\"hidden_size\""));
}

TEST_CASE("The schema must be 1", "[scenario][json]") {
    for (const char* schema : {"2", "0", "\"1\"", "null", "1.5", "[1]"}) {
        const Problem problem = only_problem(fmt::format(R"({{"schema": {}}})", schema));
        CHECK(problem.code == "unknown_schema");
        CHECK(problem.severity == Severity::error);
        CHECK(holds(problem.message, "schema must be 1, not"));
    }
    CHECK(only_problem(R"({"schema": 2})").message == "schema must be 1, not \"2\"");
    clean(R"({"schema": 1.0})");
    clean("{}");
}

TEST_CASE("Text that is no scenario is refused with a reason", "[scenario][json]") {
    struct Case {
        const char* what;
        std::string text;
        const char* code;
        const char* says;
    };
    const std::vector<Case> cases = {
        {"nothing", "", "empty", "empty"},
        {"an array", "[{\"num_layers\": 3}]", "not_an_object", "an array"},
        {"a number", "61", "not_an_object", "a number"},
        {"a string", "\"DeepSeek-V3\"", "not_an_object", "a string"},
        {"null", "null", "not_an_object", "null"},
        {"cut in the middle", "{\"num_layers\": 61,\n \"hidden_size\": 71", "bad_json", "ends too early"},
        {"last brace missing", "{\"num_layers\": 61", "bad_json", "ends too early"},
        {"a comma before the brace", "{\"num_layers\": 61,}", "bad_json", "line 1, column 19"},
        {"a comment", "// model\n{\"num_layers\": 61}", "bad_json", "line 1, column 1"},
        {"a Python dict", "{'num_layers': 61, 'swiglu': True}", "bad_json", "line 1, column 2"},
        {"Python's True", "{\"swiglu\": True}", "bad_json", "line 1, column 12"},
        {"YAML", "num_layers: 61\nhidden_size: 7168\n", "bad_json", "line 1, column"},
        {"a web page", "<!DOCTYPE html><html><body>401</body></html>", "bad_json", "line 1, column 1"},
        {"a file pointer", "version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "bad_json",
         "column"},
        {"a command line", "--num-layers 61 --hidden-size 7168", "bad_json", "line 1"},
        {"an address", "https://example.org/config.json", "bad_json", "line 1, column 1"},
        {"UTF-16", std::string("\xFF\xFE{\0\"\0a\0", 8), "bad_json", "line 1"},
        {"a NUL byte", std::string("{\"num_layers\":\0 61}", 19), "bad_json", "line 1"},
        {"deep nesting", std::string(20'000, '[') + std::string(20'000, ']'), "json_too_deep", "64"},
        {"deep nesting below a key", "{\"num_layers\": " + std::string(20'000, '['), "json_too_deep", "64"},
        {"too much", "{\"name\": \"" + std::string(kMostJsonBytes, 'x') + "\"}", "too_long", "5000000"},
    };
    for (const Case& c : cases) {
        INFO(c.what);
        const Problem problem = only_problem(c.text);
        CHECK(problem.severity == Severity::error);
        CHECK(problem.code == c.code);
        INFO(problem.message);
        CHECK(holds(problem.message, c.says));
        CHECK(problem.message.size() < 300);
        // No message breaks the JSON or the page that shows it.
        const nlohmann::json shown = problem.message;
        CHECK_FALSE(shown.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace).empty());
    }
}

TEST_CASE("A byte order mark and CRLF are taken", "[scenario][json]") {
    CHECK(clean("\xEF\xBB\xBF{\r\n  \"num_layers\": 61\r\n}\r\n").num_layers == 61);
}

TEST_CASE("Names keep every character", "[scenario][json]") {
    CHECK(clean(R"({"name": "<img src=x onerror=alert(1)> \u4e2d\u6587 \ud83d\ude80 \" \\"})").name ==
          "<img src=x onerror=alert(1)> 中文 🚀 \" \\");
    CHECK(only_problem(R"({"name": "a\u0000b"})").code == "not_text");
    CHECK(only_problem("{\"name\": \"" + std::string(201, 'x') + "\"}").code == "too_long");
}

TEST_CASE("Other programs' files give warnings, not values", "[scenario][json]") {
    struct Case {
        const char* what;
        const char* text;
    };
    for (const Case& c : {
             Case{"weights index", R"({"metadata": {"total_size": 16}, "weight_map": {"a": "b"}})"},
             Case{"generation settings", R"({"do_sample": true, "eos_token_id": [1, 2], "top_p": 0.9})"},
             Case{"adapter settings", R"({"peft_type": "LORA", "r": 16, "target_modules": ["q"]})"},
             Case{"native keys", R"({"dim": 4096, "n_heads": 32, "n_layers": 32})"},
             Case{"optimizer settings", R"({"train_batch_size": 64, "zero_optimization": {"stage": 3}})"},
         }) {
        INFO(c.what);
        const ReadScenario read = read_scenario_json(c.text);
        CHECK(read.scenario == Scenario{});
        CHECK_FALSE(read.problems.empty());
        for (const Problem& problem : read.problems) {
            CHECK(problem.severity == Severity::warning);
            CHECK(problem.code == "unknown_key");
            CHECK(holds(problem.message, "unknown key \"" + problem.path));
        }
    }
    // Negative, zero and fractional sizes under our keys.
    const ReadScenario read = read_scenario_json(
        R"({"hidden_size": -4096, "num_layers": 0, "num_query_groups": 3.5, "vocab_size": -0.0})");
    CHECK(test::codes_of(read.problems) ==
          std::vector<std::string>{"out_of_range", "out_of_range", "out_of_range", "wrong_type"});
    CHECK(read.scenario == Scenario{});
}

TEST_CASE("Property: an unknown key changes nothing", "[scenario][json][property]") {
    CHECK(rc::check("unknown keys", [] {
        const Scenario scenario = test::any_scenario();
        const std::string key = "x_" + *rc::gen::nonEmpty(rc::gen::string<std::string>());
        nlohmann::json json = nlohmann::json::parse(write_scenario_json(scenario), nullptr, false);
        json[key] = *rc::gen::arbitrary<int>();
        const ReadScenario read =
            read_scenario_json(json.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace));
        RC_ASSERT(read.scenario == scenario);
        RC_ASSERT(read.problems.size() == 1u);
        RC_ASSERT(read.problems[0].code == "unknown_key");
    }));
}

TEST_CASE("Property: any text gives a scenario or a problem", "[scenario][json][property]") {
    CHECK(rc::check("never crashes", [] {
        const std::string text = *test::pieces_of({"{",
                                                   "}",
                                                   "[",
                                                   "]",
                                                   "\"",
                                                   ":",
                                                   ",",
                                                   "1",
                                                   "-",
                                                   ".",
                                                   "e",
                                                   "true",
                                                   "null",
                                                   "\\u",
                                                   "\"num_layers\":",
                                                   "\"droprate\":",
                                                   "\"name\":",
                                                   " ",
                                                   "\n",
                                                   "\xFF",
                                                   std::string(1, '\0'),
                                                   "\"moe_layer_freq\":"});
        const ReadScenario read = read_scenario_json(text);
        RC_ASSERT(read_scenario_json(write_scenario_json(read.scenario)).scenario == read.scenario);
        for (const Problem& problem : read.problems)
            RC_ASSERT(!problem.message.empty());
    }));
}

}  // namespace megamem

#include "base/json_lenient.h"

#include <fmt/format.h>
#include <rapidcheck.h>
#include <catch2/catch_test_macros.hpp>

#include "engine/support/problems.h"

namespace megamem {

namespace {

Json value_of(std::string_view text) {
    std::vector<KeyPlace> places;
    const ReadJson read = read_lenient_json(text, places);
    INFO(text);
    for (const Problem& problem : read.problems)
        INFO(problem.message);
    REQUIRE_FALSE(has_error(read.problems));
    return read.value;
}

std::string error_of(std::string_view text) {
    std::vector<KeyPlace> places;
    for (const Problem& problem : read_lenient_json(text, places).problems) {
        if (problem.severity == Severity::error) return problem.message;
    }
    return "";
}

std::string code_of(std::string_view text) {
    const RelaxedJson relaxed = relax_json(text);
    return relaxed.problems.empty() ? "" : std::string(relaxed.problems.front().code);
}

}  // namespace

TEST_CASE("strict JSON passes unchanged", "[base][json]") {
    for (const std::string_view text :
         {R"({"a": [1, -2.5e3, "x // # y", null], "b": {"c": "it's \" \\"}})", "[]", "{}", "5 ", "\"a\""}) {
        const RelaxedJson relaxed = relax_json(text);
        CHECK(relaxed.text == text);
        CHECK(relaxed.problems.empty());
    }
}

TEST_CASE("comments, commas before a bracket and a byte order mark are let pass", "[base][json]") {
    CHECK(value_of("\xEF\xBB\xBF{\"a\": 1}\r\n") == Json{{"a", 1}});
    CHECK(value_of("// one\n{\"a\": /* two */ 1, # three\n}") == Json{{"a", 1}});
    CHECK(value_of("[1, 2, ]") == Json{1, 2});
    CHECK(code_of("{\"a\": 1} // x") == "json_comments");
    CHECK(code_of("[1,]") == "trailing_comma");
    CHECK(value_of("{\"url\": \"https://a.b/#c\"}") == Json{{"url", "https://a.b/#c"}});
}

TEST_CASE("a Python dictionary is read", "[base][json]") {
    CHECK(value_of("{'a': True, 'b': None, 'c': False, 'd': 'x\"y'}") ==
          Json{{"a", true}, {"b", nullptr}, {"c", false}, {"d", "x'y"}});
    CHECK(value_of("{'it': 'it\\'s'}") == Json{{"it", "it 's"}});
    CHECK(code_of("{'a': 1}") == "python_literal");
}

TEST_CASE("numbers that no value can have are named", "[base][json]") {
    const Json value =
        value_of("{\"a\": NaN, \"b\": Infinity, \"c\": -Infinity, \"d\": 1e400, \"e\": -1E999}");
    const auto name = [&](const char* key) {
        return impossible_number(value[key].get_ref<const std::string&>());
    };
    CHECK(name("a") == "NaN");
    CHECK(name("b") == "Infinity");
    CHECK(name("c") == "-Infinity");
    CHECK(name("d") == "a number beyond any range");
    CHECK(name("e") == "a number beyond any range");
    CHECK(impossible_number("NaN").empty());
    CHECK(value_of("[1e-400, 1e300]").size() == 2);
}

TEST_CASE("brackets that are missing at the end are told, and never guessed within a value", "[base][json]") {
    CHECK(value_of("{\"a\": {\"b\": [1, 2],\n") == Json{{"a", {{"b", {1, 2}}}}});
    CHECK(code_of("{\"a\": 1,") == "json_cut");
    CHECK(value_of("{\"a\": \"x\"") == Json{{"a", "x"}});
    // The number may have lost digits, the key its value.
    for (const std::string_view text : {"{\"a\": 6", "{\"a\"", "{\"a\":", "{\"a\": \"x", "{\"a\": tr", "{"})
        CHECK_FALSE(error_of(text).empty());
}

TEST_CASE("errors stand where the pasted text has them", "[base][json]") {
    CHECK(error_of("{\n  // a comment\n  \"a\": 1 2\n}").find("line 3, column 10") != std::string::npos);
    CHECK(error_of("{\n\"hidden_size\": CONFIG_SIZE}") ==
          "line 2: \"CONFIG_SIZE\" stands in place of a value: this is a template that is still to be filled "
          "in");
}

TEST_CASE("keys have places", "[base][json]") {
    std::vector<KeyPlace> places;
    (void)read_json("{\"a\": 1,\n\"b\": {\n\n\"c\": 2}, \"d\": [{\"e\": 3}],\n\"f\": 4}", places);
    REQUIRE(places.size() == 5);
    CHECK(places[0].path == "a");
    CHECK(places[0].line == 1);
    CHECK(places[2].path == "b.c");
    CHECK(places[2].line == 4);
    CHECK(places[3].path == "d");
    CHECK(places[4].path == "f");
    CHECK(places[4].line == 5);
}

TEST_CASE("any text is relaxed without losing its lines", "[base][json]") {
    rc::check("length and line ends stay", [] {
        const auto pieces = *rc::gen::container<std::vector<std::string>>(rc::gen::element<std::string>(
            "{", "}", "[", "]", ",", ":", "\"", "'", "\\", "//", "/*", "*/", "#", "\n", " ", "a", "1",
            "1e999", "NaN", "-Infinity", "True", "\xEF\xBB\xBF", "\xFF", "\0"));
        std::string text;
        for (const std::string& piece : pieces)
            text += piece;
        const RelaxedJson relaxed = relax_json(text);
        RC_ASSERT(relaxed.text.size() >= text.size());
        for (std::size_t i = 0; i < text.size(); ++i)
            RC_ASSERT((text[i] == '\n') == (relaxed.text[i] == '\n'));
        std::vector<KeyPlace> places;
        (void)read_lenient_json(text, places);
    });
}

TEST_CASE("Keys beyond the limit are cut off, and it is said", "[json]") {
    std::string many = "{";
    for (std::size_t i = 2; i < kMostJsonKeys; ++i)
        many += fmt::format("\"k{}\": {}, ", i, i);
    std::vector<KeyPlace> places;
    // The last one that fits, and one too many, whatever is in it.
    for (const std::string_view rest :
         {"\n\"late\": {\"inner\": [1, {}], \"x\": 2}}", "\n\"late\": {\"inner\": 1,}}"}) {
        const ReadJson read =
            read_lenient_json(many + "\"k1\": 7, \"list\": [{}], " + std::string(rest), places);
        REQUIRE_FALSE(has_error(read.problems));
        CHECK(read.value.size() == kMostJsonKeys);
        CHECK(read.value["k1"] == 7);
        CHECK(read.value["list"].size() == 1);
        REQUIRE(read.problems.size() == 1);
        CHECK(read.problems[0].code == "too_many_keys");
        CHECK(read.problems[0].message.find("line 2") != std::string::npos);
    }
    const ReadJson nested = read_lenient_json(many + "\"k1\": 7, \"late\": [{\"inner\": 1}, 2]}", places);
    REQUIRE_FALSE(has_error(nested.problems));
    CHECK(nested.value["late"].dump() == "[{}]");
}

}  // namespace megamem

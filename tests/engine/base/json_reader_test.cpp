#include "base/json_reader.h"

#include <catch2/catch_test_macros.hpp>

#include "engine/support/problems.h"

namespace megamem {

using test::find_problem;
using test::holds;

namespace {

std::string error_of(std::string_view text, std::string_view code) {
    const ReadJson read = read_json(text);
    const Problem* problem = find_problem(read.problems, code);
    INFO(text.substr(0, 100) << '\n' << test::shown(read.problems));
    REQUIRE(problem != nullptr);
    CHECK(problem->severity == Severity::error);
    return problem->message;
}

}  // namespace

TEST_CASE("Sound JSON is read with all its types", "[base]") {
    const ReadJson read = read_json(R"( {"a": [1, -2, 2.5, true, null, "x\u4e2d"], "b": {}} )");
    CHECK(read.problems.empty());
    CHECK(read.value == Json{{"a", {1, -2, 2.5, true, nullptr, "x中"}}, {"b", Json::object()}});
}

TEST_CASE("A syntax error says line, column and what stands there", "[base]") {
    const std::string message = error_of("{\n  \"a\": 1,\n  \"b\": nope\n}", "bad_json");
    CHECK(holds(message, "line 3"));
    CHECK(holds(message, "no"));

    CHECK(holds(error_of("[1, 2", "bad_json"), "the text ends too early"));
    CHECK(holds(error_of("{\"a\": ", "bad_json"), "the text ends too early"));
    CHECK(holds(error_of("x", "bad_json"), "line 1, column 1"));
}

TEST_CASE("What isn't JSON is refused", "[base]") {
    for (const char* text : {"{\"a\": NaN}", "{\"a\": Infinity}", "{'a': 1}", "{\"a\": 01}", "{\"a\": 1,}",
                             "// c\n{}", "{} {}", "{\"a\": +1}", "{\"a\": .5}", "{\"a\": \"\x01\"}",
                             "\"\xFF\"", "<!DOCTYPE html>", "{\"a\" 1}", "[1 2]"}) {
        INFO(text);
        const ReadJson read = read_json(text);
        CHECK(find_problem(read.problems, "bad_json") != nullptr);
        CHECK(read.problems.size() == 1);
    }
}

TEST_CASE("A number that no double holds is named as such", "[base]") {
    CHECK(holds(error_of("{\"a\": 1e400}", "bad_json"), "a number is too large"));
}

TEST_CASE("Empty text, and NUL bytes", "[base]") {
    CHECK(error_of("", "empty") == "the text is empty");
    CHECK(error_of(" \n\t ", "empty") == "the text is empty");
    error_of(std::string_view("{\"a\":\0 1}", 9), "bad_json");
    error_of(std::string_view("\0\0\0", 3), "bad_json");
}

TEST_CASE("A byte order mark is no error, UTF-16 is", "[base]") {
    CHECK(read_json("\xEF\xBB\xBF{\"a\": 1}\r\n").problems.empty());
    error_of(std::string_view("\xFF\xFE{\0}\0", 6), "bad_json");
}

TEST_CASE("Nesting is bounded", "[base]") {
    const auto nested = [](int depth) {
        return std::string(static_cast<std::size_t>(depth), '[') +
               std::string(static_cast<std::size_t>(depth), ']');
    };
    CHECK(read_json(nested(kDeepestJson)).problems.empty());
    CHECK(holds(error_of(nested(kDeepestJson + 1), "json_too_deep"), "64"));
    error_of(nested(1'000'000), "json_too_deep");
    std::string objects;
    for (int i = 0; i < 100'000; ++i)
        objects += "{\"a\":";
    error_of(objects, "json_too_deep");
}

TEST_CASE("Length is bounded", "[base]") {
    const std::string allowed = "[" + std::string(kMostJsonBytes - 2, ' ') + "]";
    CHECK(read_json(allowed).problems.empty());
    const std::string message = error_of(allowed + " ", "too_long");
    CHECK(holds(message, "5000001"));
    CHECK(holds(message, "5000000"));
}

TEST_CASE("A repeated key is told and the last one counts, at any depth", "[base]") {
    const ReadJson read = read_json(R"({"a": 1, "b": {"c": 1, "c": 2}, "a": 3, "d": {"a": 1}})");
    CHECK(read.value == Json{{"a", 3}, {"b", {{"c", 2}}}, {"d", {{"a", 1}}}});
    REQUIRE(read.problems.size() == 2);
    for (const Problem& problem : read.problems) {
        CHECK(problem.code == "duplicate_key");
        CHECK(problem.severity == Severity::warning);
    }
    CHECK(holds(read.problems[0].message, "\"c\""));
    CHECK(holds(read.problems[1].message, "\"a\""));
}

TEST_CASE("Kinds of values in words", "[base]") {
    CHECK(kind_of(Json(1)) == "a number");
    CHECK(kind_of(Json(1.5)) == "a number");
    CHECK(kind_of(Json("x")) == "a string");
    CHECK(kind_of(Json(true)) == "true or false");
    CHECK(kind_of(Json(nullptr)) == "null");
    CHECK(kind_of(Json::array()) == "an array");
    CHECK(kind_of(Json::object()) == "an object");
}

}  // namespace megamem

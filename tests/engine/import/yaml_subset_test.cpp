#include "import/yaml_subset.h"

#include <fmt/format.h>
#include <rapidcheck.h>

#include <catch2/catch_test_macros.hpp>

#include "engine/support/problems.h"

namespace megamem {

namespace {

// A document in one line: {a: 1, b: [x, 'quoted']}, so that a test can compare it at a glance.
std::string flat(const YamlNode& node) {
    switch (node.kind) {
        case YamlNode::Kind::null:
            return "-";
        case YamlNode::Kind::scalar:
            return node.quoted ? fmt::format("'{}'", node.text) : node.text;
        case YamlNode::Kind::list:
        case YamlNode::Kind::map: {
            const bool map = node.kind == YamlNode::Kind::map;
            std::string out = map ? "{" : "[";
            for (const YamlMember& member : node.members) {
                if (out.size() > 1) out += ", ";
                if (map) out += member.key + ": ";
                out += flat(member.value);
            }
            return out + (map ? "}" : "]");
        }
    }
    return "";
}

std::string read(std::string_view text) {
    const ReadYaml yaml = read_yaml(text);
    INFO(text << '\n' << test::shown(yaml.problems));
    CHECK(yaml.problems.empty());
    REQUIRE(yaml.documents.size() == 1);
    return flat(yaml.documents[0]);
}

// What is read of a text that has one thing wrong with it, and that it is told with its line.
std::string read_with(std::string_view text, std::string_view code, std::size_t line) {
    const ReadYaml yaml = read_yaml(text);
    INFO(text << '\n' << test::shown(yaml.problems));
    REQUIRE(yaml.problems.size() == 1);
    CHECK(yaml.problems[0].code == code);
    CHECK(yaml.problems[0].severity == Severity::warning);
    CHECK(yaml.problems[0].message.starts_with(fmt::format("line {}: ", line)));
    REQUIRE(yaml.documents.size() == 1);
    return flat(yaml.documents[0]);
}

std::string_view error_of(std::string_view text) {
    const ReadYaml yaml = read_yaml(text);
    INFO(text.substr(0, 80));
    CHECK(yaml.documents.empty());
    REQUIRE(has_error(yaml.problems));
    return yaml.problems.back().code;
}

}  // namespace

TEST_CASE("Maps and lists in block style", "[yaml]") {
    CHECK(read("a: 1\nb: two words\n") == "{a: 1, b: two words}");
    CHECK(read("a:\n  b: 1\n  c:\n    d: 2\ne: 3") == "{a: {b: 1, c: {d: 2}}, e: 3}");
    CHECK(read("a:\n- 1\n- 2\nb: 3") == "{a: [1, 2], b: 3}");
    CHECK(read("a:\n  - 1\n  - b: 2\n    c: 3\n  -\n    d: 4\n") == "{a: [1, {b: 2, c: 3}, {d: 4}]}");
    CHECK(read("- - 1\n  - 2\n- - 3") == "[[1, 2], [3]]");
    CHECK(read("a:\nb:\n  - \n  - x") == "{a: -, b: [-, x]}");
    CHECK(read("'quoted key': 1\n\"other: key\": 2\n--num-layers: 3") ==
          "{quoted key: 1, other: key: 2, --num-layers: 3}");
    CHECK(read("a: http://x:80/y\nb: :4096:8\nc: 12:30") == "{a: http://x:80/y, b: :4096:8, c: 12:30}");
    CHECK(read("just text") == "just text");
}

TEST_CASE("Comments, blank lines, ends of lines and the mark at the beginning", "[yaml]") {
    CHECK(read("# head\n\na: 1 # one\n  # deeper\nb: x#y\n") == "{a: 1, b: x#y}");
    CHECK(read("\xEF\xBB\xBF"
               "a: 1\r\nb:\r\n  c: 2\r\n") == "{a: 1, b: {c: 2}}");
    CHECK(read("%YAML 1.2\n---\na: 1\n...\n") == "{a: 1}");
    CHECK(read("a: # nothing\n  b: 1") == "{a: {b: 1}}");
    CHECK(read_yaml("").documents.empty());
    CHECK(read_yaml("# only\n---\n").documents.empty());
    const ReadYaml two = read_yaml("a: 1\n---\nb: 2\n--- c\n");
    REQUIRE(two.documents.size() == 3);
    CHECK(flat(two.documents[1]) == "{b: 2}");
    CHECK(flat(two.documents[2]) == "c");
}

TEST_CASE("Quoted text", "[yaml]") {
    CHECK(read(R"(a: "x: # \"y\"\t\u00e9\x41" # c)") ==
          "{a: 'x: # \"y\"\t\xC3\xA9"
          "A'}");
    CHECK(read("a: 'it''s'\nb: ''") == "{a: 'it's', b: ''}");
    CHECK(read("a: \"one\n  two\n\n  three\"\nb: 1") == "{a: 'one two\nthree', b: 1}");
    CHECK(read("a: \"one\\\n  two\"") == "{a: 'onetwo'}");
    CHECK(read_with("a: \"\\q\"", "unknown_escape", 1) == "{a: '\\q'}");
    CHECK(read_with("a: 'x' y\nb: 2", "outside_yaml_subset", 1) == "{a: 'x', b: 2}");
}

TEST_CASE("Flow style", "[yaml]") {
    CHECK(read("a: [1, two words, \"3, 4\"]\nb: {c: 1, 'd': [x], e: }") ==
          "{a: [1, two words, '3, 4'], b: {c: 1, d: [x], e: -}}");
    CHECK(read("a: [1,\n  2, # c\n\n  3]\nb: []\nc: {}") == "{a: [1, 2, 3], b: [], c: {}}");
    CHECK(read("a: [${X:1}, ${Y}]\nb: {c: ${Z:-2}}") == "{a: [${X:1}, ${Y}], b: {c: ${Z:-2}}}");
    CHECK(read("a: [b: 1, [c]]") == "{a: [{b: 1}, [c]]}");
    CHECK(read("{a: 1, b: [2]}") == "{a: 1, b: [2]}");
    CHECK(read_with("a: [0]*3+[1]*58\nb: 1", "outside_yaml_subset", 1) == "{a: [0], b: 1}");
}

TEST_CASE("Text over several lines", "[yaml]") {
    CHECK(read("a: |\n  x\n    y\n\n  z\nb: 1") == "{a: 'x\n  y\n\nz\n', b: 1}");
    CHECK(read("a: >-\n  x\n  y\n\n  z\n\nb: 1") == "{a: 'x y\nz', b: 1}");
    CHECK(read("a: |+\n  x\n\n") == "{a: 'x\n\n'}");
    CHECK(read("a: |2\n   x\nb: 1") == "{a: ' x\n', b: 1}");
    CHECK(read("- |\n  # kept\n- x") == "['# kept\n', x]");
    CHECK(read("a: one\n  two # c\nb: 1") == "{a: one two, b: 1}");
}

TEST_CASE("Anchors, aliases and merge keys", "[yaml]") {
    CHECK(read("a: &x 1\nb: *x") == "{a: 1, b: 1}");
    CHECK(read("a: &x\n  c: 1\n  d: 2\nb:\n  <<: *x\n  c: 3") == "{a: {c: 1, d: 2}, b: {c: 3, d: 2}}");
    CHECK(read("a: &x {c: 1}\nb: &y {d: 2}\ne:\n  c: 9\n  <<: [*x, *y]") ==
          "{a: {c: 1}, b: {d: 2}, e: {c: 9, d: 2}}");
    CHECK(read("- &x a: 1\n  b: 2\n- *x") == "[{a: 1, b: 2}, {a: 1, b: 2}]");
    CHECK(read_with("a: *x\nb: 1", "unknown_anchor", 1) == "{a: -, b: 1}");
}

TEST_CASE("What is outside of the subset is told with its line, and the rest is read", "[yaml]") {
    CHECK(read_with("a: 1\nb: !!str 2\n", "yaml_tag", 2) == "{a: 1, b: 2}");
    CHECK(read_with("a: 1\n? b\nc: 2", "outside_yaml_subset", 2) == "{a: 1, c: 2}");
    CHECK(read_with("a:\n  b: 1\n\tc: 2\nd: 3", "outside_yaml_subset", 3) == "{a: {b: 1}, d: 3}");
    CHECK(read_with("a: 1\nloose words\n  under: it\nb: 2", "outside_yaml_subset", 2) == "{a: 1, b: 2}");
    CHECK(read_with("a: 1\n   b: 2\nc: 3", "outside_yaml_subset", 2) == "{a: 1, c: 3}");
    CHECK(read_with("a:\n    b: 1\n  c: 2\nd: 3", "outside_yaml_subset", 3) == "{a: {b: 1}, d: 3}");
    CHECK(read_with("a: 1\na: 2\n", "repeated_key", 2) == "{a: 2}");
    CHECK(read_with("a: {b: 1,\n  b: 2}", "repeated_key", 2) == "{a: {b: 2}}");
    CHECK(read_with("a: b: c", "second_colon", 1) == "{a: b: c}");
    CHECK(read_with("- 1\nloose", "outside_yaml_subset", 2) == "[1]");
}

TEST_CASE("Of very many lines the first are read, and that is said", "[yaml]") {
    std::string text;
    for (std::size_t i = 0; i < kMostYamlLines + 100; ++i)
        text += "# a comment counts for nothing\n- x\n";
    const ReadYaml yaml = read_yaml(text);
    REQUIRE(yaml.problems.size() == 1);
    CHECK(yaml.problems[0].code == "too_long");
    CHECK(yaml.problems[0].message.starts_with(fmt::format("line {}: ", 2 * kMostYamlLines)));
    CHECK(yaml.documents.at(0).members.size() == kMostYamlLines - 1);
}

TEST_CASE("What can't be read at all is an error", "[yaml]") {
    CHECK(error_of("a: \"never\nb: 1") == "unclosed");
    CHECK(error_of("a: [1, 2\nb: 1") == "stray_mark");
    CHECK(error_of("a: [1, 2") == "unclosed");
    CHECK(error_of("a: {b: [1}") == "stray_mark");
    CHECK(error_of(std::string_view("a: \0", 4)) == "not_text");
    CHECK(error_of("a: \xFF") == "not_text");
    CHECK(error_of(std::string(kMostYamlBytes + 1, '#')) == "too_long");
    CHECK(error_of(std::string(100'000, '[')) == "too_deep");
    std::string dashes;
    for (int i = 0; i < 1000; ++i)
        dashes += "- ";
    CHECK(error_of(dashes + "x") == "too_deep");
    std::string steps;
    for (int i = 0; i < 100; ++i)
        steps += std::string(static_cast<std::size_t>(i), ' ') + "a:\n";
    CHECK(error_of(steps) == "too_deep");
}

TEST_CASE("Aliases can't make much out of little", "[yaml]") {
    std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n";
    for (int i = 1; i < 20; ++i)
        bomb += fmt::format("a{}: &a{} [*a{}, *a{}, *a{}, *a{}, *a{}]\n", i, i, i - 1, i - 1, i - 1, i - 1,
                            i - 1);
    CHECK(error_of(bomb) == "too_many_copies");
    std::string wide = "a: &a " + std::string(900'000, 'x') + "\n";
    for (int i = 0; i < 10; ++i)
        wide += fmt::format("b{}: *a\n", i);
    CHECK(error_of(wide) == "too_many_copies");
}

TEST_CASE("Warnings are counted when they are too many to list", "[yaml]") {
    std::string text = "a: 1\n";
    for (int i = 0; i < 1000; ++i)
        text += "loose\n";
    const ReadYaml yaml = read_yaml(text);
    REQUIRE(yaml.problems.size() == 51);
    CHECK(yaml.problems.back().message == "950 more such lines aren't listed");
}

TEST_CASE("Lines are counted from 1", "[yaml]") {
    const ReadYaml yaml = read_yaml("# c\na: 1\n\nb:\n  - x\n  - {c: 2}\n");
    REQUIRE(yaml.documents.size() == 1);
    const YamlNode& root = yaml.documents[0];
    CHECK(root.members[0].line == 2);
    CHECK(root.members[1].line == 4);
    CHECK(root.find("b")->members[1].value.members[0].line == 6);
    CHECK(root.find("none") == nullptr);
}

TEST_CASE("Null is nothing, null or ~, never quoted", "[yaml]") {
    const ReadYaml yaml = read_yaml("a:\nb: null\nc: ~\nd: 'null'\ne: nullable");
    REQUIRE(yaml.documents.size() == 1);
    const auto& members = yaml.documents[0].members;
    CHECK(is_null(members[0].value));
    CHECK(is_null(members[1].value));
    CHECK(is_null(members[2].value));
    CHECK_FALSE(is_null(members[3].value));
    CHECK_FALSE(is_null(members[4].value));
}

TEST_CASE("Property: any bytes are read, or told", "[yaml][property]") {
    CHECK(rc::check("total", [] {
        static constexpr std::string_view kPieces[] = {
            "a",   ": ", ":",   "\n", "  ",    "- ", "[",  "]",  "{",  "}",   ", ", "\"",   "'",   "#",
            "&x ", "*x", "|\n", ">",  "---\n", "<<", "\t", "\\", "? ", "!t ", "${", "\r\n", "...", "%"};
        std::string text;
        const int count = *rc::gen::inRange(0, 60);
        for (int i = 0; i < count; ++i)
            text += kPieces[*rc::gen::inRange<std::size_t>(0, std::size(kPieces))];
        const ReadYaml yaml = read_yaml(text);
        RC_ASSERT(yaml.documents.empty() || !has_error(yaml.problems));
        for (const Problem& problem : yaml.problems)
            RC_ASSERT(!problem.message.empty());
    }));
}

}  // namespace megamem

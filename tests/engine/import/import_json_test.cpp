#include "import/import_json.h"

#include <catch2/catch_test_macros.hpp>

namespace megamem {

TEST_CASE("An import comes back from its JSON", "[import][json]") {
    Import import;
    import.format = Format::launch_script;
    import.recognised = "a launch script";
    import.taken = {{ "num_layers", "61", "--num-layers 61", 3 }};
    import.defaults = {{ "precision", "fp32", "", 0 }};
    import.neutral = {{ "--lr 1e-4", 4, "" }};
    import.unknown = {{ "--num-layer", 5, "--num-layers is meant?" }};
    import.questions = {{ "hidden_size", "--hidden-size $H", 6, "$H has no value" }};
    import.problems = {{ Severity::warning, "repeated_flag", "num_layers", "given \"twice\"\xFF" }};
    const Import read = read_import_json(write_import_json(import));
    CHECK(read.format == import.format);
    CHECK(read.recognised == import.recognised);
    REQUIRE(read.taken.size() == 1);
    CHECK(read.taken[0].key == "num_layers");
    CHECK(read.taken[0].value == "61");
    CHECK(read.taken[0].source == "--num-layers 61");
    CHECK(read.taken[0].line == 3);
    REQUIRE(read.defaults.size() == 1);
    CHECK(read.defaults[0].value == "fp32");
    REQUIRE(read.neutral.size() == 1);
    CHECK(read.neutral[0].line == 4);
    REQUIRE(read.unknown.size() == 1);
    CHECK(read.unknown[0].note == "--num-layers is meant?");
    REQUIRE(read.questions.size() == 1);
    CHECK(read.questions[0].key == "hidden_size");
    CHECK(read.questions[0].message == "$H has no value");
    REQUIRE(read.problems.size() == 1);
    CHECK(read.problems[0].severity == Severity::warning);
    CHECK(read.problems[0].path == "num_layers");
}

TEST_CASE("What is no import's JSON is an error", "[import][json]") {
    for (const char* text : {"", "[]", "{", "null"}) {
        INFO(text);
        CHECK(has_error(read_import_json(text).problems));
    }
    // A field that the page doesn't know is left out.
    CHECK(read_import_json(R"({"taken": [{"key": "no_such", "value": "1"}], "format": 99})").taken.empty());
}

}  // namespace megamem

#include "import/import_records.h"

#include <catch2/catch_test_macros.hpp>

namespace megamem {

TEST_CASE("An import comes back from its records", "[import][records]") {
    Import import;
    import.format = Format::launch_script;
    import.recognised = "a launch script";
    import.taken = {{ "num_layers", "61", "--num-layers 61", 3 }};
    import.defaults = {{ "precision", "fp32", "", 0 }};
    import.neutral = {{ "--lr 1e-4", 4, "" }};
    import.unknown = {{ "--num-layer", 5, "--num-layers is meant?" }};
    import.questions = {{ "hidden_size", "--hidden-size $H", 6, "$H has no value" }};
    import.problems = {{ Severity::warning, "repeated_flag", "num_layers", "given \"twice\"\xFF" }};
    const Import read = read_import_records(write_import_records(import));
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

TEST_CASE("Separators in a text do no harm", "[import][records]") {
    Import import;
    import.recognised = "a\x1E" "b\x1F" "c";
    import.taken = {{"name", "\x1Etaken\x1Fnum_layers\x1F" "9", "\x1F", 1}};
    const Import read = read_import_records(write_import_records(import));
    CHECK(read.recognised == "a b c");
    REQUIRE(read.taken.size() == 1);
    CHECK(read.taken[0].key == "name");
    CHECK(read.taken[0].value == " taken num_layers 9");
    CHECK(read.taken[0].line == 1);
}

TEST_CASE("What is no import's records is an error", "[import][records]") {
    for (const char* text : {"", "{}", "\x1E\x1E", "taken\x1Fnum_layers\x1F" "4"}) {
        INFO(text);
        CHECK(has_error(read_import_records(text).problems));
    }
    // A field that the page doesn't know is left out, and so is a format.
    const Import read = read_import_records("import\x1F" "99\x1Fx\x1Etaken\x1Fno_such\x1F" "1\x1E");
    CHECK(read.taken.empty());
    CHECK(read.format == Format::unknown);
}

}  // namespace megamem

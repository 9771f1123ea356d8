#include "import/import_json.h"

#include <catch2/catch_test_macros.hpp>

#include "base/json_reader.h"

namespace megamem {

TEST_CASE("An import as JSON", "[import][json]") {
    Import import;
    import.format = Format::launch_script;
    import.recognised = "a launch script";
    import.taken = {{"num_layers", "61", "--num-layers 61", 3}};
    import.questions = {{"hidden_size", "--hidden-size $H", 6, "$H has no value"}};
    import.problems = {{Severity::warning, "repeated_flag", "num_layers", "given \"twice\"\xFF"}};
    const ReadJson json = read_json(write_import_json(import));
    REQUIRE(json.problems.empty());
    CHECK(json.value["recognised"] == "a launch script");
    CHECK(json.value["taken"][0]["key"] == "num_layers");
    CHECK(json.value["taken"][0]["line"] == 3);
    CHECK(json.value["questions"][0]["message"] == "$H has no value");
    CHECK(json.value["problems"][0]["severity"] == "warning");
    CHECK(json.value["unknown"].empty());
}

}  // namespace megamem

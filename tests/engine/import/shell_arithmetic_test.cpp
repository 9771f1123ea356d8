#include "import/shell_arithmetic.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

namespace megamem {

namespace {

std::optional<std::int64_t> value(std::string_view text) {
    return shell_arithmetic(text, [](std::string_view name) -> std::optional<std::int64_t> {
        if (name == "TP") return 8;
        return std::nullopt;
    });
}

}  // namespace

TEST_CASE("Integer arithmetic as bash does it", "[import][script]") {
    CHECK(value("1 + 2 * 3") == 7);
    CHECK(value("(1 + 2) * 3") == 9);
    CHECK(value("7 / 2") == 3);
    CHECK(value("-7 / 2") == -3);
    CHECK(value("7 % 4") == 3);
    CHECK(value("2 ** 10 * 2") == 2048);
    CHECK(value("TP*TP") == 64);
    CHECK(value("TP > 4") == 1);
    CHECK(value("TP == 4") == 0);
    CHECK(value(" 12 ") == 12);
}

TEST_CASE("What is no arithmetic has no value", "[import][script]") {
    for (const char* text : {"", "1 +", "* 2", "X", "1 / 0", "1 % 0", "(1", "1)", "2 ** 100", "1 2", "4.5",
                             "9223372036854775807 * 2", "99999999999999999999"}) {
        INFO(text);
        CHECK_FALSE(value(text));
    }
    CHECK_FALSE(value(std::string(10'000, '(')));
    CHECK_FALSE(value(std::string(10'000, '-')));
}

}  // namespace megamem

#include "base/decimal.h"

#include <catch2/catch_test_macros.hpp>

namespace megamem {

TEST_CASE("A decimal keeps four places exactly", "[base]") {
    CHECK(parse_decimal4("0.7531") == Decimal4{7531});
    CHECK(parse_decimal4("2") == Decimal4{20000});
    CHECK(parse_decimal4("2.") == Decimal4{20000});
    CHECK(parse_decimal4(".5") == Decimal4{5000});
    CHECK(parse_decimal4("0.0001") == Decimal4{1});
    CHECK(parse_decimal4("007.10") == Decimal4{71000});
    // Zeros behind the fourth place lose nothing.
    CHECK(parse_decimal4("1.50000000") == Decimal4{15000});
}

TEST_CASE("A decimal refuses what it can't hold", "[base]") {
    for (const char* bad : {"", ".", "0.00001", "1.00005", "-1", "+1", "1e-3", "1,5", "nan", "inf", " 1",
                            "1 ", "1.2.3", "0x1", "922337203685478", "99999999999999999999"}) {
        INFO(bad);
        CHECK_FALSE(parse_decimal4(bad));
    }
}

TEST_CASE("A decimal's text is the shortest that reads back", "[base]") {
    CHECK(to_text(Decimal4{0}) == "0");
    CHECK(to_text(Decimal4{1}) == "0.0001");
    CHECK(to_text(Decimal4{7531}) == "0.7531");
    CHECK(to_text(Decimal4{15000}) == "1.5");
    CHECK(to_text(Decimal4{100 * Decimal4::kOne}) == "100");
    for (std::int64_t value = 0; value <= 2 * Decimal4::kOne; ++value) {
        if (parse_decimal4(to_text(Decimal4{value})) != Decimal4{value}) FAIL(value);
    }
}

}  // namespace megamem

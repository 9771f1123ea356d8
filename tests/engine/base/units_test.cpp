#include "base/units.h"

#include <catch2/catch_test_macros.hpp>

namespace megamem {

TEST_CASE("gib shows two decimals, rounded half up", "[base]") {
    CHECK(gib(0) == "0.00");
    CHECK(gib(kGiB) == "1.00");
    CHECK(gib(kGiB / 8) == "0.13");      // 0.125
    CHECK(gib(3 * kGiB / 8) == "0.38");  // 0.375: half to even would give 0.38, truncation 0.37
    CHECK(gib(5 * kGiB / 8) == "0.63");  // 0.625: half to even would give 0.62
    CHECK(gib(80 * kGiB - 1) == "80.00");
    // 44520398848 / 2^30 = 41.4628...
    CHECK(gib(44520398848) == "41.46");
    CHECK(gib(INT64_MAX) == "8589934592.00");
}

TEST_CASE("gib mirrors negative sizes and never shows a negative zero", "[base]") {
    CHECK(gib(-kGiB) == "-1.00");
    CHECK(gib(-kGiB / 8) == "-0.13");
    CHECK(gib(-1) == "0.00");
}

TEST_CASE("short_count uses decimal prefixes", "[base]") {
    CHECK(short_count(0) == "0");
    CHECK(short_count(999) == "999");
    CHECK(short_count(1000) == "1.00 k");
    CHECK(short_count(37'550'000) == "37.55 M");
    CHECK(short_count(671'026'419'200) == "671.03 B");
    CHECK(short_count(1'040'000'000'000) == "1040.00 B");
}

TEST_CASE("grouped parts the thousands", "[base]") {
    CHECK(grouped(0) == "0");
    CHECK(grouped(999) == "999");
    CHECK(grouped(1000) == "1 000");
    CHECK(grouped(129280) == "129 280");
    CHECK(grouped(-1234567) == "-1 234 567");
}

TEST_CASE("a share in percent has two decimals and, where it is asked for, a sign", "[base]") {
    CHECK(percent_text(0) == "0.00 %");
    CHECK(percent_text(0.0042) == "0.42 %");
    CHECK(percent_text(-0.0042) == "0.42 %");
    CHECK(percent_text(0.12345) == "12.35 %");  // 12.345: half up
    CHECK(percent_text(1.5) == "150.00 %");
    CHECK(signed_percent_text(0.0042) == "+0.42 %");
    CHECK(signed_percent_text(-0.0288) == "−2.88 %");
    CHECK(signed_percent_text(-0.00001) == "+0.00 %");
}

}  // namespace megamem

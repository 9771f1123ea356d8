#include "base/text.h"

#include <catch2/catch_test_macros.hpp>

namespace megamem {

TEST_CASE("trim takes spaces, tabs and line ends off both ends", "[base]") {
    CHECK(trim("  a b\t\r\n") == "a b");
    CHECK(trim("a") == "a");
    CHECK(trim("").empty());
    CHECK(trim(" \t\r\n ").empty());
    // Other white space is text.
    CHECK(trim("\v a\f") == "\v a\f");
}

TEST_CASE("take_line goes from line to line, whatever ends them", "[base]") {
    std::string_view text = "a\r\nb\rc\n\nd";
    std::vector<std::string_view> lines;
    while (!text.empty())
        lines.push_back(take_line(text));
    CHECK(lines == std::vector<std::string_view>{"a", "b", "c", "", "d"});
    CHECK(take_line(text).empty());
}

TEST_CASE("parse_unsigned takes digits that fit in 63 bits and nothing else", "[base]") {
    CHECK(parse_unsigned("0") == 0);
    CHECK(parse_unsigned("0042") == 42);
    CHECK(parse_unsigned("9223372036854775807") == INT64_MAX);
    for (const char* bad : {"", " ", "-1", "+1", "1 ", " 1", "1.0", "0x10", "1e3", "9223372036854775808",
                            "99999999999999999999999999", "1_000", "１"}) {
        INFO(bad);
        CHECK_FALSE(parse_unsigned(bad));
    }
}

TEST_CASE("parse_integer takes one sign", "[base]") {
    CHECK(parse_integer("-5") == -5);
    CHECK(parse_integer("+5") == 5);
    CHECK(parse_integer("5") == 5);
    CHECK(parse_integer("-9223372036854775807") == -INT64_MAX);
    for (const char* bad : {"", "-", "+", "--5", "+-5", "- 5", "-9223372036854775809"}) {
        INFO(bad);
        CHECK_FALSE(parse_integer(bad));
    }
}

TEST_CASE("split keeps empty pieces", "[base]") {
    using Pieces = std::vector<std::string_view>;
    CHECK(split("", '&') == Pieces{""});
    CHECK(split("a", '&') == Pieces{"a"});
    CHECK(split("&a&&b&", '&') == Pieces{"", "a", "", "b", ""});
}

TEST_CASE("quote makes foreign text fit for a message", "[base]") {
    CHECK(quote("abc") == "\"abc\"");
    CHECK(quote("") == "\"\"");
    CHECK(quote("模型") == "\"模型\"");

    SECTION("control characters and NUL are spelled out") {
        CHECK(quote(std::string_view("a\n\0b\x7F", 5)) == "\"a\\x0a\\x00b\\x7f\"");
    }
    SECTION("broken UTF-8 is replaced") {
        CHECK(quote("a\xFF\xC3") == "\"a\uFFFD\uFFFD\"");
        CHECK(is_valid_utf8(quote("\xE4\xB8")));
    }
    SECTION("long text is cut on a character's border") {
        CHECK(quote("abcdef", 3) == "\"abc…\"");
        CHECK(quote("abc", 3) == "\"abc\"");
        // Each of these takes three bytes: one fits in five, two don't.
        CHECK(quote("模型", 5) == "\"模…\"");
    }
}

TEST_CASE("is_valid_utf8 follows RFC 3629", "[base]") {
    for (const char* good :
         {"", "abc", "é", "模型", "🚀", "\xED\x9F\xBF", "\xEE\x80\x80", "\xF4\x8F\xBF\xBF"}) {
        INFO(good);
        CHECK(is_valid_utf8(good));
    }
    for (const char* bad : {
             "\x80",              // a continuation alone
             "\xC0\x80",          // overlong NUL
             "\xC1\xBF",          // overlong
             "\xE0\x9F\xBF",      // overlong
             "\xED\xA0\x80",      // surrogate
             "\xF0\x8F\xBF\xBF",  // overlong
             "\xF4\x90\x80\x80",  // above U+10FFFF
             "\xF5\x80\x80\x80",  // no such lead
             "\xE4\xB8",          // cut
             "a\xC3",             // cut
             "\xC3\x28",          // wrong continuation
         }) {
        CHECK_FALSE(is_valid_utf8(bad));
    }
}

}  // namespace megamem

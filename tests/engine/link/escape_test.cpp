#include "link/escape.h"

#include <rapidcheck.h>

#include <catch2/catch_test_macros.hpp>

#include "engine/support/generators.h"
#include "scenario/layer_pattern.h"

namespace megamem {

TEST_CASE("percent_encode leaves letters, digits and - . _", "[link][escape]") {
    CHECK(percent_encode("azAZ09-._") == "azAZ09-._");
    CHECK(percent_encode(" &=#%;+~") == "%20%26%3D%23%25%3B%2B%7E");
    CHECK(percent_encode("模") == "%E6%A8%A1");
    CHECK(percent_encode(std::string_view("\0\xFF", 2)) == "%00%FF");
    CHECK(percent_encode("").empty());
}

TEST_CASE("percent_decode takes both cases and leaves what is no escape", "[link][escape]") {
    CHECK(percent_decode("%E6%a8%A1") == "模");
    CHECK(percent_decode("100%") == "100%");
    CHECK(percent_decode("%") == "%");
    CHECK(percent_decode("%4") == "%4");
    CHECK(percent_decode("%4G%41") == "%4GA");
    CHECK(percent_decode("%%41") == "%A");
    CHECK(percent_decode("%2541") == "%41");
    CHECK(percent_decode("a+b") == "a+b");
    CHECK(percent_decode("%41") == "A");
}

TEST_CASE("Property: decoding undoes encoding, with characters that no program touches", "[link][escape]") {
    CHECK(rc::check("percent", [] {
        const auto text = *rc::gen::container<std::string>(rc::gen::arbitrary<char>());
        const std::string encoded = percent_encode(text);
        RC_ASSERT(percent_decode(encoded) == text);
        for (const char c : encoded)
            RC_ASSERT(std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '.' || c == '_' ||
                      c == '%');
    }));
}

TEST_CASE("Layouts have a spelling without special characters", "[link][escape]") {
    CHECK(shorten_layout("Et*3|(tt|)*29,m|L") == "Etx3._tt.-29cm.L");
    CHECK(expand_layout("Etx3._tt.-29cm.L") == "Et*3|(tt|)*29,m|L");
    CHECK(shorten_layout("E||t|L") == "E..t.L");
    CHECK(shorten_layout("") == "");
    for (const char* other : {"Et |L", "['Et']", "(t)L", "t)", "Ex", "et", "E_t", "E-t", "E.t", "层", "E%"}) {
        INFO(other);
        CHECK_FALSE(shorten_layout(other));
    }
}

TEST_CASE("Property: a shortened layout expands to itself", "[link][escape]") {
    CHECK(rc::check("layout", [] {
        const std::string text = *test::any_layout();
        const auto shortened = shorten_layout(text);
        if (!shortened) return;
        RC_ASSERT(expand_layout(*shortened) == text);
        RC_ASSERT(percent_encode(*shortened) == *shortened);
    }));
}

TEST_CASE("Layer patterns have one too", "[link][escape]") {
    CHECK(shorten_pattern("([0]*3+[1]*58)") == "0x3.1x58");
    CHECK(expand_pattern("0x3.1x58") == "([0]*3+[1]*58)");
    CHECK(shorten_pattern("7") == "7");
    CHECK(expand_pattern("7") == "7");
    CHECK(expand_pattern("[0,1]") == "[0,1]");
    CHECK(expand_pattern("[0]x3") == "[0]x3");
}

TEST_CASE("Property: a canonical pattern comes back", "[link][escape]") {
    CHECK(rc::check("pattern", [] {
        const std::string given = test::good_text(*find_field("moe_layer_freq"));
        if (given == kUnset) return;
        const std::string text = to_text(parse_layer_pattern(given));
        RC_ASSERT(expand_pattern(shorten_pattern(text)) == text);
        RC_ASSERT(percent_encode(shorten_pattern(text)) == shorten_pattern(text));
    }));
}

}  // namespace megamem

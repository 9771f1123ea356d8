#include "base/encoding.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

namespace megamem {

using namespace std::string_literals;

TEST_CASE("UTF-16 becomes UTF-8", "[base][encoding]") {
    CHECK(utf16_to_utf8("\xFF\xFE{\0}\0"s) == "{}");
    CHECK(utf16_to_utf8("\xFE\xFF\0{\0}"s) == "{}");
    CHECK(utf16_to_utf8("{\0}\0"s) == "{}");
    CHECK(utf16_to_utf8("\0{\0}"s) == "{}");
    // U+00E9, U+4E2D and U+1F600, the last as a pair: 0xD83D 0xDE00.
    CHECK(utf16_to_utf8("\xFF\xFE\xE9\x00\x2D\x4E\x3D\xD8\x00\xDE"s) ==
          "\xC3\xA9\xE4\xB8\xAD\xF0\x9F\x98\x80");
    CHECK(utf16_to_utf8("\xFF\xFE\x3D\xD8"s) == "\xEF\xBF\xBD");  // half of a pair
    CHECK(utf16_to_utf8("\xFF\xFE{"s) == "");                     // half of a unit
}

TEST_CASE("other text isn't UTF-16", "[base][encoding]") {
    for (const std::string& text : {""s, "a"s, "{}"s, "\xEF\xBB\xBF{}"s, "\0\0\0{"s})
        CHECK_FALSE(utf16_to_utf8(text));
}

}  // namespace megamem

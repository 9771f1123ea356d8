#include "base/records.h"

#include <catch2/catch_test_macros.hpp>
#include <rapidcheck.h>

namespace megamem {

TEST_CASE("Records come back as they were written", "[base][records]") {
    RecordWriter out;
    out.add("a", "x y", 7, std::string());
    out.add("b");
    out.add("c", -3, "\"{}\n\"");
    const std::string text = out.take();
    std::string_view rest = text;
    Record record = take_record(rest);
    CHECK(record.kind == "a");
    CHECK(record.text(0) == "x y");
    CHECK(record.number(1) == 7);
    CHECK(record.text(2).empty());
    CHECK(record.number(6) == 0);
    CHECK(take_record(rest).kind == "b");
    record = take_record(rest);
    CHECK(record.number(0) == -3);
    CHECK(record.text(1) == "\"{}\n\"");
    CHECK(rest.empty());
}

TEST_CASE("A separator in a text makes no record and no part", "[base][records]") {
    RecordWriter out;
    out.add("a", "x\x1E" "b\x1Fy", 1);
    const std::string text = out.take();
    std::string_view rest = text;
    const Record record = take_record(rest);
    CHECK(record.text(0) == "x b y");
    CHECK(record.number(1) == 1);
    CHECK(rest.empty());
}

TEST_CASE("Any text can be read as records, to its end", "[base][records]") {
    rc::check("total", [](const std::string& text) {
        std::string_view rest = text;
        std::size_t records = 0;
        while (!rest.empty()) {
            const std::size_t before = rest.size();
            take_record(rest);
            RC_ASSERT(rest.size() < before);
            ++records;
        }
        RC_ASSERT(records <= text.size());
    });
}

}  // namespace megamem

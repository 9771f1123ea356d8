#include "memory/report.h"

#include <catch2/catch_test_macros.hpp>
#include <set>

namespace megamem {

namespace {

LineItem item(std::string_view component, Kind kind, Bytes bytes, Part part = Part::language) {
    return {.component = component, .part = part, .kind = kind, .bytes = bytes, .elements = 7, .formula = {}};
}

RankReport rank_of(std::int64_t index, Bytes total) {
    RankReport rank;
    rank.pipeline_rank = index;
    rank.totals.total = total;
    return rank;
}

}  // namespace

TEST_CASE("Totals are sums by kind; the vision tower and the reserve stand apart", "[memory][report]") {
    const Totals totals = totals_of({
        item("a", Kind::weight, 1),
        item("a", Kind::fp8_cache, 20),
        item("a", Kind::grad, 300),
        item("a", Kind::master, 4000),
        item("a", Kind::optimizer, 50000),
        item("b", Kind::weight, 1),
        item("c", Kind::activation, 600000),
        item("v", Kind::weight, 3000000, Part::vision),
        item("v", Kind::activation, 4000000, Part::vision),
        item("n", Kind::reserve, 80000000, Part::reserve),
    });
    CHECK(totals.weight == 2);
    CHECK(totals.fp8_cache == 20);
    CHECK(totals.grad == 300);
    CHECK(totals.master == 4000);
    CHECK(totals.optimizer == 50000);
    CHECK(totals.activation == 600000);
    CHECK(totals.vision == 7000000);
    CHECK(totals.reserve == 80000000);
    CHECK(totals.total == 87654322);
    CHECK(totals_of({}).total == 0);
}

TEST_CASE("Totals stop where JSON's numbers stop being exact", "[memory][report]") {
    const Totals totals = totals_of({item("a", Kind::weight, kMaxExactBytes - 1), item("b", Kind::weight, 1),
                                     item("c", Kind::weight, kMaxExactBytes - 1)});
    CHECK(totals.weight == kMaxExactBytes);
    CHECK(totals.total == kMaxExactBytes);
    CHECK_FALSE(is_exact(totals.total));
    CHECK(is_exact(kMaxExactBytes - 1));
    CHECK(narrow(Wide{kMaxExactBytes} * kMaxExactBytes) == kMaxExactBytes);
    CHECK(narrow(Wide{5}) == 5);
}

TEST_CASE("Module rows gather the five states; parts are apart", "[memory][report]") {
    RankReport rank;
    rank.items = {item("a", Kind::weight, 1),
                  item("a", Kind::fp8_cache, 2),
                  item("a", Kind::grad, 3),
                  item("a", Kind::master, 4),
                  item("a", Kind::optimizer, 5),
                  item("b", Kind::weight, 10),
                  item("act", Kind::activation, 99),
                  item("v", Kind::grad, 7, Part::vision),
                  item("vact", Kind::activation, 8, Part::vision),
                  item("n", Kind::reserve, 9, Part::reserve)};
    const std::vector<ModuleRow> rows = module_rows(rank, Part::language);
    REQUIRE(rows.size() == 2);
    CHECK(rows[0].module == "a");
    CHECK(rows[0].elements == 7);
    CHECK(rows[0].weight == 1);
    CHECK(rows[0].fp8_cache == 2);
    CHECK(rows[0].grad == 3);
    CHECK(rows[0].master == 4);
    CHECK(rows[0].optimizer == 5);
    CHECK(rows[0].total() == 15);
    CHECK(rows[1].total() == 10);

    REQUIRE(module_rows(rank, Part::vision).size() == 1);
    CHECK(module_rows(rank, Part::vision)[0].grad == 7);
    REQUIRE(activation_rows(rank, Part::language).size() == 1);
    CHECK(activation_rows(rank, Part::language)[0].bytes == 99);
    CHECK(activation_rows(rank, Part::vision)[0].term == "vact");
    CHECK(module_rows(rank, Part::reserve).empty());
}

TEST_CASE("The worst rank is the first of the largest", "[memory][report]") {
    CHECK(worst_rank_of({}) == -1);
    CHECK(worst_rank_of({rank_of(0, 5)}) == 0);
    CHECK(worst_rank_of({rank_of(0, 5), rank_of(1, 9), rank_of(2, 9), rank_of(3, 7)}) == 1);
}

TEST_CASE("It fits when the worst rank takes no more than the GPU has", "[memory][report]") {
    Report report;
    report.valid = true;
    report.ranks = {rank_of(0, 100)};
    report.worst_rank = 0;
    report.capacity.usable = 100;
    CHECK(report.fits());
    CHECK(report.headroom() == 0);
    report.capacity.usable = 99;
    CHECK_FALSE(report.fits());
    CHECK(report.headroom() == -1);
    report.valid = false;
    report.capacity.usable = 1000;
    CHECK_FALSE(report.fits());
}

TEST_CASE("Every kind has a name of its own", "[memory][report]") {
    std::set<std::string_view> names;
    for (const Kind kind : {Kind::weight, Kind::fp8_cache, Kind::grad, Kind::master, Kind::optimizer,
                            Kind::activation, Kind::transient, Kind::workspace, Kind::held, Kind::reserve}) {
        names.insert(name_of(kind));
    }
    CHECK(names == std::set<std::string_view>{"weight", "fp8_cache", "grad", "master", "optimizer",
                                              "activation", "transient", "workspace", "held", "reserve"});
}

}  // namespace megamem

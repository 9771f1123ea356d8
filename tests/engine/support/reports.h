// Reports of the `detailed` method, and sums of their items.
#pragma once

#include <catch2/catch_test_macros.hpp>
#include <string_view>

#include "engine/support/problems.h"
#include "memory/estimate.h"
#include "memory/report.h"

namespace megamem::test {

inline Report detailed(const Scenario& scenario) {
    Report report = estimate(scenario, Method::detailed);
    INFO(shown(report.problems));
    REQUIRE(report.valid);
    return report;
}

inline RankReport detailed_rank(const Scenario& scenario, std::size_t rank = 0) {
    const Report report = detailed(scenario);
    REQUIRE(rank < report.ranks.size());
    return report.ranks[rank];
}

// 0 where there is no such item.
inline Bytes bytes_of(const RankReport& rank, std::string_view component, Kind kind) {
    Bytes sum = 0;
    for (const LineItem& item : rank.items)
        sum += item.component == component && item.kind == kind ? item.bytes : 0;
    return sum;
}

inline Bytes bytes_of(const RankReport& rank, std::string_view component) {
    Bytes sum = 0;
    for (const LineItem& item : rank.items)
        sum += item.component == component ? item.bytes : 0;
    return sum;
}

inline std::int64_t parameters_of(const RankReport& rank) {
    std::int64_t sum = 0;
    for (const ModuleRow& row : module_rows(rank, Part::language))
        sum += row.elements;
    return sum;
}

}  // namespace megamem::test

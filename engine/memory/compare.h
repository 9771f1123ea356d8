// The methods side by side for one scenario, row by row, each difference with its reason.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "memory/report.h"
#include "scenario/scenario.h"

namespace megamem {

struct MethodRow {
    std::string name;
    std::optional<Bytes> detailed;         // of its worst rank
    std::optional<Bytes> calculator;       // likewise
    std::optional<Bytes> megatron_report;  // of the most loaded shard
    std::string reason;                    // why they differ
};

struct Comparison {
    std::int64_t detailed_rank = -1;  // -1: the method gives no result
    std::int64_t calculator_rank = -1;
    bool has_megatron_report = false;
    std::vector<MethodRow> rows;
};

Comparison compare_methods(const Scenario& scenario);

}  // namespace megamem

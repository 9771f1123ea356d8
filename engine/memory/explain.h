// How a number came about: the formula of each line item in symbols, the same with the scenario's numbers,
// and where it is from.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "memory/explain_symbols.h"
#include "memory/report.h"
#include "scenario/scenario.h"

namespace megamem {

// Something that the number is made of: a tensor, or another cell.
struct ExplanationPart {
    std::string name;
    std::string text;
    Bytes bytes = 0;                // or what the explanation's unit says
    std::string cell{};             // that explains it; empty: nothing goes deeper
    std::optional<double> exact{};  // of a shard, whose bytes are rounded up
};

struct Explanation {
    std::string cell;   // its name, see cells.h
    std::string title;  // what, of which rank
    std::string component;
    std::string module;           // empty: the component is the module
    std::string kind;             // "weight", "activation", ...; "parameters" in the megatron-report method
    std::string symbols;          // the formula, and after a semicolon what there is to say
    std::string substitution;     // with numbers; empty where one line can't hold it
    Bytes result = 0;             // of the whole rank: substitution x multiplicity
    std::optional<double> exact;  // of a shard, whose result is rounded up
    std::string unit = "bytes";
    std::int64_t multiplicity = 1;  // layers, times micro-batches in flight
    bool sum = false;               // of the parts
    std::string source;
    Symbols legend;  // of the formula
    std::vector<ExplanationPart> parts;
    Assumptions assumptions;  // of the report's, those that bear on it
};

// "Rank 2", or which shard.
std::string place_name(const Report& report, std::int64_t rank);

// Components and modules of a rank, each once; of the most loaded shard where there are no ranks.
std::vector<std::string_view> explainable_names(const Report& report, std::int64_t rank);

// In all that follows `report` is the scenario's, and `rank` may be a shard's place where there are shards.

// Every item of the component, or of the module; empty items only where there are no others. Nothing for a
// name that isn't explainable, a rank that isn't there or a report that isn't valid.
std::vector<Explanation> explain(const Scenario& scenario, const Report& report, std::int64_t rank,
                                 std::string_view name);

// Items of a rank by their place, what they hold or how many parameters they are of.
enum class Quantity { bytes, parameters };
std::vector<Explanation> explain_items(const Scenario& scenario, const Report& report, std::int64_t rank,
                                       std::span<const std::size_t> items, Quantity quantity);
// The micro-batches in flight on a rank of a method that has a schedule.
std::optional<Explanation> explain_in_flight(const Scenario& scenario, const Report& report,
                                             std::int64_t rank);
// An item of a shard, by its component and column (see cells.h).
std::optional<Explanation> explain_shard(const Scenario& scenario, const Report& report, std::int64_t shard,
                                         std::string_view component, std::string_view column);

}  // namespace megamem

// How a number came about: the formula of each line item in symbols, the same with the scenario's numbers,
// and where it is from.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "memory/explain_symbols.h"
#include "memory/report.h"
#include "scenario/scenario.h"

namespace megamem {

// Something that the number is made of: a tensor.
struct ExplanationPart {
    std::string name;
    std::string text;
    Bytes bytes = 0;
};

struct Explanation {
    std::string_view component;
    std::string_view module;        // empty: the component is the module
    std::string_view kind;          // "weight", "activation", ...; "parameters" in the megatron-report method
    std::string symbols;            // the formula, and after a semicolon what there is to say
    std::string substitution;       // with numbers; empty where one line can't hold it
    Bytes result = 0;               // of the whole rank: substitution x multiplicity
    std::int64_t multiplicity = 1;  // layers, times micro-batches in flight
    std::string source;
    Symbols legend;  // of the formula
    std::vector<ExplanationPart> parts;
};

// Components and modules of a rank, each once; of the most loaded shard where there are no ranks.
std::vector<std::string_view> explainable_names(const Report& report, std::int64_t rank);

// Every item of the component, or of the module; empty items only where there are no others. Nothing for a
// name that isn't explainable, a rank that isn't there or a report that isn't valid. `report` is the
// scenario's.
std::vector<Explanation> explain(const Scenario& scenario, const Report& report, std::int64_t rank,
                                 std::string_view name);

}  // namespace megamem

// The symbols of the formulas: name, what it means, and its value in a scenario. The page's legend and the
// numbers put into a formula are both made of them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "memory/calculator.h"
#include "memory/detailed.h"
#include "memory/megatron_report.h"

namespace megamem {

struct Symbol {
    std::string name;
    std::string value;  // a number, or a sum of products in parentheses
    std::string meaning;
};

using Symbols = std::vector<Symbol>;

void add_symbol(Symbols& symbols, std::string_view name, std::string value, std::string_view meaning);

Symbols detailed_symbols(const detailed::Context& context, std::int64_t rank);
Symbols calculator_symbols(const Plan& plan, const LayerCounts& layers);
// Of the most loaded shard, or of the others, which have no MTP layers.
Symbols report_symbols(const megatron_report::Context& context, bool most_loaded = true);

// Symbols that stand in a formula as whole words, in the order of the table.
Symbols symbols_in(std::string_view formula, const Symbols& symbols);
// The formula with their values in their place; a longer name goes before a shorter one.
std::string substitute(std::string_view formula, const Symbols& symbols);

// A whole number, or up to four decimals.
std::string number(Wide value);
std::string number(double value);

}  // namespace megamem

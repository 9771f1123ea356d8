// A cell of the tables, explained: an item by its formula, a sum by its parts, each of which can be
// explained in turn.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "memory/explain.h"

namespace megamem {

// By its name (see cells.h). Nothing where there is no such cell; of a row and a column that meet in nothing,
// that it is 0. `report` is the scenario's; `rank` a shard's place where there are shards.
std::optional<Explanation> explain_cell(const Scenario& scenario, const Report& report, std::int64_t rank,
                                        std::string_view name);

// What a name stands for: a cell, or all items of a module or activation term.
std::vector<Explanation> explain_named(const Scenario& scenario, const Report& report, std::int64_t rank,
                                       std::string_view name);

}  // namespace megamem

// The lines of a shard of Megatron-LM's own report: on the canvas and in the text beside it.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "memory/cells.h"
#include "memory/report.h"

namespace megamem::web {

inline constexpr std::array<std::string_view, 3> kShardColumns = {kParametersColumn, kStatesColumn,
                                                                  "activation"};

struct ShardLine {
    std::string_view name;                                // empty: the sum of the others
    std::array<std::string, kShardColumns.size()> cells;  // empty where there is nothing
};

std::vector<ShardLine> shard_lines(const Shard& shard);

}  // namespace megamem::web

// The parameter tensors of a rank, each with what it holds there: the last level of a table of modules.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "memory/cells.h"
#include "memory/report.h"
#include "scenario/scenario.h"

namespace megamem {

struct TensorRow {
    std::string_view module;  // the name of a TableRow
    std::string_view name;    // in Megatron's state dict, within its layer
    std::int64_t rows = 0;    // on this GPU
    std::int64_t cols = 0;    // 0: a vector
    std::int64_t copies = 1;  // local experts
    std::int64_t layers = 1;  // of the rank that have it, MTP's among them
    std::string_view dtype;   // of the weight
    TableRow held;            // in all of them, its name being the tensor's
};

// In the order of Megatron's modules; of a module they add up to its states exactly. Nothing where the
// report's method knows no tensors.
std::vector<TensorRow> tensor_rows(const Scenario& scenario, const Report& report, std::int64_t rank);

}  // namespace megamem

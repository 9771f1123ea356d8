// A `megatron-report` as text for a terminal.
#pragma once

#include <string>

#include "memory/report.h"
#include "scenario/scenario.h"

namespace megamem::cli {

// Only of a report that has shards.
std::string shards_table(const Scenario& scenario, const Report& report);

}  // namespace megamem::cli

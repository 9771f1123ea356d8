// A report as text for a terminal.
#pragma once

#include <string>

#include "memory/report.h"
#include "scenario/scenario.h"

namespace megamem::cli {

std::string report_table(const Scenario& scenario, const Report& report);

}  // namespace megamem::cli

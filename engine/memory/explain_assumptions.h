// Which of a report's assumptions bear on a cell.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "memory/report.h"

namespace megamem {

// Rows and columns that a cell is made of; an empty row is the rank itself.
using Coverage = std::vector<std::pair<std::string_view, std::string_view>>;

// One that the table behind it doesn't know is taken to bear on everything.
Assumptions assumptions_for(const Report& report, const Coverage& coverage);

}  // namespace megamem

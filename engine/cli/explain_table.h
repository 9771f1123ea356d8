// Explanations as text for a terminal.
#pragma once

#include <string>
#include <vector>

#include "memory/explain.h"

namespace megamem::cli {

std::string explain_table(const std::vector<Explanation>& explanations);

}  // namespace megamem::cli

// What an import found, as text for a terminal.
#pragma once

#include <string>
#include <string_view>

#include "import/import.h"
#include "import/merge.h"

namespace megamem::cli {

std::string import_review(std::string_view path, const Import& import);
std::string merge_review(const Merged& merged);

// For a report: what an import leaves open, as problems.
Problems problems_of(const Import& import);

}  // namespace megamem::cli

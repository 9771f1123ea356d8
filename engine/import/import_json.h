// An import as JSON, as the module and the command line's tests want it.
#pragma once

#include <string>

#include "import/import.h"

namespace megamem {

std::string write_import_json(const Import& import);

}  // namespace megamem

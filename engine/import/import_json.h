// An import as JSON and back, for a page whose readers are a program of their own.
#pragma once

#include <string>
#include <string_view>

#include "import/import.h"

namespace megamem {

std::string write_import_json(const Import& import);

// Of what write_import_json() wrote; anything else gives an import with an error. Codes of problems come back
// as "import": a literal is needed, and the message says it all.
Import read_import_json(std::string_view json);

}  // namespace megamem

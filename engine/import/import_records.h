// An import as lines of text and back, between a page and its readers, which are a program of their own: the
// page needs no JSON for it.
#pragma once

#include <string>
#include <string_view>

#include "import/import.h"

namespace megamem {

std::string write_import_records(const Import& import);

// Of what write_import_records() wrote; anything else gives an import with an error. Codes of problems come
// back as "import": a literal is needed, and the message says it all.
Import read_import_records(std::string_view records);

}  // namespace megamem

// megamem's own: scenarios as JSON, and links.
#pragma once

#include <string_view>

#include "import/import.h"

namespace megamem {

bool looks_like_scenario(std::string_view text);
Import import_scenario(std::string_view text);

bool looks_like_link(std::string_view text);
Import import_link(std::string_view text);

}  // namespace megamem

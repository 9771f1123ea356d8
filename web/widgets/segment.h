// One of a row of choices, of which one is chosen.
#pragma once

#include <string_view>

namespace megamem::web {

bool segment(const char* label, bool chosen);
float segment_width(std::string_view label);

}  // namespace megamem::web

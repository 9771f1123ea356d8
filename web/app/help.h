// What a field is for, in a sentence or two. The page loads these texts when they are first wanted.
#pragma once

#include <string_view>

#include "scenario/field.h"

namespace megamem::web {

// Empty until the texts have come.
std::string_view help_for(const Field& field);

}  // namespace megamem::web

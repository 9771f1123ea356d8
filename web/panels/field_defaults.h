// What an empty field stands for, in the form's grey.
#pragma once

#include <string>

#include "app/state.h"

namespace megamem::web {

std::string default_text(const State& state, const Field& field);

}  // namespace megamem::web

// Of the open scenario, what the program beside the page knows: asked for when it is shown.
#pragma once

#include <optional>
#include <vector>

#include "desk/notes.h"
#include "memory/compare.h"

namespace megamem::web {

// Nothing until the program is there.
const std::optional<std::vector<Note>>& current_notes();
const std::optional<Comparison>& current_comparison();  // of the methods

}  // namespace megamem::web

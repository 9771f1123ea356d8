// The selected cell's explanation. The program beside the page makes it, once a change.
#pragma once

#include <optional>

#include "memory/explain.h"

namespace megamem::web {

// Nothing where no cell is selected, and until that program is loaded.
const std::optional<Explanation>& current_explanation();

}  // namespace megamem::web

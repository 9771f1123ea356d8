// The arguments that a run printed: the lines of Megatron-LM's log ("  hidden_size ......... 4096"), with any
// prefix before them (ranks, times), or Python's Namespace(hidden_size=4096, ...).
#pragma once

#include <string_view>

#include "import/import.h"

namespace megamem {

bool looks_like_argument_dump(std::string_view text);

Import import_argument_dump(std::string_view text);

}  // namespace megamem

// Launch scripts, command lines and lists of flags, of Megatron-LM and ms-swift.
#pragma once

#include <string_view>

#include "import/import.h"

namespace megamem {

// Nothing is run. Where the text has no training's flags, nothing is taken and a problem says so.
Import import_launch_script(std::string_view text);

// Whether there are flags at all, for the detection.
bool has_flags(std::string_view text);

}  // namespace megamem

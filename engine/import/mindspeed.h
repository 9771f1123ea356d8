// MindSpeed-LLM's own flags on Megatron-LM's command line.
#pragma once

#include <vector>

#include "import/megatron_arguments.h"

namespace megamem {

// The stream with fields in place of those flags.
std::vector<Argument> with_mindspeed(std::vector<Argument> arguments);

}  // namespace megamem

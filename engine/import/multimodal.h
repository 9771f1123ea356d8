// Megatron-LM's examples/multimodal: its own flags, and what its train.py makes of the others.
#pragma once

#include <vector>

#include "import/megatron_arguments.h"

namespace megamem {

// The stream with fields in place of the example's flags; as it was where --language-model-type isn't in it.
std::vector<Argument> with_multimodal(std::vector<Argument> arguments);

}  // namespace megamem

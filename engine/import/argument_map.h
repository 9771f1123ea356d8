// YAML maps of arguments: model_config.yaml of Megatron-LM's functional tests, its --yaml-cfg files,
// MindSpeed, AMD Primus, Megatron-Bridge, NeMo 1 and 2, verl, and any map whose leaves bear Megatron-LM's
// argument names.
#pragma once

#include <string_view>

#include "import/import.h"

namespace megamem {

// Cheap: whether it is worth an import.
bool looks_like_argument_map(std::string_view text);

Import import_argument_map(std::string_view text);

}  // namespace megamem

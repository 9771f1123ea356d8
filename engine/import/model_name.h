// A model's name in place of its dimensions.
#pragma once

#include <string_view>

#include "scenario/presets.h"

namespace megamem {

// The preset whose name stands in "Qwen/Qwen3-235B-A22B-Instruct" or the like; nullptr where none does.
const ModelPreset* preset_named(std::string_view name);

}  // namespace megamem

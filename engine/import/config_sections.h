// The sections of each style of configuration: which of them hold the trained model's arguments.
#pragma once

#include <string_view>

#include "import/config_names.h"

namespace megamem {

enum class Section {
    taken,         // arguments
    neutral,       // known, and nothing in it changes a training step's memory
    environment,   // environment variables
    adapter,       // LoRA and its like
    model_choice,  // the name of a model that is described elsewhere
    elsewhere,     // another model: reference, critic, rollout, teacher
    unknown,
};

struct Located {
    Section section = Section::unknown;
    std::string_view name;  // what is left of the path: empty where the section is all that counts
};

Located locate(std::string_view path, ConfigStyle style);

}  // namespace megamem

// What silence means.
#pragma once

#include <string_view>

#include "import/megatron_arguments.h"
#include "scenario/field.h"

namespace megamem {

// True for a field that belongs to the model and not to how it is trained: a script that says nothing of the
// model's size says nothing of its other properties either.
bool describes_model(const Field& field);

// True where the dialect's default can be told for the field: silence about it is worth an entry.
bool has_default(const Field& field, Dialect dialect);

}  // namespace megamem

// One field of the form: label, mark of change, input of the field's type, and what is wrong with it.
#pragma once

#include <string>

#include "scenario/field.h"

namespace megamem::web {

void field_row(const Field& field);

// A computed value, in the form's grey.
void derived_row(const char* label, const std::string& value);

}  // namespace megamem::web

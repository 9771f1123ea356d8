// The field table and the presets as JSON, for programs and documents.
#pragma once

#include <string>

namespace megamem {

std::string write_fields_json(int indent);
std::string write_presets_json(int indent);

}  // namespace megamem

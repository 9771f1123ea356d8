// What a foreign format has no words for stands in comments of our own, as our exporters write them:
// "# megamem: nodes=4 gpu=H200-141". Values are percent-encoded.
#pragma once

#include <string>
#include <string_view>

#include "import/import.h"
#include "scenario/field.h"

namespace megamem {

inline constexpr std::string_view kOwnComment = "# megamem:";

std::string own_comment(const Field& field, std::string_view value);

// Adds what such comments in the text set; they rule over the text's own words.
void take_own_comments(std::string_view text, Import& import);

}  // namespace megamem

// Explanations as JSON, for the command line, the page and other programs.
#pragma once

#include <string>
#include <vector>

#include "base/json_reader.h"
#include "memory/explain.h"

namespace megamem {

OrderedJson json_of(const Explanation& explanation);
OrderedJson json_of(const std::vector<Explanation>& explanations);

// A report's JSON with "explanations" added; as it was without any.
std::string with_explanations(std::string report, const std::vector<Explanation>& explanations,
                              int indent = 2);

}  // namespace megamem

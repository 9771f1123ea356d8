// An explanation as records and back, between a page and the program that makes it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "memory/explain.h"

namespace megamem {

// Nothing: an empty text.
std::string write_explanation_records(const std::optional<Explanation>& explanation);

// What is shown comes back: all but the exact parts of a byte and the assumptions' ids. Nothing of a text that
// write_explanation_records() didn't write.
std::optional<Explanation> read_explanation_records(std::string_view records);

}  // namespace megamem

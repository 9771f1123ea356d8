// The methods side by side as records (base/records.h): between the program that compares and the page that
// shows it.
#pragma once

#include <string>
#include <string_view>

#include "memory/compare.h"

namespace megamem {

std::string write_comparison_records(const Comparison& comparison);
Comparison read_comparison_records(std::string_view records);

}  // namespace megamem

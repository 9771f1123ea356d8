// The accuracy as text for a terminal, as JSON, and as a scatter plot.
#pragma once

#include <string>

#include "accuracy/accuracy.h"

namespace megamem {

std::string accuracy_table(const Accuracy& accuracy);
std::string accuracy_json(const Accuracy& accuracy);
std::string accuracy_svg(const Accuracy& accuracy);

}  // namespace megamem

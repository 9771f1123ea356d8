// The evidence for the open scenario, looked up once a change.
#pragma once

#include <string>

#include "accuracy/evidence.h"

namespace megamem::web {

const Evidence& current_evidence();

std::string percent_text(double share);         // "0.42 %"
std::string signed_percent_text(double share);  // "−0.42 %"

}  // namespace megamem::web

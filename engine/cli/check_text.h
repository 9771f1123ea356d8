// A gate's verdict as text: a line, JSON, and Markdown for a pull request.
#pragma once

#include <string>

#include "accuracy/gate.h"

namespace megamem::cli {

std::string check_line(const Gate& gate);
std::string check_json(const Report& report, const Gate& gate, const std::string& link);
std::string check_markdown(const Report& report, const Gate& gate, const std::string& link);

}  // namespace megamem::cli

// What --help says.
#pragma once

#include <string_view>

namespace megamem::cli {

std::string_view help();
std::string_view help_of(std::string_view command);  // empty: there is no such command

}  // namespace megamem::cli

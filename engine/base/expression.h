// Arithmetic in the notation of the formulas: + - × / ^, parentheses and plain numbers.
#pragma once

#include <optional>
#include <string_view>

namespace megamem {

// nullopt for anything that isn't such an expression, words among them.
std::optional<double> evaluate(std::string_view text);

}  // namespace megamem

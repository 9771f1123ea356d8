// Every formula by its id: the symbols and where it comes from. A line item carries the id.
#pragma once

#include <span>
#include <string_view>

namespace megamem {

struct Formula {
    std::string_view id;
    std::string_view symbols;
    std::string_view source;
};

std::span<const Formula> formulas();
std::span<const Formula> megatron_report_formulas();
std::span<const Formula> detailed_activation_formulas();
std::span<const Formula> detailed_static_formulas();
std::span<const Formula> detailed_vision_formulas();
// Among all of them.
const Formula* find_formula(std::string_view id);

}  // namespace megamem

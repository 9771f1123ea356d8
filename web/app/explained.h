// The selected cell's explanation. The program beside the page makes it, once a change.
#pragma once

#include <optional>
#include <string>

#include "memory/explain.h"

namespace megamem::web {

// Nothing where no cell is selected, and until that program is loaded.
const std::optional<Explanation>& current_explanation();

// A formula as it is shown, in the language that was chosen.
struct FormulaTexts {
    std::string symbols;  // empty: a long sum, which says the same as its parts
    std::string words;    // what there is to say of it, in English; may be empty
    std::string numbers;
};
FormulaTexts formula_texts(const Explanation& e);

std::string amount(Bytes value);  // "-1 234"

}  // namespace megamem::web

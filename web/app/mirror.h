// The result as headings and tables beside the canvas: for screen readers, find-in-page, print and tests.
#pragma once

#include "app/state.h"

namespace megamem::web {

// Each frame: what has changed is written anew a moment later, once for a burst of keys.
void mirror_changes();

// "Fits", "Tight", "Does not fit", "No result": the verdict in a word.
enum class Verdict { fits, tight, does_not_fit, invalid };
Verdict verdict_of(const Report& report);
const char* word_of(Verdict verdict);

// "rank 3", or what the method has in place of ranks.
std::string where_of(const Report& report);

}  // namespace megamem::web

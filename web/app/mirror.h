// The result as plain text and a table beside the canvas: for screen readers, find-in-page and tests.
#pragma once

#include "app/state.h"

namespace megamem::web {

void mirror_result(const State& state);

// "Fits", "Tight", "Does not fit", "No result": the verdict in a word.
enum class Verdict { fits, tight, does_not_fit, invalid };
Verdict verdict_of(const Report& report);
const char* word_of(Verdict verdict);

// "rank 3", or what the method has in place of ranks.
std::string where_of(const Report& report);

}  // namespace megamem::web

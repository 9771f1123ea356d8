// Tests of a shell script, as far as its text decides them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "import/shell_variables.h"

namespace megamem {

enum class Truth { no, yes, unknown };

Truth opposite(Truth truth);
Truth both(Truth a, Truth b);
Truth either(Truth a, Truth b);

// The words between [ and ], expanded.
Truth test_words(const std::vector<std::string>& words, const ShellVariables& variables);

// What stands between [[ and ]].
Truth test_condition(std::string_view text, ShellVariables& variables);

// Patterns with * alone.
bool matches_pattern(std::string_view text, std::string_view pattern);

}  // namespace megamem

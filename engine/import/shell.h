// What a bash script would run, told without running anything: its commands with their words as far as the
// text alone decides them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/problem.h"
#include "import/shell_variables.h"

namespace megamem {

struct ShellCommand {
    std::vector<ShellWord> words;
    std::size_t line = 0;
    bool uncertain = false;  // stands under a condition that the text doesn't decide
};

struct ShellScript {
    std::vector<ShellCommand> commands;
    ShellVariables variables{0};
    std::vector<std::pair<std::string_view, std::size_t>> batch;  // #SBATCH lines, of the text
    Problems problems;
};

// `text`: as plain_text() gives it; it must outlive the result.
ShellScript follow_shell(std::string_view text);

}  // namespace megamem

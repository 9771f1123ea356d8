// A bash script as words and operators. Words keep their quotes and expansions: shell_variables.h resolves
// them. What people get wrong in a launch script is read as they mean it, and said.
#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "base/problem.h"

namespace megamem {

struct ShellToken {
    enum class Kind {
        word,         // text: as written
        condition,    // text: what stands between [[ and ]]
        arithmetic,   // text: what stands between (( and ))
        array_begin,  // text: the name, with '+' at its end where it is appended to
        array_end,
        end,       // of a command: newline ; &
        pipe,      // |
        and_then,  // &&
        or_else,   // ||
        redirect,  // with its target word next
        case_end,  // ;;
        open,      // (
        close,     // )
    };
    Kind kind = Kind::word;
    std::string_view text;
    std::size_t line = 0;
    bool first = false;  // stands where a command or keyword begins
    // Of if, then, elif, else, for, while, do, {: where the next part of the same construct stands; 0:
    // nowhere.
    std::size_t link = 0;
};

struct ShellTokens {
    std::vector<ShellToken> tokens;
    std::vector<std::pair<std::string_view, std::size_t>> batch;  // "#SBATCH ..." without that, and its line
    Problems problems;
};

// The tokens point into the text. `first_line`: of the text.
ShellTokens read_shell(std::string_view text, std::size_t first_line = 1);

// The text as the lexer wants it: no byte order mark, no CR, no control characters; dashes and quotes that a
// document made typographic as they were. The problems say what was changed.
std::string plain_text(std::string_view text, Problems& problems);

// Past "$(...)", "${...}", quotes and the like: the end of what begins at `at`.
std::size_t end_of_expansion(std::string_view text, std::size_t at);

}  // namespace megamem

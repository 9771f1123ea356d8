// The words of a command that starts a training: what the launcher is told, and the training's own flags.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "import/import.h"
#include "import/megatron_arguments.h"
#include "import/shell_variables.h"

namespace megamem {

struct LaunchCommand {
    Dialect dialect = Dialect::megatron;
    std::string program;  // "pretrain_gpt.py", "megatron sft"; empty: a list of flags alone
    std::vector<Argument> arguments;
    std::vector<Question> questions;  // of words that have no value and belong to no flag
    Problems problems;
    std::size_t fields = 0;  // flags that set a field: how much of a training it is
    bool evidently = false;  // a training script or a flag of Megatron-LM is in it
};

// `variables`: for the marks in the words.
LaunchCommand read_launch_command(const std::vector<ShellWord>& words, const ShellVariables& variables);

}  // namespace megamem

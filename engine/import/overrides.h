// Overrides of a configuration: "model.tensor_model_parallel_size=4" on a command line (Megatron-Bridge,
// NeMo 2, verl; with Hydra's + ++ ~), and lines of Python, "cfg.model.num_layers = 32" or keyword arguments.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "import/import.h"

namespace megamem {

bool looks_like_overrides(std::string_view text);

Import import_overrides(std::string_view text);

// One word of a command line, quotes removed; for a reader that has expanded variables already.
struct OverrideWord {
    std::string text;
    std::size_t line = 0;
    std::string unresolved = {};  // as in Argument
};

// Whether the word is an override that import_override_words() would read: a dotted path, = and a value.
bool is_override(std::string_view word);

Import import_override_words(const std::vector<OverrideWord>& words);

}  // namespace megamem

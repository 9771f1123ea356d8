// Reader of Hugging Face's config.json and its relatives: the same keys as a Python dictionary or as lines
// "key: value", DeepSeek's own config of its inference code, Meta's params.json. What the engine has no field
// for is told as a warning "not_modelled" that says in which direction the figures err.
#pragma once

#include <optional>
#include <string_view>

#include "base/problem.h"
#include "import/import.h"

namespace megamem {

// Total: any bytes are allowed.
Import import_hf_config(std::string_view text);

// Cheap, for the detection of formats: the text has the shape and a key of a model's config.
bool looks_like_hf_config(std::string_view text);

// Files that people take for a config and that hold no dimensions: a web page, a Git LFS pointer, an index of
// weights, generation_config.json, an adapter's or DeepSpeed's config, GGUF, ... A problem that says which
// file it is and which is wanted; nullopt for any other text.
std::optional<Problem> describe_other_file(std::string_view text);

}  // namespace megamem

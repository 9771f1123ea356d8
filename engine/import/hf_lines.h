// Keys of config.json as lines "key: value" or "key = value", as YAML and people write them.
#pragma once

#include <string>
#include <string_view>

namespace megamem::hf {

bool looks_like_lines(std::string_view text);

// As JSON with the same lines. Lists are lines "- item" below their key; anything deeper becomes invalid
// JSON, which its reader then names.
std::string lines_to_json(std::string_view text);

}  // namespace megamem::hf

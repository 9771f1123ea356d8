// Keys of config.json that decide no byte of training.
#pragma once

#include <optional>
#include <string_view>

namespace megamem::hf {

// A word for the review, mostly empty; nullopt where the key isn't known to be neutral.
std::optional<std::string_view> neutral_key(std::string_view key);

}  // namespace megamem::hf

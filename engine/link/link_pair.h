// Two scenarios in one link: the open one as in any link, and the one that it is compared with, whose keys
// have "a." before them: "#v=1&m=deepseek-v3&tp=8&a.v=1&a.m=deepseek-v3&z=1". One end mark for both.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "link/link.h"

namespace megamem {

inline constexpr std::string_view kComparedPrefix = "a.";

struct ReadLinkPair {
    ReadLink open;
    std::optional<ReadLink> compared;  // its problems name keys without the "a."
};

ReadLinkPair read_link_pair(std::string_view text);

// Of two links as write_link() gives them. Starts with '#'.
std::string write_link_pair(std::string_view open, std::string_view compared);

}  // namespace megamem

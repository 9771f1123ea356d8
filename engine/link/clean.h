// What programs do to a link on its way, undone: line breaks, invisible characters, entities, encoding of the
// whole or of parts, punctuation behind it, keys of those who count clicks. docs/links.md lists all of it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/problem.h"

namespace megamem {

// What a browser and every chat program still carries, with room to spare; a layout of the largest size that
// fits is far below.
inline constexpr std::size_t kLongestLink = 64 * 1024;

struct CleanLink {
    std::vector<std::string> pairs;  // "v=1", "m=deepseek-v3"; values are percent-encoded once, as written
    Problems problems;               // what was undone, as infos
};

// Takes the hash with or without '#', and whole addresses.
CleanLink clean_link(std::string_view text);

std::string_view key_of(std::string_view pair);
std::string_view value_of(std::string_view pair);  // empty without '='

// True for a key of the link's own or of a field, in any case, with or without the "a." of a compared
// scenario.
bool is_link_key(std::string_view key);

std::string small_letters(std::string_view text);

}  // namespace megamem

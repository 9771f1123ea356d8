// Values in a link: percent-encoding for free text, and a spelling of pipeline layouts that needs none.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace megamem {

// Everything but letters, digits, '-', '.' and '_' as %XX.
std::string percent_encode(std::string_view text);

// Undoes %XX; a '%' that no two hex digits follow stays.
std::string percent_decode(std::string_view text);

// "Et*3|(tt|)*29,m|L" <-> "Etx3._tt.-29cm.L": '|' as '.', '(' as '_', ')*' as '-', '*' as 'x', ',' as 'c'.
// nullopt where the text has other characters, or a ')' without '*': such layouts are percent-encoded.
std::optional<std::string> shorten_layout(std::string_view layout);
std::string expand_layout(std::string_view shortened);

// "([0]*3+[1]*58)", the canonical text of a layer pattern, <-> "0x3.1x58"; a number is its own short
// spelling.
std::string shorten_pattern(std::string_view pattern);
std::string expand_pattern(std::string_view shortened);

}  // namespace megamem

// Quoted scalars of YAML: what stands between the marks, made into text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace megamem {

// 'it''s' -> it's
std::string unquote_single(std::string_view raw);

// \n, \u00e9 and the like. Escapes that YAML doesn't have are kept as they stand and listed.
std::string unescape_double(std::string_view raw, std::vector<std::string_view>& unknown);

}  // namespace megamem

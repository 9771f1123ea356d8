// Text in other encodings than UTF-8, as Windows programs save it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace megamem {

// UTF-16 as UTF-8 without its byte order mark; nullopt for any other text. Text without a mark counts as
// UTF-16 when its first two bytes are an ASCII character.
std::optional<std::string> utf16_to_utf8(std::string_view bytes);

}  // namespace megamem

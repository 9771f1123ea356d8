// Small text helpers that the readers share. No locale, no exceptions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace megamem {

std::string_view trim(std::string_view text);

// Takes the first line away from the text; it may end in "\n", "\r\n" or "\r".
std::string_view take_line(std::string_view& text);

// Digits only; nullopt for anything else and for what does not fit in 63 bits.
std::optional<std::int64_t> parse_unsigned(std::string_view digits);

// As parse_unsigned, with an optional sign.
std::optional<std::int64_t> parse_integer(std::string_view text);

// Pieces between the separators; "" gives one empty piece.
std::vector<std::string_view> split(std::string_view text, char separator);

// Text from outside, made fit for a message: cut at `limit` bytes (on a character border), control characters
// and broken UTF-8 replaced.
std::string quote(std::string_view text, std::size_t limit = 40);

bool is_valid_utf8(std::string_view text);

}  // namespace megamem

// Reads JSON text into a value, with what nlohmann's plain parse doesn't give: no exceptions, a position in
// the error, limits on size and depth, and repeated keys reported.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/problem.h"

namespace megamem {

// Objects keep their keys sorted, so that a hostile object with a million keys costs no square of time.
using Json = nlohmann::json;
// For writing: keys in the order in which they were put.
using OrderedJson = nlohmann::ordered_json;

inline constexpr std::size_t kMostJsonBytes = 5'000'000;
inline constexpr int kDeepestJson = 64;

struct ReadJson {
    Json value;
    Problems
        problems;  // an error where there is no value; a warning for each repeated key (the last one wins)
};

ReadJson read_json(std::string_view text);

// Where a key stands. Of keys inside arrays none is kept.
struct KeyPlace {
    std::string path;      // "text_config.hidden_size"
    std::size_t line = 0;  // 1-based
};

// As above, and tells the places of the first kMostKeyPlaces keys in the order of the text.
inline constexpr std::size_t kMostKeyPlaces = 5'000;
ReadJson read_json(std::string_view text, std::vector<KeyPlace>& places);

// "a number", "an array": for messages.
std::string_view kind_of(const Json& value);

}  // namespace megamem

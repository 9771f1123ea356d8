// JSON as people paste it, made strict before it is read: byte order mark, comments, commas before a closing
// bracket, Python's literals and quotes, NaN and Infinity, closing brackets that were cut off. The text keeps
// its length up to there, so that lines and columns stay those of what was pasted.
#pragma once

#include <string>
#include <string_view>

#include "base/json_reader.h"
#include "base/problem.h"

namespace megamem {

// Of all objects together; a file of settings has some hundreds. What comes after is cut off, with a warning.
inline constexpr std::size_t kMostJsonKeys = 50'000;

struct RelaxedJson {
    std::string text;
    // What was let pass (info), or made up: brackets that are missing (warning). An error: a template.
    Problems problems;
};

RelaxedJson relax_json(std::string_view text);

ReadJson read_lenient_json(std::string_view text, std::vector<KeyPlace>& places);

// JSON has no word for these numbers; they become strings with a name that no text has by itself. Gives what
// stood there ("NaN", "Infinity", "a number beyond any range"), or an empty text for every other string.
std::string_view impossible_number(std::string_view text);

}  // namespace megamem

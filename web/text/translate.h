// The page's texts in the language that the reader chose. English stands in the program; Chinese is a
// dictionary from the English text to its own, fetched when it is chosen. What draws (widgets/draw.h) asks
// here, so panels write English and nothing else.
#pragma once

#include <string>
#include <string_view>

namespace megamem::web {

// The text in the chosen language; the English one where the dictionary has none. A sentence with numbers or
// names in it is found by its pattern, "{} layers of {}": "{}" in its other form stands for the same in
// order, "{1}" for the second; what stands in them is translated too, unless an exclamation mark follows,
// "{!}", "{1!}". Lines, sentences and lists are translated piece by piece. What it gives ends with a null
// character where `english` does, and lives until tidy_translations().
std::string_view translated(std::string_view english);

// The same of what the dictionary has as a whole, else as it is: for formulas, of which a few are words.
std::string_view translated_whole(std::string_view english);

// For ImGui, whose labels name an item as well: the name stays English.
const char* translated_label(const char* english);

bool is_chinese();

// Lines of "English<tab>Chinese", those with holes last; without any: English.
void set_dictionary(std::string lines);

// Between frames: forgets sentences where there are very many.
void tidy_translations();

}  // namespace megamem::web

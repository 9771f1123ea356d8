// The page's texts in the language that the reader chose. English stands in the program; another language is
// a dictionary from the English text to its own, fetched when it is chosen.
#pragma once

#include <string>
#include <string_view>

namespace megamem::web {

// The text in the chosen language; the English one where the dictionary has none. The pointer holds until the
// language changes.
const char* translated(const char* english);

// The same of a sentence with numbers or names in it, as the engine makes them: the dictionary has its
// pattern,
// "{} layers of {}", and the pattern of the other language, in which "{}" stands for the same in order and
// "{1}" for the second.
std::string translated_sentence(std::string_view english);

// {"texts": {"Presets": "预设"}, "sentences": [["{} layers of {}", "{1} 的 {0} 层"]]}. False if it is none.
bool set_dictionary(std::string_view json);
void clear_dictionary();  // English

// A text of the page, as the panels write it.
struct Word {
    const char* english;
    operator const char*() const { return translated(english); }
    operator std::string_view() const { return translated(english); }
};

}  // namespace megamem::web

// The language of the page: English, or Chinese with its dictionary and characters fetched.
#pragma once

#include <string>
#include <string_view>

namespace megamem::web {

void start_language();     // as chosen, else as the browser says
bool language_is_there();  // what start_language() fetches has come, or can't be had
void toggle_language();    // and remembers it

// "en" or "zh", as a link wants it: for this visit, and remembered by nobody.
void speak_for_now(std::string_view language);
// What was chosen in this visit, by a link or by toggle_language(); else empty.
const std::string& spoken_for_now();

}  // namespace megamem::web

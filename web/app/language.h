// The language of the page: English, or Chinese with its dictionary and characters fetched.
#pragma once

namespace megamem::web {

void start_language();     // as chosen, else as the browser says
bool language_is_there();  // what start_language() fetches has come, or can't be had
void toggle_language();    // and remembers it

}  // namespace megamem::web

// What the browser remembers of the user, and the actions of the top bar.
#pragma once

#include <string_view>

namespace megamem::web {

bool wants_dark();    // as chosen, else as the browser says
void toggle_theme();  // and remembers it
void copy_link();

// Small whole numbers of how the page is arranged; `fallback` where nothing is remembered.
int preferred(std::string_view key, int fallback);
void prefer(std::string_view key, int value);

// Somebody who came without a link and has not begun yet: they are shown where to begin.
bool is_first_visit();
void end_first_visit();  // for good

}  // namespace megamem::web

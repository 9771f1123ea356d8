// What the browser remembers of the user, and the actions of the top bar.
#pragma once

namespace megamem::web {

bool wants_dark();    // as chosen, else as the browser says
void toggle_theme();  // and remembers it
void copy_link();

// Somebody who came without a link and has not begun yet: they are shown where to begin.
bool is_first_visit();
void end_first_visit();  // for good

}  // namespace megamem::web

// What the browser remembers of the user, and the actions of the top bar.
#pragma once

namespace megamem::web {

bool wants_dark();    // as chosen, else as the browser says
void toggle_theme();  // and remembers it
void copy_link();

}  // namespace megamem::web

// Keys that work everywhere on the page.
#pragma once

namespace megamem::web {

// Once a frame, before anything is drawn. `sheet`: an explanation lies below the results.
void handle_shortcuts(bool sheet);

}  // namespace megamem::web

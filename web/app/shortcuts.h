// Keys that work everywhere on the page.
#pragma once

namespace megamem::web {

void handle_shortcuts();  // once a frame, before anything is drawn

}  // namespace megamem::web

// One fixed arrangement of the panels that follows the width of the page: three columns, two, or one.
#pragma once

namespace megamem::web {

void draw_page();

}  // namespace megamem::web

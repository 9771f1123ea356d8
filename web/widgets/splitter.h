// The border between two columns, which moves: dragged, or with the arrow keys while it has the focus.
#pragma once

namespace megamem::web {

struct Split {
    float position = 0;     // of the border, in window coordinates of the screen
    bool reset = false;     // by a double click or Enter: the position is to be the first one again
    bool finished = false;  // worth remembering
};

// `x` is where the border is, `height` how long it is from the cursor's line on.
Split splitter(const char* id, float x, float height);

}  // namespace megamem::web

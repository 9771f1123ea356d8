// What the open scenario's numbers rest on, for the tab and for the text beside the canvas: runs like it, the
// method's accuracy, assumptions, what is left out, sources.
#pragma once

#include <string>
#include <vector>

namespace megamem::web {

struct Note {
    enum class Kind { title, text, detail, warning, head, row };
    Kind kind = Kind::text;
    std::vector<std::string> cells;  // one, except of a table's head and rows
};

const std::vector<Note>& current_notes();  // made once a change

}  // namespace megamem::web

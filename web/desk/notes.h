// What the open scenario's numbers rest on, besides the assumptions that its report tells: runs like it, what
// is left out, the method's accuracy, sources.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "memory/report.h"

namespace megamem::web {

inline constexpr std::size_t kNoteColumns = 5;

struct Note {
    enum class Kind { title, text, detail, warning, head, row };
    Kind kind = Kind::text;
    std::vector<std::string> cells;  // one, except of a table's head and rows, which have kNoteColumns
};

std::vector<Note> notes_on(const Scenario& scenario, const Report& report);

// As records (base/records.h): between the program that knows them and the page that shows them.
std::string write_notes(const std::vector<Note>& notes);
std::vector<Note> read_notes(std::string_view records);

}  // namespace megamem::web

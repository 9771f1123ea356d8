#include <algorithm>
#include <iterator>

#include "base/records.h"
#include "desk/notes.h"

namespace megamem::web {

namespace {

// The kinds of records, in the order of Note::Kind.
constexpr std::string_view kKinds[] = {"title", "text", "detail", "warning", "head", "row"};

}  // namespace

std::string write_notes(const std::vector<Note>& notes) {
    RecordWriter out;
    for (const Note& note : notes) {
        const auto cell = [&](std::size_t i) {
            return i < note.cells.size() ? std::string_view(note.cells[i]) : std::string_view();
        };
        out.add(kKinds[static_cast<std::size_t>(note.kind)], note.cells.size(), cell(0), cell(1), cell(2),
                cell(3), cell(4));
    }
    return out.take();
}

std::vector<Note> read_notes(std::string_view records) {
    std::vector<Note> notes;
    while (!records.empty()) {
        const Record record = take_record(records);
        const auto kind = std::find(std::begin(kKinds), std::end(kKinds), record.kind);
        const auto cells = static_cast<std::size_t>(record.number(0));
        if (kind == std::end(kKinds) || cells < 1 || cells > kNoteColumns) continue;
        Note note{static_cast<Note::Kind>(kind - std::begin(kKinds)), {}};
        for (std::size_t i = 1; i <= cells; ++i)
            note.cells.push_back(record.text(i));
        notes.push_back(std::move(note));
    }
    return notes;
}

}  // namespace megamem::web

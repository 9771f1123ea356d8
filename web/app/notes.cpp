#include "app/notes.h"

#include "app/asked.h"
#include "app/state.h"
#include "link/link.h"
#include "memory/compare_records.h"

namespace megamem::web {

namespace {

std::string open_link_text() {
    const State& s = state();
    return write_link(s.scenario, s.preset, s.method);
}

}  // namespace

const std::optional<std::vector<Note>>& current_notes() {
    static Asked<std::vector<Note>> asked;
    return asked.about(open_version(), DeskQuestion::notes, 0, open_link_text, read_notes);
}

const std::optional<Comparison>& current_comparison() {
    static Asked<Comparison> asked;
    return asked.about(open_version(), DeskQuestion::methods, 0, open_link_text, read_comparison_records);
}

}  // namespace megamem::web

// What the open scenario's numbers rest on.
#include <imgui.h>

#include <algorithm>

#include "app/notes.h"
#include "app/state.h"
#include "panels/panels.h"
#include "text/text.h"
#include "widgets/draw.h"

namespace megamem::web {

using namespace style;

namespace {

// The first cell at the left, the others ending at places of their own.
void table_line(const Note& note, ImU32 color) {
    const float left = ImGui::GetCursorScreenPos().x;
    const float width = std::min(ImGui::GetContentRegionAvail().x, px(560));
    const auto count = static_cast<float>(note.cells.size());
    for (std::size_t i = 1; i < note.cells.size(); ++i) {
        const float share = 1 - (count - 1 - static_cast<float>(i)) * 0.16f;
        text_ending_at(note.cells[i], left + width * share, color);
    }
    text(note.cells[0], color);
}

void draw(const Note& note) {
    switch (note.kind) {
        case Note::Kind::title:
            heading(note.cells[0]);
            break;
        case Note::Kind::text:
            wrapped_text(note.cells[0], colors().muted);
            break;
        case Note::Kind::warning:
            wrapped_text(note.cells[0], colors().warn);
            break;
        case Note::Kind::detail: {
            const Font small(Type::small);
            wrapped_verbatim(note.cells[0], colors().faint);
            break;
        }
        case Note::Kind::head: {
            const Font small(Type::small);
            table_line(note, colors().muted);
            break;
        }
        case Note::Kind::row:
            table_line(note, colors().text);
            break;
    }
}

}  // namespace

void notes_panel() {
    begin_card("notes", 0, 0, 16);
    const Assumptions& assumptions = state().report.assumptions;
    if (!assumptions.empty()) heading(words::kAssumptions);
    for (const Assumption& assumption : assumptions)
        wrapped_text(assumption.message, colors().muted);
    if (const auto& notes = current_notes()) {
        for (const Note& note : *notes)
            draw(note);
    } else {
        desk_missing();
    }
    end_card();
}

}  // namespace megamem::web

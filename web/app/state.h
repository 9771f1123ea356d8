// What the page holds: the open scenario, its result, and what of it is selected. Panels read it and call the
// functions below; nothing else changes it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/history.h"
#include "memory/report.h"
#include "scenario/field.h"
#include "scenario/scenario.h"

namespace megamem::web {

// Text in a field that can't be used, with the reason. The scenario keeps the last good value.
struct Draft {
    std::string text;
    std::string reason;
};

enum class Tab { memory, methods, compare, notes };

// The scenario that the open one is compared with: A, and the open one is B.
struct Pinned {
    Scenario scenario;
    std::string preset;
    Report report;  // by the method of the open one
};

struct State {
    Scenario scenario;
    std::string preset;  // id; empty: none
    Scenario base;       // the preset's scenario: what "changed" is measured against
    Method method = Method::detailed;
    Report report;
    Problems link_problems;                    // of the link that was opened, until dismissed
    std::map<std::string_view, Draft> drafts;  // by field key
    std::int64_t selected_rank = 0;            // or shard
    std::string selected_cell;                 // of that rank, see memory/cells.h; empty: none
    std::vector<std::string> trail;            // cells from whose parts one came to it
    Tab tab = Tab::memory;
    std::uint64_t version = 0;  // of scenarios and method: panels that compute for themselves watch it
    bool rank_chosen = false;   // by the user; else the worst rank is shown
    bool inputs_shown = false;  // where there is room for one column only: the form, not the results
    History history;
    std::optional<Pinned> pinned;
};

State& state();

// Opens what a link says; an empty link opens the first preset.
void open_link(std::string_view hash);
// The same as a step of the reader's own: it can be undone, and Back returns from it.
void visit_link(std::string_view hash);
void open_preset(std::string_view id);
// Opens a scenario that comes from elsewhere; "changed" is measured against it from then on.
void open_scenario(Scenario scenario);

// Reads what was typed. The result is new at once; the link follows a moment later.
void edit_field(const Field& field, std::string_view text);
void reset_field(const Field& field);
void undo();  // nothing where there is nothing to undo
void redo();
void select_rank(std::int64_t rank);
void select_cell(std::int64_t rank, std::string_view cell);
bool is_selected(std::int64_t rank, std::string_view cell);
void open_part(std::string_view cell);  // of the selected cell
void close_part();                      // back to where one came from
void close_cell();                      // none is selected any more
bool is_explaining();                   // one is, and there is a result
void dismiss_link_problems();

void pin_scenario();  // the open one becomes A as well
void swap_pinned();
void drop_pinned();

void select_method(Method method);
void select_tab(Tab tab);

std::string current_link();  // without '#'

}  // namespace megamem::web

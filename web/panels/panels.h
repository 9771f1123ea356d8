// The panels of the page, each in a file of its own. They draw into the current window.
#pragma once

namespace megamem::web {

void top_bar();
float top_bar_height();  // in device pixels
void presets_menu();     // a popup, opened as "presets"
void export_menu();      // likewise, as "export"
void saved_menu();       // likewise, as "saved"
void inputs_panel();
void import_panel();  // in place of the results while an import is under way
void link_panel();    // what was dropped from the link, until dismissed
void start_panel();   // on a first visit
void verdict_panel();
void tabs_panel();
void pane_switch();  // between results and form, where there is room for one only
void ranks_panel();
void methods_panel();
void compare_panel();
void notes_panel();
void modules_panel();
void shards_panel();
void explain_panel();
void remarks_panel();      // what of it is no cell's: problems, warnings, assumptions
void explanation_sheet();  // the selected cell's alone, where there is no room beside the results
void desk_missing();       // in place of what the program beside the page would say

}  // namespace megamem::web

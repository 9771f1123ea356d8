// The import that is under way: what was pasted or dropped, what of it is to be taken, and what came of it.
// Nothing reaches the open scenario before apply_import().
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "app/state.h"
#include "import/import.h"
#include "import/merge.h"

namespace megamem::web {

struct Pasted {
    std::string name;  // of the file; empty: from the clipboard
    std::size_t bytes = 0;
    Import import;
};

struct OpenImport {
    bool open = false;
    std::vector<Pasted> pasted;           // later ones rule
    std::set<std::string_view> left_out;  // fields that are not to be taken
    std::map<std::string_view, Draft>
        answers;                      // typed for fields that no text sets; the reason is empty if good
    bool onto_open_scenario = false;  // else onto a blank one

    // Computed whenever one of the above changes.
    Merged merged;
    Report preview;
};

const OpenImport& imports();

void open_import();
void receive_text(std::string_view text, std::string_view name);  // pasted, dropped or picked
void remove_pasted(std::size_t index);
void take_field(std::string_view key, bool taken);
void answer_field(const Field& field, std::string_view text);
void import_onto(bool open_scenario);
void apply_import();
void close_import();

}  // namespace megamem::web

// Scenarios that the reader keeps in this browser: a name and a link each. Nothing but these functions writes
// them, so opening a link never changes one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace megamem::web {

struct Saved {
    std::string name;
    std::string link;  // without '#'
};

const std::vector<Saved>& saved_scenarios();
bool saving_works();  // false where the browser keeps nothing

bool is_saved(std::string_view name);
void save_scenario();  // the open one, under its own name; replaces the one of that name
void open_saved(std::size_t index);
void duplicate_saved(std::size_t index);
void delete_saved(std::size_t index);

}  // namespace megamem::web

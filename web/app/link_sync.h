// Keeps the address in step with the scenario: a moment after the last edit, since browsers limit the rate.
#pragma once

namespace megamem::web {

void write_link_soon();  // replaces the current history entry
void flush_link();       // writes now what is waiting
void push_link();        // a new history entry, so that Back returns to the scenario before

}  // namespace megamem::web

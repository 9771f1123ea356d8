// What a reader may leave in a scenario: values that each field takes.
#pragma once

#include "scenario/field.h"

namespace megamem::fuzz {

// Whether every value could be set again, one by one, and gives the same scenario.
inline bool can_be_set_again(const Scenario& scenario) {
    Scenario again;
    for (const Field& field : field_table()) {
        if (set_text(again, field, get_text(scenario, field))) return false;
    }
    return again == scenario;
}

}  // namespace megamem::fuzz

// What the `detailed` method rests on in the scenario at hand, and what of it isn't modelled.
#pragma once

#include "memory/detailed.h"

namespace megamem::detailed {

// Of a report whose ranks are there.
void add_assumptions(const Context& context, Report& report);

// Fields that Megatron-LM's memory depends on and this method's doesn't, as they are set: warnings with the
// code "not_modelled" and the field as path; "no_effect" where a field changes nothing.
void add_not_modelled(const Context& context, Problems& problems);

}  // namespace megamem::detailed

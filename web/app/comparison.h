// What the open scenario, B, differs from the pinned one, A, in.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/state.h"

namespace megamem::web {

std::vector<const Field*> differing_fields(const Scenario& a, const Scenario& b);
std::string value_of(const Scenario& scenario, const Field& field);  // as text; a word where it isn't set

// Of the worst ranks, by component; the last line is what the scenarios need.
struct ComponentLine {
    std::string_view name;
    Bytes a = 0;
    Bytes b = 0;
};
std::vector<ComponentLine> component_lines(const Report& a, const Report& b);  // none where one has no ranks

std::string signed_gib(Bytes bytes);  // "+1.25", "−0.50", "0.00"

// "Fits: rank 3, 41.46 GiB of 79.11 GiB", or why there is no result.
std::string verdict_text(const Report& report);

}  // namespace megamem::web

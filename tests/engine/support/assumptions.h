// What a method or a default assumed, by its id.
#pragma once

#include <algorithm>
#include <string_view>

#include "scenario/defaults.h"

namespace megamem::test {

inline const Assumption* find_assumption(const Assumptions& assumptions, std::string_view id) {
    const auto found =
        std::find_if(assumptions.begin(), assumptions.end(), [&](const Assumption& a) { return a.id == id; });
    return found == assumptions.end() ? nullptr : &*found;
}

inline bool assumes(const Assumptions& assumptions, std::string_view id) {
    return find_assumption(assumptions, id) != nullptr;
}

}  // namespace megamem::test

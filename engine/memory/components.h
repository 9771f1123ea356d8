// The components that a rank's total is made of, in the order in which they are shown everywhere.
#pragma once

#include <array>
#include <string_view>

#include "memory/report.h"

namespace megamem {

struct Component {
    std::string_view name;  // for people
    std::string_view key;   // of the report's totals
    Bytes Totals::*bytes;
};

inline constexpr std::array kComponentsOfTotal = {
    Component{"weights", "weight", &Totals::weight},
    Component{"FP8 copies", "fp8_cache", &Totals::fp8_cache},
    Component{"gradients", "grad", &Totals::grad},
    Component{"master", "master", &Totals::master},
    Component{"optimizer", "optimizer", &Totals::optimizer},
    Component{"activations", "activation", &Totals::activation},
    Component{"at the peak", "transient", &Totals::transient},
    Component{"vision", "vision", &Totals::vision},
    Component{"workspaces", "workspace", &Totals::workspace},
    Component{"reserve", "reserve", &Totals::reserve},
};

}  // namespace megamem

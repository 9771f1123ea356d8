// The components that a rank's total is made of, in the order in which they are shown.
#pragma once

#include <array>
#include <string_view>

#include "memory/report.h"

namespace megamem {

struct Component {
    std::string_view name;
    Bytes Totals::*bytes;
    std::string_view color;  // of bars on white
};

inline constexpr std::array kComponentsOfTotal = {
    Component{"weights", &Totals::weight, "#3b6fd4"},
    Component{"FP8 copies", &Totals::fp8_cache, "#c7bbfa"},
    Component{"gradients", &Totals::grad, "#7aa5f0"},
    Component{"master", &Totals::master, "#5b48c4"},
    Component{"optimizer", &Totals::optimizer, "#a08def"},
    Component{"activations", &Totals::activation, "#e08a3a"},
    Component{"at the peak", &Totals::transient, "#f0bf7f"},
    Component{"vision", &Totals::vision, "#2f9e8f"},
    Component{"workspaces", &Totals::workspace, "#8c97a8"},
    Component{"reserve", &Totals::reserve, "#b6bfcc"},
};

}  // namespace megamem

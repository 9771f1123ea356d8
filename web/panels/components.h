// The components that a rank's memory is shown in: name, colour and share of the totals, for bars and legend.
#pragma once

#include <array>

#include "memory/components.h"
#include "widgets/stacked_bar.h"

namespace megamem::web {

inline constexpr std::size_t kComponents = kComponentsOfTotal.size();

std::array<BarPart, kComponents> parts_of(const Totals& totals);

}  // namespace megamem::web

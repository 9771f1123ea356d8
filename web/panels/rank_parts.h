// What the bars and figures of the ranks are divided into: components or modules, as the reader chose.
#pragma once

#include <vector>

#include "memory/report.h"
#include "widgets/stacked_bar.h"

namespace megamem::web {

enum class Grouping { component, module };

Grouping grouping();
void group_by(Grouping grouping);  // and remembers it

// Those that any rank has, alike on all of them; `bytes` is the most that one has.
const std::vector<BarPart>& rank_parts();

// The same of one rank.
std::vector<BarPart> parts_of(const RankReport& rank);

}  // namespace megamem::web

// Numbers as people read them. The same text everywhere.
#pragma once

#include <cstdint>
#include <string>

#include "base/integers.h"

namespace megamem {

// "44.40": GiB with two decimals, rounded half up.
std::string gib(Bytes bytes);

// "671.03 B", "37.55 M": a count with a decimal prefix and two decimals; small counts as they are.
std::string short_count(std::int64_t count);

// "0.42 %": the size of a share, with two decimals. And "+0.42 %", "−0.42 %".
std::string percent_text(double share);
std::string signed_percent_text(double share);

// "50711.48": a measured or computed figure with a number of decimals. fmt's own tables for that aren't in
// the web builds.
std::string fixed(double value, int decimals);

// "129 280": thousands apart by a thin gap.
std::string grouped(std::int64_t value);

}  // namespace megamem

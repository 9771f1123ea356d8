// Whether a link without its end mark ends in the middle of a pair.
#pragma once

#include <string_view>

namespace megamem {

// A beginning of a key without '=', no value, half a %XX, a layout that wants more. A value that its field
// refuses looks cut too; the reader knows.
bool looks_cut(std::string_view pair);

}  // namespace megamem

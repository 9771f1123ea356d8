// Notes as people write them: "TP=8 PP=4 EP=32", "seq: 32K", "64 layers, hidden 5120", a table's row "| tp | 8 |",
// a bare pipeline layout. Only pairs of a known name and a fitting value count; all else is named as unknown.
#pragma once

#include <string_view>

#include "import/import.h"

namespace megamem {

// Format::unknown and nothing else where no pair is in the text.
Import import_notes(std::string_view text);

}  // namespace megamem

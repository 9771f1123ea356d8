// Imports put together into a scenario: a config.json, and then a script. What a later one sets replaces what
// an earlier one set; what a format means by silence counts only where no import speaks.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "base/problem.h"
#include "import/import.h"
#include "scenario/scenario.h"

namespace megamem {

struct Merged {
    Scenario scenario;
    std::vector<std::string_view> missing;  // required fields that nothing has set
    Problems problems;                      // fields whose value two imports set differently (info)
};

// `base`: what the imports are put on.
Merged merge_imports(const Scenario& base, std::span<const Import> imports);

}  // namespace megamem

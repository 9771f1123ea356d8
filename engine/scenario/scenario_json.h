// A scenario as JSON: keys are the field table's, "schema" is 1.
#pragma once

#include <string>
#include <string_view>

#include "base/problem.h"
#include "scenario/scenario.h"

namespace megamem {

inline constexpr int kSchema = 1;

// What could be read. A bad value is an error and leaves the field at its default; an unknown key is a
// warning. Every problem is reported, with the position where the text is no JSON at all.
struct ReadScenario {
    Scenario scenario;
    Problems problems;
};

ReadScenario read_scenario_json(std::string_view text);

// Every field that is set, in the order of the table; indented by `indent` spaces, or on one line with -1.
std::string write_scenario_json(const Scenario& scenario, int indent = 2);

}  // namespace megamem

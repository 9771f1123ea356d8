// The engine's one door: scenario and method in, report out. Never throws, never fails: what is wrong stands
// in the report's problems.
#pragma once

#include "memory/report.h"
#include "scenario/method.h"
#include "scenario/scenario.h"

namespace megamem {

Report estimate(const Scenario& scenario, Method method);

}  // namespace megamem

// The scenario that a command line asks for: preset, link or file, and then --set.
#pragma once

#include "base/problem.h"
#include "cli/options.h"
#include "scenario/method.h"
#include "scenario/scenario.h"

namespace megamem::cli {

struct Input {
    Scenario scenario;
    Method method = Method::detailed;  // that a link asks for
    Problems problems;  // an error: the scenario is not what was asked for
};

Input read_input(const Options& options);

}  // namespace megamem::cli

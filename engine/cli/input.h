// The scenario that a command line asks for: preset, link or files of any format that import.h reads, and
// then --set.
#pragma once

#include "base/problem.h"
#include "cli/files.h"
#include "cli/options.h"
#include "scenario/method.h"
#include "scenario/scenario.h"

namespace megamem::cli {

struct Input {
    Scenario scenario;
    std::string preset;                // id, empty without one
    Method method = Method::detailed;  // that a link asks for
    Problems problems;                 // an error: the scenario is not what was asked for
};

void read_preset(const std::string& id, Input& input);

Input read_input(const Options& options);

}  // namespace megamem::cli

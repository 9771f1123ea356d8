// The importer's core: Megatron-LM's arguments as a stream of (flag, values) into the field table. Readers of
// launch scripts, argument maps and the like only have to make that stream.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/problem.h"
#include "scenario/scenario.h"

namespace megamem {

struct Argument {
    std::string flag;                 // "--num-layers"
    std::vector<std::string> values;  // empty for a switch
};

struct ImportedArguments {
    Scenario scenario;                 // Megatron's defaults where the stream says nothing
    std::vector<std::string> taken;    // flags that set a field
    std::vector<std::string> ignored;  // flags that no field has: most are neutral for memory
    Problems problems;                 // bad values, and flags that matter and aren't modelled
};

// What Megatron-LM runs with when no flag is given.
Scenario megatron_defaults();

ImportedArguments import_arguments(const std::vector<Argument>& arguments);

}  // namespace megamem

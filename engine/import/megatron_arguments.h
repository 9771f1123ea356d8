// The importer's core: Megatron-LM's arguments as a stream of (flag, values) into fields. Readers of launch
// scripts, argument maps and the like only have to make that stream.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/problem.h"
#include "import/import.h"
#include "scenario/scenario.h"

namespace megamem {

struct Argument {
    std::string flag;                      // "--num-layers", or the argument's name: "num_layers"
    std::vector<std::string> values = {};  // empty for a switch
    std::size_t line = 0;                  // 1-based; 0: no single line
    std::string source = {};               // as written, for people; empty: flag and values
    std::string unresolved = {};  // a sentence where only people can tell the value; values don't count
};

// Whose words they are: it decides what silence means and which further spellings there are.
enum class Dialect {
    megatron,  // Megatron-LM's command line, and argument maps that stand for it (MindSpeed, Primus)
    bridge,    // Megatron-Bridge and NeMo
    swift,     // ms-swift
};

// Flags may be written with dashes or underscores, with or without the leading dashes; beside flags the keys
// of fields are known ("add_bias_linear: false"). "--world-size N" stands for nodes and GPUs.
Import read_arguments(const std::vector<Argument>& arguments, Format format, Dialect dialect);

// What the dialect runs with where nothing is said.
Scenario defaults_of(Dialect dialect);
inline Scenario megatron_defaults() {
    return defaults_of(Dialect::megatron);
}

// The same put on Megatron's defaults, for readers that want one whole scenario.
struct ImportedArguments {
    Scenario scenario;                 // Megatron's defaults where the stream says nothing
    std::vector<std::string> taken;    // flags that set a field
    std::vector<std::string> ignored;  // flags that no field has: most are neutral for memory
    Problems problems;                 // bad values, and flags that matter and aren't modelled
};

ImportedArguments import_arguments(const std::vector<Argument>& arguments);

}  // namespace megamem

#include <fmt/format.h>

#include <cstdio>

#include "cli/commands.h"

namespace megamem::cli {

namespace {

constexpr const char* kUsage = R"(megamem: GPU memory of a Megatron-LM training run

  megamem estimate FILE...|-            memory of every pipeline rank; files in any format of import
      --preset NAME                     start from a known model (instead of a file, or under it)
      --link '#v=1&m=...'               start from a link
      --set key=value                   change a field (repeatable)
      --method METHOD                   detailed (default), calculator or megatron-report
      --format table|json               default: table
      --explain NAME [--rank R]         the formula of a number with the scenario's numbers and its source
                                        (repeatable), on the worst rank: a cell MODULE.COLUMN
                                        (attention.weight, experts.total), a total (activation,
                                        peak_allocated, in_flight, total), or all of a module or term
  megamem import FILE...|-              the scenario that foreign files describe, and on standard error what
                                        became of every argument: config.json of Hugging Face, launch
                                        scripts and argument logs of Megatron-LM and ms-swift, YAML
                                        arguments, overrides, and megamem's own; later files add to earlier
      --base PRESET                     what they are put on
      --format json|link                default: json
  megamem export SCENARIO --to FORMAT   the scenario in others' words: megatron (a script), yaml, bridge, swift,
                                        scenario (megamem's JSON); or its report: json, csv, markdown, svg
      --preset, --link, --set, --method as for estimate
  megamem accuracy RUNS.json            the detailed method against measured runs
      --json OUT --svg OUT              the same as JSON, and as a scatter plot
      --evidence OUT.cpp                the runs and their errors as the source that the engine carries
  megamem presets [--format table|json] models and GPUs that are known
  megamem fields  [--format table|json] every field: flag, type, range, default
  megamem --version | --help

Exit status of estimate: 0 fits, 1 does not fit, 2 bad input; of import: 2 where nothing could be taken.
)";

}  // namespace

void tell_people(const Problems& problems) {
    for (const Problem& problem : problems) {
        fmt::print(stderr, "megamem: {}: {}\n", name_of(problem.severity), problem.message);
    }
}

int usage_error(const std::string& message) {
    fmt::print(stderr, "megamem: {}\n", message);
    return kBadInput;
}

int run(const std::vector<std::string>& arguments) {
    if (arguments.empty()) {
        std::fputs(kUsage, stderr);
        return kBadInput;
    }
    const std::string& command = arguments[0];
    const std::vector<std::string> rest(arguments.begin() + 1, arguments.end());
    if (command == "estimate") return estimate_command(rest);
    if (command == "import") return import_command(rest);
    if (command == "export") return export_command(rest);
    if (command == "accuracy") return accuracy_command(rest);
    if (command == "presets") return presets_command(rest);
    if (command == "fields") return fields_command(rest);
    if (command == "--help" || command == "-h" || command == "help") {
        std::fputs(kUsage, stdout);
        return kDone;
    }
    if (command == "--version") {
        fmt::print("megamem {}\n", MEGAMEM_VERSION);
        return kDone;
    }
    return usage_error(fmt::format("unknown command \"{}\"; megamem --help lists them", command));
}

}  // namespace megamem::cli

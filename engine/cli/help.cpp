#include "cli/help.h"

#include <algorithm>
#include <array>

namespace megamem::cli {

namespace {

constexpr std::string_view kHelp = R"(megamem: GPU memory of a Megatron-LM training run

  megamem estimate FILE...|-   memory of every pipeline rank
  megamem check FILE...|-      whether it fits with a margin: a gate before a launch
  megamem explain NAME FILE... the formula of a number, with the scenario's numbers and its source
  megamem import FILE...|-     the scenario that scripts, logs and configurations describe
  megamem export FILE...|-     the scenario, or its report, in others' words
  megamem accuracy RUNS.json   the detailed method against measured runs
  megamem presets              models and GPUs that are known
  megamem fields               every field: flag, type, range, default
  megamem --version | --help

megamem COMMAND --help says more of a command.

Exit status: 0 done, and it fits; 1 it does not fit; 2 bad input; 3 check can't say.
)";

struct CommandHelp {
    std::string_view command;
    std::string_view text;
};

constexpr std::array kCommands = {
    CommandHelp{"estimate", R"(megamem estimate FILE...|-            memory of every pipeline rank

Files are of any format that import reads; - is standard input.
  --preset NAME                       start from a known model (instead of a file, or under it)
  --link '#v=1&m=...'                 start from a link
  --set KEY=VALUE                     change a field (repeatable)
  --method METHOD                     detailed (default), calculator or megatron-report
  --format table|json                 default: table
  --explain NAME [--rank N]           add the explanation of a number (repeatable); see megamem explain --help

Exit status: 0 fits, 1 does not fit, 2 bad input.
)"},
    CommandHelp{"check",
                R"(megamem check FILE...|-               whether it fits with a margin: a gate before a launch

  --gpu GPU|N GiB                     H100-80 in upper or lower case, or a capacity like 96GiB; default: the
                                      scenario's GPU
  --margin auto|N%|NGiB|none          auto (default): the worst error of measured runs like it; with fewer than
                                      three of them the worst of all measured runs
  --format line|json|markdown         default: line
  --page URL                          where megamem is hosted, for the link in JSON and Markdown
  --preset, --link, --set, --method   as for estimate; --set answers what a file leaves open

"$@" in a script counts as empty: the script is checked as it runs without arguments.

Exit status: 0 fits with the margin, 1 does not fit, 2 bad input, 3 can't say: it fits but not with the margin, a
file leaves open what decides memory, or something isn't modelled.
)"},
    CommandHelp{
        "explain",
        R"(megamem explain NAME FILE...|-        the formula of a number, with the scenario's numbers and its source

NAME is a cell MODULE.COLUMN (attention.weight, experts.total), a total (activation, peak_allocated, in_flight,
total), or all of a module or term (attention).
  --rank N                            pipeline rank; default: the worst
  --preset, --link, --set, --method, --format
                                      as for estimate

Exit status: as of estimate.
)"},
    CommandHelp{"import", R"(megamem import FILE...|-              the scenario that files describe

Reads config.json of Hugging Face, launch scripts and argument logs of Megatron-LM and ms-swift, YAML arguments,
overrides, and megamem's own JSON and links; later files add to earlier. What became of every argument is told on
standard error.
  --base PRESET                       what they are put on
  --format json|link                  default: json

Exit status: 0, or 2 where nothing could be taken.
)"},
    CommandHelp{"export",
                R"(megamem export FILE...|- --to FORMAT  the scenario, or its report, in others' words

  --to FORMAT                         of the scenario: megatron (a script), yaml, bridge, swift, scenario (JSON);
                                      of its report: json, csv, markdown, svg
  --preset, --link, --set, --method   as for estimate

Exit status: 0, or 2 for bad input.
)"},
    CommandHelp{"accuracy", R"(megamem accuracy RUNS.json            the detailed method against measured runs

  --json OUT, --svg OUT               the same as JSON, and as a scatter plot
  --evidence OUT.cpp                  the runs and their errors as the source that the engine carries

Exit status: 0 all within their tolerance, 1 not all, 2 bad input.
)"},
    CommandHelp{"presets", R"(megamem presets [--format table|json]  models and GPUs that are known
)"},
    CommandHelp{"fields", R"(megamem fields [--format table|json]   every field: flag, type, range, default
)"},
};

}  // namespace

std::string_view help() {
    return kHelp;
}

std::string_view help_of(std::string_view command) {
    const auto found = std::find_if(kCommands.begin(), kCommands.end(),
                                    [&](const CommandHelp& help) { return help.command == command; });
    return found == kCommands.end() ? std::string_view() : found->text;
}

}  // namespace megamem::cli

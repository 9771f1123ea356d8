// `megamem accuracy`: the detailed method against measured runs.
#include <fmt/format.h>

#include <cstdio>

#include "accuracy/accuracy.h"
#include "accuracy/accuracy_report.h"
#include "accuracy/evidence_table.h"
#include "cli/commands.h"
#include "cli/files.h"
#include "cli/options.h"
#include "import/measured_runs.h"

namespace megamem::cli {

int accuracy_command(const std::vector<std::string>& arguments) {
    Options options = parse_options(arguments, {"--json", "--svg", "--evidence"});
    if (options.error.empty() && options.plain.size() != 1) options.error = "give one file of measured runs";
    if (!options.error.empty()) return usage_error(options.error);

    std::string error;
    const auto text = read_file(options.plain[0], kMostRunBytes, error);
    if (!text) return usage_error(error);
    const ReadRuns read = read_measured_runs(*text);
    for (const Problem& problem : read.problems)
        fmt::print(stderr, "megamem: {}: {}\n", name_of(problem.severity), problem.message);
    if (has_error(read.problems)) return kBadInput;

    const Accuracy accuracy = measure_accuracy(read.runs);
    std::fputs(accuracy_table(accuracy).c_str(), stdout);
    struct Output {
        std::string_view option;
        std::string (*write)(const Accuracy&);
    };
    for (const Output& output : {Output{"--json", accuracy_json}, Output{"--svg", accuracy_svg}}) {
        const auto path = options.value(output.option);
        if (path && !write_file(*path, output.write(accuracy), error)) return usage_error(error);
    }
    if (const auto path = options.value("--evidence")) {
        const MadeEvidence made = make_evidence(read.runs, accuracy);
        if (!made.error.empty()) return usage_error(made.error);
        if (!write_file(*path, write_evidence(made), error)) return usage_error(error);
    }
    return accuracy.all_within ? kDone : kDoesNotFit;
}

}  // namespace megamem::cli

#include <fmt/format.h>

#include <cstdio>

#include "accuracy/evidence_json.h"
#include "cli/commands.h"
#include "cli/input.h"
#include "cli/options.h"
#include "cli/report_table.h"
#include "memory/estimate.h"

namespace megamem::cli {

namespace {

void tell_people(const Problems& problems) {
    for (const Problem& problem : problems) {
        fmt::print(stderr, "megamem: {}: {}\n", name_of(problem.severity), problem.message);
    }
}

int status_of(const Report& report) {
    if (!report.valid) return kBadInput;
    return report.fits() ? kFits : kDoesNotFit;
}

}  // namespace

int estimate_command(const std::vector<std::string>& arguments) {
    Options options = parse_options(arguments, {"--method", "--format", "--preset", "--set", "--link"});
    if (!options.error.empty()) return usage_error(options.error);
    const auto json = wants_json(options, options.error);
    if (!json) return usage_error(options.error);
    const auto method = method_named(options.value("--method").value_or(std::string(kMethodNames[0])));
    if (!method) return usage_error(fmt::format("--method is one of {}", fmt::join(kMethodNames, ", ")));

    const Input input = read_input(options);
    Report report;
    if (has_error(input.problems)) {
        report.method = *method;
        report.problems = input.problems;
    } else {
        report = estimate(input.scenario, *method);
        report.problems.insert(report.problems.begin(), input.problems.begin(), input.problems.end());
    }
    tell_people(report.problems);
    if (*json) {
        std::puts(write_report_with_evidence(input.scenario, report).c_str());
    } else if (report.valid) {
        std::fputs(report_table(input.scenario, report).c_str(), stdout);
    }
    return status_of(report);
}

}  // namespace megamem::cli

// `megamem export`: a scenario, or its report, in the words of others.
#include "export/export.h"

#include <fmt/format.h>

#include <cstdio>

#include "cli/commands.h"
#include "cli/input.h"
#include "cli/options.h"
#include "memory/estimate.h"

namespace megamem::cli {

namespace {

void tell_people(const Problems& problems) {
    for (const Problem& problem : problems)
        fmt::print(stderr, "megamem: {}: {}\n", name_of(problem.severity), problem.message);
}

}  // namespace

int export_command(const std::vector<std::string>& arguments) {
    const Options options = parse_options(arguments, {"--to", "--method", "--preset", "--set", "--link"});
    if (!options.error.empty()) return usage_error(options.error);
    const ExportFormat* format = find_export(options.value("--to").value_or(""));
    if (format == nullptr) {
        std::string names;
        for (const ExportFormat& known : kExportFormats)
            names += fmt::format("{}{}", names.empty() ? "" : ", ", known.name);
        return usage_error(fmt::format("--to is one of {}", names));
    }
    const auto named = options.value("--method");
    if (named && !method_named(*named))
        return usage_error(fmt::format("--method is one of {}", fmt::join(kMethodNames, ", ")));
    const Input input = read_input(options);
    tell_people(input.problems);
    if (has_error(input.problems)) return kBadInput;
    const Method method = named ? *method_named(*named) : input.method;
    std::fputs(export_text(input.scenario, method, *format).c_str(), stdout);
    if (!shows_report(*format)) return kDone;
    const Report report = estimate(input.scenario, method);
    if (!report.valid) tell_people(report.problems);
    return report.valid ? kDone : kBadInput;
}

}  // namespace megamem::cli

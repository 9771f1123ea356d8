// `megamem export`: a scenario, or its report, in the words of others.
#include "export/export.h"

#include <fmt/format.h>

#include <cstdio>

#include "cli/commands.h"
#include "cli/input.h"
#include "cli/options.h"

namespace megamem::cli {

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
    const Export made = make_export(input.scenario, method, *format);
    std::fputs(made.text.c_str(), stdout);
    tell_people(made.problems);
    return made.problems.empty() ? kDone : kBadInput;
}

}  // namespace megamem::cli

// `megamem import`: foreign files become a scenario.
#include <fmt/format.h>

#include <cstdio>

#include "base/json_reader.h"
#include "cli/commands.h"
#include "cli/files.h"
#include "cli/import_review.h"
#include "cli/input.h"
#include "cli/options.h"
#include "import/merge.h"
#include "link/link.h"
#include "scenario/scenario_json.h"

namespace megamem::cli {

int import_command(const std::vector<std::string>& arguments) {
    Options options = parse_options(arguments, {"--base", "--format"});
    if (options.error.empty() && options.plain.empty())
        options.error = "give one or more files to import (- for standard input)";
    const std::string format = options.value("--format").value_or("json");
    if (options.error.empty() && format != "json" && format != "link")
        options.error = fmt::format("--format is json or link, not \"{}\"", format);
    if (!options.error.empty()) return usage_error(options.error);

    Input base;
    if (const auto preset = options.value("--base")) {
        read_preset(*preset, base);
        if (has_error(base.problems)) return usage_error(base.problems.front().message);
    }
    std::vector<Import> imports;
    bool taken = false;
    for (const std::string& path : options.plain) {
        std::string error;
        const auto text = read_file(path, kMostJsonBytes, error);
        if (!text) return usage_error(error);
        imports.push_back(import_text(*text));
        taken = taken || !imports.back().taken.empty();
        std::fputs(import_review(path, imports.back()).c_str(), stderr);
    }
    const Merged merged = merge_imports(base.scenario, imports);
    std::fputs(merge_review(merged).c_str(), stderr);
    if (!taken) return kBadInput;
    const std::string out = format == "link"
                                ? write_link(merged.scenario, options.value("--base").value_or(""))
                                : write_scenario_json(merged.scenario);
    std::puts(out.c_str());
    return kDone;
}

}  // namespace megamem::cli

// `megamem estimate`, and `megamem explain`, which is an estimate that explains one number.
#include <fmt/format.h>

#include <cstdio>

#include "accuracy/evidence_json.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/explain_table.h"
#include "cli/input.h"
#include "cli/options.h"
#include "cli/report_table.h"
#include "memory/cells.h"
#include "memory/estimate.h"
#include "memory/explain_cell.h"
#include "memory/explain_json.h"

namespace megamem::cli {

namespace {

int status_of(const Report& report) {
    if (!report.valid) return kBadInput;
    return report.fits() ? kFits : kDoesNotFit;
}

// What --explain asks for; an error where a name or the rank isn't there.
struct Explained {
    std::vector<Explanation> explanations;
    std::string error;
};

// A row's column, behind the totals.
std::string cell_example(const Report& report, std::int64_t rank) {
    const std::vector<std::string> cells = cell_names(report, rank);
    const std::size_t totals = totals_names(report, rank).size();
    return totals < cells.size() ? cells[totals] : std::string();
}

Explained explain_names(const Options& options, const Scenario& scenario, const Report& report) {
    Explained explained;
    const std::vector<std::string> wanted = options.values("--explain");
    if (wanted.empty() || !report.valid) return explained;
    std::int64_t rank = std::max<std::int64_t>(report.worst_rank, 0);
    if (const auto text = options.value("--rank")) {
        const auto given = parse_unsigned(*text);
        const auto places = static_cast<std::int64_t>(std::max(report.ranks.size(), report.shards.size()));
        if (!given || *given >= places) {
            explained.error =
                fmt::format("--rank is a {}, 0 to {}, not {}",
                            report.shards.empty() ? "pipeline rank" : "shard", places - 1, quote(*text));
            return explained;
        }
        rank = *given;
    }
    for (const std::string& name : wanted) {
        std::vector<Explanation> found = explain_named(scenario, report, rank, name);
        if (found.empty()) {
            explained.error = fmt::format(
                "--explain: no module, term or cell {}; there are {}; totals {}; and cells like {}",
                quote(name), fmt::join(explainable_names(report, rank), ", "),
                fmt::join(totals_names(report, rank), ", "), cell_example(report, rank));
            return explained;
        }
        for (Explanation& explanation : found)
            explained.explanations.push_back(std::move(explanation));
    }
    return explained;
}

}  // namespace

int estimate_command(const std::vector<std::string>& arguments) {
    Options options = parse_options(
        arguments, {"--method", "--format", "--preset", "--set", "--link", "--explain", "--rank"});
    if (!options.error.empty()) return usage_error(options.error);
    const auto json = wants_json(options, options.error);
    if (!json) return usage_error(options.error);
    const auto named = options.value("--method");
    if (named && !method_named(*named)) {
        return usage_error(fmt::format("--method is one of {}", fmt::join(kMethodNames, ", ")));
    }
    const Input input = read_input(options);
    const Method method = named ? *method_named(*named) : input.method;
    Report report;
    if (has_error(input.problems)) {
        report.method = method;
        report.problems = input.problems;
    } else {
        report = estimate(input.scenario, method);
        report.problems.insert(report.problems.begin(), input.problems.begin(), input.problems.end());
    }
    tell_people(report.problems);
    const Explained explained = explain_names(options, input.scenario, report);
    if (!explained.error.empty()) return usage_error(explained.error);
    if (*json) {
        std::puts(
            with_explanations(write_report_with_evidence(input.scenario, report), explained.explanations)
                .c_str());
    } else if (report.valid) {
        std::fputs(report_table(input.scenario, report).c_str(), stdout);
        std::fputs(explain_table(explained.explanations).c_str(), stdout);
    }
    return status_of(report);
}

int explain_command(const std::vector<std::string>& arguments) {
    if (arguments.empty() || arguments[0].starts_with("-"))
        return usage_error(
            "give the name of a number first, and then its scenario: megamem explain total FILE");
    std::vector<std::string> all = arguments;
    all.insert(all.begin(), "--explain");
    return estimate_command(all);
}

}  // namespace megamem::cli

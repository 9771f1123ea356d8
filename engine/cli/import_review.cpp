#include "cli/import_review.h"

#include <fmt/format.h>

#include "base/text.h"

namespace megamem::cli {

namespace {

std::string at(std::size_t line) {
    return line == 0 ? std::string("        ") : fmt::format("{:>6}: ", line);
}

std::string shown(std::string_view text) {
    return text.size() > 90 ? std::string(quote(text, 88)) : std::string(text);
}

void add_mentions(std::string& out, std::string_view title, const std::vector<Mention>& mentions) {
    if (mentions.empty()) return;
    out += fmt::format("  {}:\n", title);
    for (const Mention& mention : mentions) {
        out += fmt::format("  {}{}{}\n", at(mention.line), shown(mention.source),
                           mention.note.empty() ? "" : fmt::format("  ({})", mention.note));
    }
}

}  // namespace

std::string import_review(std::string_view path, const Import& import) {
    std::string out = fmt::format("{}: {}\n", path == "-" ? "standard input" : path,
                                  import.recognised.empty() ? "not recognised" : import.recognised);
    if (!import.taken.empty()) out += fmt::format("  taken ({}):\n", import.taken.size());
    for (const Taken& taken : import.taken) {
        out += fmt::format("  {}{} = {}{}\n", at(taken.line), taken.key, shown(taken.value),
                           taken.source.empty() ? "" : fmt::format("  ({})", shown(taken.source)));
    }
    if (!import.neutral.empty())
        out += fmt::format("  ignored, without influence on memory: {}\n", import.neutral.size());
    add_mentions(out, "unknown", import.unknown);
    if (!import.questions.empty()) out += "  open:\n";
    for (const Question& question : import.questions) {
        out += fmt::format("  {}{}{}: {}\n", at(question.line),
                           question.key.empty() ? "" : fmt::format("{}  ", question.key),
                           shown(question.source), question.message);
    }
    for (const Problem& problem : import.problems)
        out += fmt::format("  {}: {}\n", name_of(problem.severity), problem.message);
    return out;
}

std::string merge_review(const Merged& merged) {
    std::string out;
    for (const Problem& problem : merged.problems)
        out += fmt::format("{}: {}\n", name_of(problem.severity), problem.message);
    if (!merged.missing.empty()) out += fmt::format("missing: {}\n", fmt::join(merged.missing, ", "));
    return out;
}

Problems problems_of(const Import& import) {
    Problems problems = import.problems;
    for (const Question& question : import.questions) {
        const std::string where = question.line == 0 ? "" : fmt::format(" (line {})", question.line);
        // A script that runs as it is has no arguments of its own.
        const bool of_caller = question.source == "$@" || question.source == "$*";
        problems.push_back(
            {Severity::warning, of_caller ? "script_arguments" : "open_question", std::string(question.key),
             fmt::format(
                 "{}{}{}: {}", question.key.empty() ? question.source : question.key,
                 question.key.empty() || question.source.empty() ? "" : fmt::format(", {}", question.source),
                 where, question.message)});
    }
    if (!import.unknown.empty()) {
        std::string names;
        for (std::size_t i = 0; i < import.unknown.size() && i < 20; ++i)
            names += fmt::format("{}{}", i == 0 ? "" : ", ", shown(import.unknown[i].source));
        problems.push_back({Severity::warning, "unknown_argument", "",
                            fmt::format("{} unknown: {}", import.unknown.size(), names)});
    }
    return problems;
}

}  // namespace megamem::cli

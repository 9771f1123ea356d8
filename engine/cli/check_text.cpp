#include "cli/check_text.h"

#include <fmt/format.h>

#include "base/units.h"
#include "export/report_text.h"
#include "memory/report_json.h"

namespace megamem::cli {

namespace {

constexpr std::size_t kMostRanks = 16;

OrderedJson if_any(bool any, OrderedJson value) {
    return any ? std::move(value) : OrderedJson(nullptr);
}

}  // namespace

std::string check_line(const Gate& gate) {
    std::string line = fmt::format("{}: {}", words_of(gate.verdict), gate.reason);
    for (char& c : line) {
        if (c == '\n' || c == '\r') c = ' ';
    }
    return line;
}

std::string check_json(const Report& report, const Gate& gate, const std::string& link) {
    const bool has_margin = !gate.margin_source.empty();
    OrderedJson json = {
        {"verdict", name_of(gate.verdict)},
        {"reason", gate.reason},
        {"worst_rank", if_any(report.worst_rank >= 0, report.worst_rank)},
        {"needed_bytes", if_any(report.valid, gate.needed)},
        {"margin_bytes", if_any(has_margin, gate.margin)},
        {"margin_source", if_any(has_margin, gate.margin_source)},
        {"usable_bytes", report.capacity.usable},
        {"gpu", report.capacity.gpu},
        {"method", name_of(report.method)},
        {"problems", OrderedJson::array()},
        {"link", if_any(!link.empty(), link)},
    };
    for (const Problem& problem : report.problems)
        json["problems"].push_back(json_of(problem));
    return text_of(json, 2);
}

std::string check_markdown(const Report& report, const Gate& gate, const std::string& link) {
    std::string text =
        fmt::format("**GPU memory: {}**\n\n{}\n\n", words_of(gate.verdict), markdown_plain(gate.reason));
    if (!report.ranks.empty()) text += markdown_ranks(report, kMostRanks) + "\n";
    for (const Problem& problem : report.problems)
        text += fmt::format("- {}: {}\n", name_of(problem.severity), markdown_plain(problem.message));
    if (!report.problems.empty()) text += "\n";
    // Without a page before it the link is for the page's address line, or `--link`.
    if (link.starts_with('#')) text += fmt::format("`{}`\n", link);
    if (!link.starts_with('#') && !link.empty()) text += fmt::format("[Open in megamem]({})\n", link);
    return text;
}

}  // namespace megamem::cli

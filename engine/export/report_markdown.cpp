#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/units.h"
#include "export/report_text.h"
#include "memory/components.h"

namespace megamem {

namespace {

std::vector<const Component*> used_components(const Report& report) {
    std::vector<const Component*> used;
    for (const Component& component : kComponentsOfTotal) {
        for (const RankReport& rank : report.ranks) {
            if (rank.totals.*component.bytes == 0) continue;
            used.push_back(&component);
            break;
        }
    }
    return used;
}

std::string verdict(const Report& report) {
    const std::string where =
        report.worst_rank < 0 ? "the most loaded shard" : fmt::format("rank {}", report.worst_rank);
    return fmt::format("{}: {} needs {} GiB of {} GiB usable on {}", report.fits() ? "Fits" : "Does not fit",
                       where, gib(report.needed()), gib(report.capacity.usable), report.capacity.gpu);
}

// The fullest ranks, in their order.
std::vector<const RankReport*> fullest(const Report& report, std::size_t most) {
    std::vector<const RankReport*> ranks;
    for (const RankReport& rank : report.ranks)
        ranks.push_back(&rank);
    std::stable_sort(ranks.begin(), ranks.end(), [](const RankReport* a, const RankReport* b) {
        return a->totals.total > b->totals.total;
    });
    ranks.resize(std::min(most, ranks.size()));
    std::sort(ranks.begin(), ranks.end(),
              [](const RankReport* a, const RankReport* b) { return a->pipeline_rank < b->pipeline_rank; });
    return ranks;
}

}  // namespace

std::string markdown_plain(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (std::string_view("\\`*_[]<>|#").find(c) != std::string_view::npos) out += '\\';
        out += c == '\n' || c == '\r' ? ' ' : c;
    }
    return out;
}

std::string markdown_ranks(const Report& report, std::size_t most) {
    const auto components = used_components(report);
    std::string head = "| rank |", line = "|---:|";
    for (const Component* component : components) {
        head += fmt::format(" {} |", component->name);
        line += "---:|";
    }
    std::string text = head + " total GiB |\n" + line + "---:|\n";
    for (const RankReport* rank : fullest(report, most)) {
        text += fmt::format("| {} |", rank->pipeline_rank);
        for (const Component* component : components)
            text += fmt::format(" {} |", gib(rank->totals.*component->bytes));
        text += fmt::format(" **{}** |\n", gib(rank->totals.total));
    }
    if (report.ranks.size() > most)
        text += fmt::format("\n{} other ranks need no more than these.\n", report.ranks.size() - most);
    return text;
}

std::string export_markdown(const Scenario& scenario, const Report& report) {
    std::string text =
        fmt::format("**{}** (megamem, {})\n\n",
                    scenario.name.empty() ? "Memory" : markdown_plain(scenario.name), name_of(report.method));
    if (report.valid) text += verdict(report) + "\n\n";
    if (!report.ranks.empty()) text += markdown_ranks(report, report.ranks.size()) + "\n";
    for (const Problem& problem : report.problems)
        text += fmt::format("- {}: {}\n", name_of(problem.severity), markdown_plain(problem.message));
    for (const Assumption& assumption : report.assumptions)
        text += fmt::format("- {}\n", markdown_plain(assumption.message));
    return text;
}

}  // namespace megamem

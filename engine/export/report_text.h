// A report for other programs and for people: CSV (RFC 4180), a Markdown table for a pull request, and the
// stacked bars as SVG.
#pragma once

#include <string>
#include <string_view>

#include "memory/report.h"
#include "scenario/scenario.h"

namespace megamem {

// A row for each number: rank (or shard), module, component, kind, bytes; then the totals of each rank.
std::string export_csv(const Report& report);

// The verdict, the ranks by component in GiB, and what the numbers rest on.
std::string export_markdown(const Scenario& scenario, const Report& report);

// Parts of it, for texts around them: a text without signs of Markdown's own, and the table of the ranks, of
// the fullest ones where there are more than `most`.
std::string markdown_plain(std::string_view text);
std::string markdown_ranks(const Report& report, std::size_t most);

// One bar a rank, by component, with the GPU's capacity.
std::string export_svg(const Scenario& scenario, const Report& report);

}  // namespace megamem

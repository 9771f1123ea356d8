#include "app/text_tables.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/comparison.h"
#include "app/mirror.h"
#include "app/module_rows.h"
#include "app/shard_lines.h"
#include "base/units.h"
#include "memory/cells.h"
#include "memory/components.h"
#include "text/text.h"
#include "text/translate.h"

namespace megamem::web {

namespace {

using Line = std::vector<std::string>;

std::string bytes_cell(Bytes bytes) {
    return cell_of(gib(bytes), fmt::format("{}", bytes));
}

std::string bytes_or_dash(const std::optional<Bytes>& bytes) {
    return bytes ? bytes_cell(*bytes) : "–";
}

Line module_line(const ShownRow& row, const std::vector<Kind>& kinds) {
    const bool tensor = row.level == ShownRow::Level::tensor;
    std::string label;
    for (int i = 0; i < row.indent; ++i)
        label += "\u2003";  // as wide as an "m": what stands below belongs to what stands above
    label += tensor ? translated_whole(row.row.name) : translated(row.label);
    Line line = {verbatim_cell(label), row.row.elements > 0 ? short_count(row.row.elements) : std::string()};
    for (const Kind kind : kinds)
        line.push_back(row.row.of(kind) > 0 ? gib(row.row.of(kind)) : std::string());
    line.push_back(gib(row.row.total()));
    return line;
}

void rank_pairs(Document& out, const Report& a, const Report& b) {
    const std::size_t ranks = std::max(a.ranks.size(), b.ranks.size());
    if (ranks == 0) return;
    out.heading(words::kRanksOfBoth);
    out.table();
    out.head({words::kRank, "A", "B", words::kDifference});
    const auto total = [](const Report& report, std::size_t i) {
        return i < report.ranks.size() ? std::optional(report.ranks[i].totals.total) : std::nullopt;
    };
    for (std::size_t i = 0; i < ranks; ++i) {
        const auto of_a = total(a, i);
        const auto of_b = total(b, i);
        out.row({fmt::format("{}", i), bytes_or_dash(of_a), bytes_or_dash(of_b),
                 of_a && of_b ? signed_gib(*of_b - *of_a) : std::string()});
    }
}

}  // namespace

void ranks_table(Document& out, const Report& report) {
    std::vector<Component> shown;
    for (const Component& component : kComponentsOfTotal) {
        if (std::any_of(report.ranks.begin(), report.ranks.end(),
                        [&](const RankReport& rank) { return rank.totals.*component.bytes > 0; }))
            shown.push_back(component);
    }
    shown.push_back({words::kTotal, "total", &Totals::total});
    Line line = {cell_of(words::kRank, "rank")};
    for (const Component& component : shown)
        line.push_back(cell_of(component.name, component.key));
    out.head(line);
    for (const RankReport& rank : report.ranks) {
        line = {fmt::format("{}", rank.pipeline_rank)};
        for (const Component& component : shown)
            line.push_back(bytes_cell(rank.totals.*component.bytes));
        out.row(line);
    }
}

void modules_table(Document& out, const State& s) {
    const RankReport& rank = s.report.ranks[static_cast<std::size_t>(s.selected_rank)];
    const ShownRows shown = text_rows();
    std::vector<Kind> kinds;
    Line line = {words::kModule, words::kParameters};
    for (const Kind kind :
         {Kind::weight, Kind::fp8_cache, Kind::grad, Kind::master, Kind::optimizer, Kind::activation}) {
        if (shown.sums.of(kind) == 0) continue;
        kinds.push_back(kind);
        line.emplace_back(words_for(name_of(kind)));
    }
    line.emplace_back(words::kTotal);
    out.head(line);
    for (const ShownRow& row : shown.rows)
        out.row(module_line(row, kinds));
    const auto total = [&](std::string_view name, Bytes bytes) {
        line.assign(2 + kinds.size(), {});
        line[0] = name;
        line.push_back(gib(bytes));
        out.row(line);
    };
    total(words::kRankTotal, rank.totals.total);
    if (rank.in_flight.empty()) return;  // the method has no more
    total(words::kPeakAllocated, rank.totals.peak_allocated);
    total(words::kPeakReserved, rank.totals.peak_reserved);
    total(words::kSteadyAllocated, rank.totals.steady_allocated);
}

void shard_table(Document& out, const Shard& shard) {
    Line line = {words::kModule};
    for (const std::string_view column : kShardColumns)
        line.emplace_back(words_for(column));
    out.head(line);
    for (const ShardLine& shown : shard_lines(shard)) {
        line.assign(1, std::string(shown.name.empty() ? words::kTotal : shown.name));
        line.insert(line.end(), shown.cells.begin(), shown.cells.end());
        out.row(line);
    }
}

void methods_table(Document& out, const Comparison& comparison) {
    out.heading(words::kMethodsTitle);
    out.table();
    const auto column = [](std::string_view method, std::int64_t rank) {
        return rank < 0 ? std::string(method) : fmt::format("{}, rank {}", method, rank);
    };
    out.head({"GiB", column("detailed", comparison.detailed_rank),
              column("calculator", comparison.calculator_rank), words::kMostLoaded, words::kReason});
    for (const MethodRow& row : comparison.rows)
        out.row({row.name, bytes_or_dash(row.detailed), bytes_or_dash(row.calculator),
                 bytes_or_dash(row.megatron_report), row.reason});
}

void comparison_tables(Document& out, const Pinned& a, const State& b) {
    out.heading(words::kTabCompare);
    out.entry("A: " + verdict_text(a.report));
    out.entry("B: " + verdict_text(b.report));
    const std::vector<const Field*> fields = differing_fields(a.scenario, b.scenario);
    if (fields.empty()) {
        out.paragraph(words::kNothingDiffers);
    } else {
        out.heading(fmt::format(fmt::runtime(words::kInputsThatDiffer), fields.size()));
        out.table();
        out.head({words::kField, "A", "B"});
    }
    for (const Field* field : fields)
        out.row({std::string(field->label), verbatim_cell(value_of(a.scenario, *field)),
                 verbatim_cell(value_of(b.scenario, *field))});
    rank_pairs(out, a.report, b.report);
    const std::vector<ComponentLine> lines = component_lines(a.report, b.report);
    if (lines.empty()) return;
    out.heading(words::kPerComponent);
    out.table();
    out.head({words::kComponent, fmt::format("A, {}", where_of(a.report)),
              fmt::format("B, {}", where_of(b.report)), words::kDifference});
    for (const ComponentLine& line : lines)
        out.row(
            {std::string(line.name), bytes_cell(line.a), bytes_cell(line.b), signed_gib(line.b - line.a)});
}

}  // namespace megamem::web

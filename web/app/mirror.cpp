#include "app/mirror.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "app/document.h"
#include "app/explained.h"
#include "app/notes.h"
#include "app/state.h"
#include "base/units.h"
#include "memory/cells.h"
#include "memory/components.h"
#include "platform/platform.h"
#include "text/text.h"
#include "text/translate.h"

namespace megamem::web {

namespace {

bool writing = false;  // soon

std::string headline_of(const State& s) {
    const Verdict verdict = verdict_of(s.report);
    if (verdict == Verdict::invalid) {
        return fmt::format("{}: {}", word_of(verdict),
                           s.report.problems.empty() ? "" : s.report.problems[0].message);
    }
    return fmt::format("{}: {} needs {} GiB of {} GiB", word_of(verdict), where_of(s.report),
                       gib(s.report.needed()), gib(s.report.capacity.usable));
}

// "2.40 GiB, 3 %"
std::string room_of(const Report& report) {
    const Bytes room = report.headroom();
    const Bytes size = room < 0 ? -room : room;
    return fmt::format("{} GiB, {} %", gib(size), size * 100 / report.capacity.usable);
}

void figures(Document& out, const Report& report) {
    const auto figure = [&](std::string_view name, std::string_view value) {
        out.entry(fmt::format("{}: {}", name, value));
    };
    figure(report.headroom() < 0 ? words::kOver : words::kHeadroom, room_of(report));
    figure(words::kDataParallel, grouped(report.groups.data_parallel_size));
    if (state().scenario.num_experts > 0)
        figure(words::kExpertDataParallel, grouped(report.groups.expert_data_parallel_size));
    if (report.micro_batches > 0) figure(words::kMicroBatches, grouped(report.micro_batches));
    figure(words::kParameters, short_count(report.parameters.total));
    if (report.parameters.active < report.parameters.total)
        figure(words::kActive, short_count(report.parameters.active));
}

std::string bytes_cell(Bytes bytes) {
    return cell_of(gib(bytes), fmt::format("{}", bytes));
}

// The components that any rank has, and the total.
void ranks(Document& out, const Report& report) {
    std::vector<Component> shown;
    for (const Component& component : kComponentsOfTotal) {
        if (std::any_of(report.ranks.begin(), report.ranks.end(),
                        [&](const RankReport& rank) { return rank.totals.*component.bytes > 0; }))
            shown.push_back(component);
    }
    shown.push_back({words::kTotal, "total", &Totals::total});
    std::vector<std::string> line = {cell_of(words::kRank, "rank")};
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

// Modules and what belongs to none, as the table on the canvas has them.
void modules(Document& out, const RankReport& rank) {
    const std::vector<TableRow> rows = table_rows(rank);
    std::vector<Kind> kinds;
    std::vector<std::string> line = {words::kModule, words::kParameters};
    for (const Kind kind :
         {Kind::weight, Kind::fp8_cache, Kind::grad, Kind::master, Kind::optimizer, Kind::activation}) {
        if (std::none_of(rows.begin(), rows.end(), [&](const TableRow& row) { return row.of(kind) > 0; }))
            continue;
        kinds.push_back(kind);
        line.emplace_back(words_for(name_of(kind)));
    }
    line.emplace_back(words::kTotal);
    out.head(line);
    for (const TableRow& row : rows) {
        if (row.total() == 0 && row.elements == 0) continue;  // not there at the peak
        line = {row.multiplicity > 1 ? fmt::format("{} × {}", row.name, row.multiplicity)
                                     : std::string(row.name)};
        line.push_back(row.elements > 0 ? short_count(row.elements) : std::string());
        for (const Kind kind : kinds)
            line.push_back(row.of(kind) > 0 ? gib(row.of(kind)) : std::string());
        line.push_back(gib(row.total()));
        out.row(line);
    }
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

Bytes whole(double value) {
    return static_cast<Bytes>(std::ceil(std::min(value, static_cast<double>(kMaxExactBytes))));
}

void shard(Document& out, const Shard& shard) {
    out.head({words::kModule, std::string(words_for(kParametersColumn)), std::string(words_for(kStatesColumn)),
              std::string(words_for("activation"))});
    const auto gib_of = [](double bytes) { return bytes == 0 ? std::string() : gib(whole(bytes)); };
    for (const ShardItem& item : shard.modules)
        out.row({std::string(item.component), short_count(whole(item.parameters)), gib_of(item.bytes), {}});
    for (const ShardItem& item : shard.activations)
        out.row({std::string(item.component), {}, {}, gib_of(item.bytes)});
    out.row({words::kTotal, short_count(whole(shard.parameters)), gib_of(shard.weight_and_optimizer_bytes),
             gib_of(shard.activation_bytes.value_or(0))});
}

void explanation(Document& out, const Explanation& e) {
    out.heading(e.title);
    const FormulaTexts formula = formula_texts(e);
    if (!formula.symbols.empty()) out.verbatim("pre", formula.symbols);
    if (!formula.words.empty()) out.paragraph(formula.words);
    out.verbatim("pre", formula.numbers);
    for (const Symbol& symbol : e.legend)
        out.verbatim("li", fmt::format("{} = {}: {}", symbol.name, symbol.value, translated(symbol.meaning)));
    if (!e.parts.empty()) out.table();
    for (const ExplanationPart& part : e.parts)
        out.row({part.name, part.text, amount(part.bytes)});
    out.paragraph(words::kSource + e.source);
}

template <class All>
void messages(Document& out, std::string_view title, const All& all) {
    if (all.empty()) return;
    out.heading(title);
    for (const auto& one : all)
        out.entry(one.message);
}

Problems of_severity(const Problems& problems, Severity severity) {
    Problems found;
    std::copy_if(problems.begin(), problems.end(), std::back_inserter(found),
                 [&](const Problem& problem) { return problem.severity == severity; });
    return found;
}

void write_note(Document& out, const Note& note) {
    switch (note.kind) {
        case Note::Kind::title:
            return out.heading(note.cells[0]);
        case Note::Kind::head:
            out.table();
            return out.head(note.cells);
        case Note::Kind::row:
            return out.row(note.cells);
        case Note::Kind::detail:
            return out.verbatim("p", note.cells[0]);
        default:
            return out.paragraph(note.cells[0]);
    }
}

void result(Document& out, const State& s) {
    const Report& report = s.report;
    if (!s.drafts.empty()) out.paragraph(words::kDraftNote);
    messages(out, words::kFromLink, s.link_problems);
    messages(out, words::kProblems, of_severity(report.problems, Severity::error));
    if (report.valid) figures(out, report);
    const std::string caption =
        fmt::format("{}: {}", s.scenario.name.empty() ? words::kProduct : s.scenario.name,
                    translated(fmt::format(fmt::runtime(words::kByMethod), name_of(report.method))));
    const auto at = static_cast<std::size_t>(s.selected_rank);
    const std::string place = fmt::format("{}, GiB", place_name(report, s.selected_rank));
    if (!report.ranks.empty()) {
        out.heading(words::kRanks);
        out.table(caption);
        ranks(out, report);
        out.heading(place);
        out.table();
        modules(out, report.ranks[at]);
    }
    for (std::size_t i = 0; i < report.shards.size(); ++i) {
        const std::string name = fmt::format("{}, GiB", place_name(report, static_cast<std::int64_t>(i)));
        out.heading(name);
        out.table(i == 0 ? caption : std::string());
        shard(out, report.shards[i]);
    }
    if (const auto& e = current_explanation(); e && report.valid) explanation(out, *e);
    messages(out, words::kWarnings, of_severity(report.problems, Severity::warning));
    for (const Note& note : current_notes())
        write_note(out, note);
}

void write() {
    writing = false;
    const State& s = state();
    Document out;
    result(out, s);
    const std::string name = s.scenario.name.empty() ? words::kProduct : s.scenario.name;
    platform::set_mirror(name, translated(headline_of(s)), out.coded());
    platform::set_title(s.scenario.name.empty() ? name : fmt::format("{} – {}", name, words::kProduct));
}

}  // namespace

Verdict verdict_of(const Report& report) {
    if (!report.valid) return Verdict::invalid;
    if (!report.fits()) return Verdict::does_not_fit;
    // Less than a twentieth left: fragmentation alone can take that.
    return report.headroom() * 20 < report.capacity.usable ? Verdict::tight : Verdict::fits;
}

const char* word_of(Verdict verdict) {
    switch (verdict) {
        case Verdict::fits:
            return words::kFits;
        case Verdict::tight:
            return words::kTight;
        case Verdict::does_not_fit:
            return words::kDoesNotFit;
        case Verdict::invalid:
            return words::kInvalid;
    }
    return "";
}

std::string where_of(const Report& report) {
    return report.worst_rank < 0 ? std::string(words::kMostLoadedShard)
                                 : fmt::format("rank {}", report.worst_rank);
}

void mirror_changes() {
    static std::string mirrored;
    constexpr int kMoment = 60;  // milliseconds: typing goes on undisturbed
    const State& s = state();
    std::string now = fmt::format("{} {} {} {} {} {} {}", s.version, s.selected_rank, s.selected_cell,
                                  s.drafts.size(), s.link_problems.size(), is_chinese(),
                                  current_explanation().has_value());
    if (now == mirrored) return;
    // The first result is there at once.
    if (!writing) platform::after_unseen(mirrored.empty() ? 0 : kMoment, write);
    writing = true;
    mirrored = std::move(now);
}

}  // namespace megamem::web

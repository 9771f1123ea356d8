#include "app/mirror.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "app/document.h"
#include "app/explained.h"
#include "app/module_rows.h"
#include "app/notes.h"
#include "app/state.h"
#include "app/text_tables.h"
#include "base/units.h"
#include "memory/cells.h"
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
    if (!report.ranks.empty()) {
        out.heading(words::kRanks);
        out.table(caption);
        ranks_table(out, report);
        out.heading(fmt::format("{}, GiB", place_name(report, s.selected_rank)));
        out.table();
        modules_table(out, s);
    }
    for (std::size_t i = 0; i < report.shards.size(); ++i) {
        const std::string name = fmt::format("{}, GiB", place_name(report, static_cast<std::int64_t>(i)));
        out.heading(name);
        out.table(i == 0 ? caption : std::string());
        shard_table(out, report.shards[i]);
    }
    if (const auto& e = current_explanation(); e && report.valid) explanation(out, *e);
    if (s.pinned) comparison_tables(out, *s.pinned, s);
    messages(out, words::kWarnings, of_severity(report.problems, Severity::warning));
    messages(out, words::kAssumptions, report.assumptions);
}

// What the program beside the page says is there where the text is read, or the tab is open that has it.
bool shows(Tab tab) {
    return state().tab == tab || platform::text_view_is_shown();
}

void asked(Document& out) {
    bool missing = false;
    if (shows(Tab::methods)) {
        const auto& comparison = current_comparison();
        if (comparison) methods_table(out, *comparison);
        missing = !comparison;
    }
    if (shows(Tab::notes)) {
        const auto& notes = current_notes();
        for (const Note& note : notes.value_or(std::vector<Note>()))
            write_note(out, note);
        missing = missing || !notes;
    } else {
        out.paragraph(words::kMoreInText);
    }
    if (missing) {
        const bool failed = platform::desk_state() == platform::DeskState::failed;
        out.paragraph(failed ? words::kPartFailed : words::kPartLoading);
    }
}

// What of it is shown, and what has come.
std::string asked_parts() {
    const auto part = [](Tab tab, const auto& current) { return shows(tab) ? 1 + (current() ? 1 : 0) : 0; };
    return fmt::format("{} {} {}", part(Tab::methods, current_comparison), part(Tab::notes, current_notes),
                       static_cast<int>(platform::desk_state()));
}

void write() {
    writing = false;
    const State& s = state();
    Document out;
    result(out, s);
    asked(out);
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
    std::string now = fmt::format("{} {} {} {} {} {} {} {} {}", s.version, s.selected_rank, s.selected_cell,
                                  s.drafts.size(), s.link_problems.size(), is_chinese(),
                                  current_explanation().has_value(), module_view_changes(), asked_parts());
    if (now == mirrored) return;
    // The first result is there at once.
    if (!writing) platform::after_unseen(mirrored.empty() ? 0 : kMoment, write);
    writing = true;
    mirrored = std::move(now);
}

}  // namespace megamem::web

#include "app/notes.h"

#include <fmt/format.h>

#include <algorithm>

#include "accuracy/evidence_data.h"
#include "app/evidence.h"
#include "app/state.h"
#include "base/units.h"
#include "text/text.h"

namespace megamem::web {

namespace {

using Kind = Note::Kind;

class Notes {
  public:
    std::vector<Note> all;

    void add(Kind kind, std::string text) { all.push_back({kind, {std::move(text)}}); }
};

void like_runs(Notes& notes) {
    const Evidence& found = current_evidence();
    notes.add(Kind::title, words::kEvidenceTitle);
    if (found.runs.empty()) {
        notes.add(Kind::text, fmt::format(fmt::runtime(words::kNothingLikeIt), found.missing));
        return;
    }
    notes.add(Kind::text, fmt::format(fmt::runtime(words::kRunsLikeIt), found.alike, percent_text(found.median),
                                      percent_text(found.worst)));
    if (!found.missing.empty()) notes.add(Kind::warning, fmt::format(fmt::runtime(words::kBut), found.missing));
    for (const EvidenceRun& run : found.runs) {
        notes.add(Kind::text, fmt::format(fmt::runtime(words::kMeasuredRun), signed_percent_text(run.error),
                                          run.label, run.pipeline_rank, gib(run.measured_peak)));
        notes.add(Kind::detail, run.source);
    }
}

void accuracy(Notes& notes) {
    const EvidenceTable& table = evidence_table();
    notes.add(Kind::title, words::kAccuracyTitle);
    notes.add(Kind::text, fmt::format(fmt::runtime(words::kAccuracyOf), table.rows.size(), table.tests.size()));
    notes.all.push_back(
        {Kind::head, {words::kKindOfRun, words::kPeaks, words::kMedian, words::kNineTenths, words::kWorst}});
    for (const Spread& spread : evidence_spreads()) {
        notes.all.push_back({Kind::row,
                             {spread.kind, fmt::format("{}", spread.count), percent_text(spread.median),
                              percent_text(spread.p90), percent_text(spread.worst)}});
    }
}

void sources(Notes& notes) {
    notes.add(Kind::title, words::kSourcesTitle);
    for (const char* line : words::kSources)
        notes.add(Kind::text, line);
    for (const std::string_view place : evidence_table().places)
        notes.add(Kind::detail, std::string(place.substr(0, place.find(":tests"))));
}

std::vector<Note> notes_of(const State& s) {
    Notes notes;
    const bool detailed = s.method == Method::detailed;
    if (detailed && s.report.valid) like_runs(notes);
    if (!s.report.assumptions.empty()) notes.add(Kind::title, words::kAssumptions);
    for (const Assumption& assumption : s.report.assumptions)
        notes.add(Kind::text, assumption.message);
    if (detailed) {
        notes.add(Kind::title, words::kLeftOutTitle);
        for (const Problem& problem : s.report.problems) {
            if (problem.code == "not_modelled") notes.add(Kind::warning, problem.message);
        }
        for (const char* line : words::kLeftOut)
            notes.add(Kind::text, line);
        accuracy(notes);
    }
    sources(notes);
    return std::move(notes.all);
}

}  // namespace

const std::vector<Note>& current_notes() {
    static std::vector<Note> made;
    static std::uint64_t of_version = 0;
    if (of_version != state().version) {
        made = notes_of(state());
        of_version = state().version;
    }
    return made;
}

}  // namespace megamem::web

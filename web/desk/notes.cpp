#include "desk/notes.h"

#include <fmt/format.h>

#include "accuracy/evidence.h"
#include "accuracy/evidence_data.h"
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

void like_runs(Notes& notes, const Evidence& found) {
    notes.add(Kind::title, words::kEvidenceTitle);
    if (found.runs.empty()) {
        notes.add(Kind::text, fmt::format(fmt::runtime(words::kNothingLikeIt), found.missing));
        return;
    }
    notes.add(Kind::text, fmt::format(fmt::runtime(words::kRunsLikeIt), found.alike,
                                      percent_text(found.median), percent_text(found.worst)));
    if (!found.missing.empty())
        notes.add(Kind::warning, fmt::format(fmt::runtime(words::kBut), found.missing));
    for (const EvidenceRun& run : found.runs) {
        notes.add(Kind::text, fmt::format(fmt::runtime(words::kMeasuredRun), signed_percent_text(run.error),
                                          run.label, run.pipeline_rank, gib(run.measured_peak)));
        notes.add(Kind::detail, run.source);
    }
}

void accuracy(Notes& notes) {
    notes.add(Kind::title, words::kAccuracyTitle);
    notes.add(Kind::text, fmt::format(fmt::runtime(words::kAccuracyOf), evidence_rows().size(),
                                      evidence_names().tests.size()));
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
    for (const std::string_view place : evidence_names().places)
        notes.add(Kind::detail, std::string(place.substr(0, place.find(":tests"))));
}

}  // namespace

std::vector<Note> notes_on(const Scenario& scenario, const Report& report) {
    Notes notes;
    if (report.method == Method::detailed) {
        if (report.valid) like_runs(notes, evidence_for(scenario, report));
        notes.add(Kind::title, words::kLeftOutTitle);
        for (const Problem& problem : report.problems) {
            if (problem.code == "not_modelled") notes.add(Kind::warning, problem.message);
        }
        for (const char* line : words::kLeftOut)
            notes.add(Kind::text, line);
        accuracy(notes);
    }
    sources(notes);
    return std::move(notes.all);
}

}  // namespace megamem::web

// What the open scenario's numbers rest on: evidence, what isn't modelled, assumptions.
#include <fmt/format.h>
#include <imgui.h>

#include "app/evidence.h"
#include "app/state.h"
#include "base/units.h"
#include "panels/panels.h"
#include "text/text.h"
#include "widgets/draw.h"

namespace megamem::web {

using namespace style;

namespace {

void evidence() {
    if (state().method != Method::detailed || !state().report.valid) return;
    const Evidence& found = current_evidence();
    heading(words::kEvidenceTitle);
    if (found.runs.empty()) {
        wrapped_text(fmt::format("Nothing like it was measured: {}.", found.missing), colors().muted);
        return;
    }
    wrapped_text(fmt::format("{} measured runs are like this one: median error {}, worst {}.", found.alike,
                             percent_text(found.median), percent_text(found.worst)),
                 colors().muted);
    if (!found.missing.empty()) wrapped_text(fmt::format("But {}.", found.missing), colors().warn);
    const Font small(Type::small);
    for (const EvidenceRun& run : found.runs) {
        text(fmt::format("{}  {}, rank {}, {} GiB measured", signed_percent_text(run.error), run.label,
                         run.pipeline_rank, gib(run.measured_peak)));
        wrapped_text(run.source, colors().faint);
    }
}

}  // namespace

void notes_panel() {
    begin_card("notes", 0, 0, 16);
    evidence();
    const Report& report = state().report;
    if (!report.assumptions.empty()) heading(words::kAssumptions);
    for (const Assumption& assumption : report.assumptions)
        wrapped_text(assumption.message, colors().muted);
    end_card();
}

}  // namespace megamem::web

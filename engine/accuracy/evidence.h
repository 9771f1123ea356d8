// How well runs like a scenario are predicted: the measured ones that are nearest to it, and their errors
// (nearest_runs.h says which these are).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "accuracy/accuracy.h"
#include "accuracy/features.h"
#include "base/integers.h"
#include "memory/report.h"

namespace megamem {

struct EvidenceRun {
    std::string label;
    std::string source;  // "owner/name@commit:path", or words
    std::int64_t pipeline_rank = 0;
    double error = 0;  // of the peak: (predicted - measured) / measured
    std::optional<double> steady_error;
    Bytes measured_peak = 0;  // to a MiB
};

struct Evidence {
    std::size_t alike = 0;
    double median = 0;  // of the errors' magnitudes
    double worst = 0;
    double lowest = 0;  // with their signs
    double highest = 0;
    std::vector<EvidenceRun> runs;  // the nearest first
    std::string missing;            // a sentence: what of the scenario these runs hadn't; empty: nothing
};

// Of a report of the detailed method; nothing for others and for one that isn't valid.
Evidence evidence_for(const Scenario& scenario, const Report& report);

// The errors of all the measured peaks, by kind; the kinds with most of them first.
std::vector<Spread> evidence_spreads();

}  // namespace megamem

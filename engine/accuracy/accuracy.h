// The detailed method held against measured runs: errors, kinds, tolerances.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "import/measured_runs.h"

namespace megamem {

// A prediction beside its measurement, in bytes.
struct Compared {
    Bytes predicted = 0;
    std::optional<Bytes> measured;

    // (predicted - measured) / measured; nullopt without a measurement.
    std::optional<double> error() const;
};

struct StageAccuracy {
    std::int64_t pipeline_rank = 0;
    Compared steady;
    Compared peak;
    Compared reserved;
};

struct RunAccuracy {
    std::string id;
    std::string kind;
    std::string source;
    bool covered = false;
    std::string reason;    // why not
    bool flagged = false;  // its own record says that its figures can't be trusted to the full
    bool world_size_inferred = false;
    std::vector<StageAccuracy> stages;
    std::vector<PeerFigure> peers;
    bool within = true;  // its tolerance
};

struct Spread {
    std::string kind;
    std::size_t count = 0;
    double median = 0;
    double p90 = 0;
    double worst = 0;
};

struct Accuracy {
    std::vector<RunAccuracy> runs;
    std::vector<Spread> steady;  // by kind; flagged runs apart
    std::vector<Spread> peak;
    std::vector<Spread> peers;  // other tools' peaks, by tool, flagged runs left out
    std::size_t covered = 0;
    std::size_t flagged = 0;
    bool all_within = true;
};

// Of what kind a scenario is: the features that decide how well it is known.
std::string kind_of(const Scenario& scenario);

// What a run of a kind may miss by: a share of the measured value, or a number of bytes where that is more.
struct Tolerance {
    std::string_view kind;
    double steady = 0;
    Bytes steady_floor = 0;
    double peak = 0;
    Bytes peak_floor = 0;
    std::string_view reason;
};
const Tolerance& tolerance_of(std::string_view kind);

// A peer's prediction of the run's stage that `at` names; nullopt where its figures can't be assigned to
// stages.
std::optional<double> peer_error(const RunAccuracy& run, const PeerFigure& peer, std::size_t at);

// The sorted magnitudes' median, 90th percentile and largest.
Spread spread_of(std::string kind, std::vector<double> errors);

Accuracy measure_accuracy(const std::vector<MeasuredRun>& runs);

}  // namespace megamem

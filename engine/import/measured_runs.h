// Measured runs, one JSON schema: arguments, world size, GPU and software, and the bytes that were measured.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/integers.h"
#include "base/problem.h"
#include "scenario/scenario.h"

namespace megamem {

struct MeasuredStage {
    std::int64_t pipeline_rank = -1;  // -1: the last
    std::optional<Bytes> steady;
    std::optional<Bytes> peak;
    std::optional<Bytes> reserved;
};

struct PeerFigure {
    std::string name;
    std::vector<double> gib;  // of the measured stages, in order
};

struct MeasuredRun {
    std::string id;
    std::string source;
    std::vector<std::string> flags;  // how far the figures can be trusted
    bool world_size_inferred = false;
    std::string not_covered;  // a general reason why no prediction is made, else empty
    Scenario scenario;
    std::vector<MeasuredStage> stages;
    std::vector<PeerFigure> peers;
    Problems problems;  // of the import
};

struct ReadRuns {
    std::vector<MeasuredRun> runs;
    Problems problems;  // an error: the file holds no runs
};

ReadRuns read_measured_runs(std::string_view json);

}  // namespace megamem

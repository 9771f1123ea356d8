#include "accuracy/accuracy.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "memory/estimate.h"

namespace megamem {

namespace {

bool within(const Compared& compared, double share, Bytes floor) {
    if (!compared.measured) return true;
    const double allowed =
        std::max(share * static_cast<double>(*compared.measured), static_cast<double>(floor));
    return std::fabs(static_cast<double>(compared.predicted - *compared.measured)) <= allowed;
}

RunAccuracy measure(const MeasuredRun& run) {
    RunAccuracy result;
    result.id = run.id;
    result.source = run.source;
    result.kind = kind_of(run.scenario);
    result.flagged = !run.flags.empty();
    result.world_size_inferred = run.world_size_inferred;
    result.peers = run.peers;
    if (!run.not_covered.empty()) {
        result.reason = run.not_covered;
        return result;
    }
    const Report report = estimate(run.scenario, Method::detailed);
    if (!report.valid) {
        result.reason = report.problems.empty() ? "invalid" : report.problems[0].message;
        return result;
    }
    result.covered = true;
    const Tolerance tolerance = tolerance_of(result.kind);
    for (const MeasuredStage& stage : run.stages) {
        const auto last = static_cast<std::int64_t>(report.ranks.size()) - 1;
        const std::int64_t rank = stage.pipeline_rank < 0 ? last : stage.pipeline_rank;
        if (rank > last) continue;
        const Totals& totals = report.ranks[static_cast<std::size_t>(rank)].totals;
        StageAccuracy here{rank,
                           {totals.steady_allocated, stage.steady},
                           {totals.peak_allocated, stage.peak},
                           {totals.peak_reserved, stage.reserved}};
        result.within = result.within && within(here.steady, tolerance.steady, tolerance.steady_floor) &&
                        within(here.peak, tolerance.peak, tolerance.peak_floor);
        result.stages.push_back(here);
    }
    return result;
}

Spread spread_of(const std::string& kind, std::vector<double> errors) {
    Spread spread{kind, errors.size()};
    if (errors.empty()) return spread;
    std::sort(errors.begin(), errors.end());
    const auto at = [&](double share) {
        return errors[std::min(errors.size() - 1,
                               static_cast<std::size_t>(share * static_cast<double>(errors.size())))];
    };
    const std::size_t middle = errors.size() / 2;
    spread.median = errors.size() % 2 == 1 ? errors[middle] : (errors[middle - 1] + errors[middle]) / 2;
    spread.p90 = at(0.9);
    spread.worst = errors.back();
    return spread;
}

}  // namespace

std::optional<double> Compared::error() const {
    if (!measured || *measured == 0) return std::nullopt;
    return static_cast<double>(predicted - *measured) / static_cast<double>(*measured);
}

std::string kind_of(const Scenario& s) {
    if (s.use_megatron_fsdp) return "FSDP";
    if (s.optimizer == Optimizer::muon || s.optimizer == Optimizer::dist_muon) return "Muon";
    if (s.cuda_graph_impl != CudaGraphImpl::none) return "CUDA graphs";
    if (s.fp8_format != Fp8Format::none) return "FP8";
    if (s.fine_grained_activation_offloading) return "offload";
    if (s.recompute_granularity != RecomputeGranularity::none) return "recompute";
    if (s.transformer_impl == TransformerImpl::local) return "local";
    return s.num_experts > 0 ? "MoE" : "dense";
}

Tolerance tolerance_of(std::string_view kind) {
    constexpr Bytes kSteadyFloor = 150 * kMiB;  // what small runs may miss by: buffers of a few MiB each
    constexpr Bytes kPeakFloor =
        64 * kMiB;  // two library workspaces of 32 MiB, of which a first pass may lack one
    // Routing that isn't balanced is the larger part of what MoE runs miss by.
    const bool routed = kind == "MoE" || kind == "Muon" || kind == "FP8" || kind == "FSDP";
    return {0.03, kSteadyFloor, routed ? 0.08 : 0.03, kPeakFloor};
}

Accuracy measure_accuracy(const std::vector<MeasuredRun>& runs) {
    Accuracy accuracy;
    std::map<std::string, std::vector<double>> steady;
    std::map<std::string, std::vector<double>> peak;
    for (const MeasuredRun& run : runs) {
        RunAccuracy result = measure(run);
        accuracy.covered += result.covered ? 1 : 0;
        // A run whose own record is flagged is shown, and held to nothing.
        if (result.covered && !result.flagged) accuracy.all_within = accuracy.all_within && result.within;
        for (const StageAccuracy& stage : result.stages) {
            if (const auto error = stage.steady.error()) steady[result.kind].push_back(std::fabs(*error));
            if (const auto error = stage.peak.error()) peak[result.kind].push_back(std::fabs(*error));
        }
        accuracy.runs.push_back(std::move(result));
    }
    for (const auto& [kind, errors] : steady)
        accuracy.steady.push_back(spread_of(kind, errors));
    for (const auto& [kind, errors] : peak)
        accuracy.peak.push_back(spread_of(kind, errors));
    return accuracy;
}

}  // namespace megamem

#include "accuracy/accuracy.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
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
    const Tolerance& tolerance = tolerance_of(result.kind);
    for (const MeasuredStage& stage : run.stages) {
        const auto last = static_cast<std::int64_t>(report.ranks.size()) - 1;
        const std::int64_t rank = stage.pipeline_rank < 0 ? last : stage.pipeline_rank;
        if (rank > last) {
            result.covered = false;
            result.stages.clear();
            result.reason = fmt::format("pipeline rank {} was measured; there are {}", rank, last + 1);
            return result;
        }
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

namespace {

// Small runs are held by the floors: the buffers that a library keeps are a few MiB each whatever the model,
// and of two cuBLAS workspaces of 32 MiB a first pass may lack one.
constexpr Bytes kSteadyFloor = 150 * kMiB;
constexpr Bytes kPeakFloor = 64 * kMiB;

constexpr std::array kTolerances = {
    Tolerance{"dense", 0.03, kSteadyFloor, 0.03, kPeakFloor,
              "every tensor is known; what is left is which of two temporaries the peak catches"},
    Tolerance{"local", 0.03, kSteadyFloor, 0.03, kPeakFloor,
              "as dense: unfused attention is written out in Megatron-LM's own source"},
    Tolerance{"recompute", 0.03, kSteadyFloor, 0.03, kPeakFloor,
              "as dense: a recomputed layer holds what a layer holds"},
    Tolerance{"offload", 0.03, kSteadyFloor, 0.05, kPeakFloor,
              "how far copies to the host lag behind the computation isn't in the configuration"},
    Tolerance{"CUDA graphs", 0.03, kSteadyFloor, 0.05, kPeakFloor,
              "graphs keep private pools whose padding isn't in the configuration"},
    Tolerance{"MoE", 0.03, kSteadyFloor, 0.08, kPeakFloor,
              "routing isn't balanced: the fullest expert rank depends on data and step"},
    Tolerance{"Muon", 0.03, kSteadyFloor, 0.08, kPeakFloor,
              "as MoE, and the orthogonalisation's temporaries follow the largest matrix of a rank"},
    Tolerance{"FP8", 0.03, kSteadyFloor, 0.08, kPeakFloor,
              "which quantised copies outlive their GEMM differs between releases of TransformerEngine"},
    Tolerance{"FSDP", 0.03, kSteadyFloor, 0.08, kPeakFloor,
              "how many unsharded buckets are alive depends on how communication overlaps"},
};

}  // namespace

const Tolerance& tolerance_of(std::string_view kind) {
    const auto found = std::find_if(kTolerances.begin(), kTolerances.end(),
                                    [&](const Tolerance& tolerance) { return tolerance.kind == kind; });
    return found == kTolerances.end() ? kTolerances.front() : *found;
}

std::optional<double> peer_error(const RunAccuracy& run, const PeerFigure& peer, std::size_t at) {
    // One figure for a pipeline is no stage's, unless the run has but one.
    if (peer.gib.size() != run.stages.size()) return std::nullopt;
    const bool of_reserved = peer.name.find("reserved") != std::string::npos;
    const auto& measured = of_reserved ? run.stages[at].reserved.measured : run.stages[at].peak.measured;
    if (!measured || *measured == 0) return std::nullopt;
    const auto bytes = static_cast<double>(*measured);
    return (peer.gib[at] * static_cast<double>(kGiB) - bytes) / bytes;
}

Spread spread_of(std::string kind, std::vector<double> errors) {
    Spread spread{std::move(kind), errors.size()};
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

Accuracy measure_accuracy(const std::vector<MeasuredRun>& runs) {
    Accuracy accuracy;
    std::map<std::string, std::vector<double>> steady;
    std::map<std::string, std::vector<double>> peak;
    std::map<std::string, std::vector<double>> peers;
    for (const MeasuredRun& run : runs) {
        RunAccuracy result = measure(run);
        accuracy.covered += result.covered ? 1 : 0;
        accuracy.flagged += result.flagged ? 1 : 0;
        const std::string kind = result.kind + (result.flagged ? ", flagged" : "");
        // A run whose own record is flagged is shown, and held to nothing.
        if (result.covered && !result.flagged) accuracy.all_within = accuracy.all_within && result.within;
        for (const StageAccuracy& stage : result.stages) {
            if (const auto error = stage.steady.error()) steady[kind].push_back(std::fabs(*error));
            if (const auto error = stage.peak.error()) peak[kind].push_back(std::fabs(*error));
        }
        for (const PeerFigure& peer : result.peers) {
            for (std::size_t at = 0; at < result.stages.size() && !result.flagged; ++at) {
                if (const auto error = peer_error(result, peer, at))
                    peers[peer.name].push_back(std::fabs(*error));
            }
        }
        accuracy.runs.push_back(std::move(result));
    }
    for (const auto& [kind, errors] : steady)
        accuracy.steady.push_back(spread_of(kind, errors));
    for (const auto& [kind, errors] : peak)
        accuracy.peak.push_back(spread_of(kind, errors));
    for (const auto& [name, errors] : peers)
        accuracy.peers.push_back(spread_of(name, errors));
    return accuracy;
}

}  // namespace megamem

#include "accuracy/nearest_runs.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>

#include "base/units.h"
#include "scenario/presets.h"

namespace megamem {

namespace {

// Distances are in 64ths: whole numbers, so that every platform takes the same runs.
constexpr int kOne = 64;
constexpr int kLimit = 4 * kOne;
constexpr int kDoubling = kOne / 2;
constexpr int kGeneration = kOne / 2;

// log2 in 64ths, straight lines between powers of two: at most 0.09 off.
int log2_in_64ths(std::int64_t value) {
    if (value < 1) return 0;
    const int power = 63 - std::countl_zero(static_cast<std::uint64_t>(value));
    const std::int64_t rest = value - (std::int64_t{1} << power);
    const std::int64_t part = power >= 6 ? rest >> (power - 6) : rest << (6 - power);
    return power * kOne + static_cast<int>(part);
}

int doublings(int a, int b) {
    return std::abs(a - b) * kDoubling / kOne;
}

}  // namespace

// Blackwell for desktops (120) is of the generation of Blackwell (100), Ada (89) of Ampere (80).
int generation(int sm) {
    return std::min(sm / 10, 10);
}

bool same_kind(const Here& here, const EvidenceRow& row) {
    return (row.features & kMoe) == (here.features & kMoe) && kind_of(row.features) == here.kind;
}

int distance(const Here& here, const EvidenceRow& row) {
    int sum = 0;
    for (Features left = here.features ^ row.features; left != 0; left &= left - 1)
        sum += weight_of(static_cast<Feature>(std::countr_zero(left)));
    sum += doublings(here.log_hidden, log2_in_64ths(row.hidden));
    sum += doublings(here.log_peak, log2_in_64ths(row.peak_mib));
    sum += std::abs(generation(here.sm) - generation(row.sm)) * kGeneration;
    return sum;
}

NearestRuns nearest_runs(const Here& here) {
    NearestRuns nearest;
    auto& [taken, count] = nearest;
    for (const EvidenceRow& row : evidence_rows()) {
        if (!same_kind(here, row)) continue;
        const int away = distance(here, row);
        if (away > kLimit) continue;
        if (count == kMostEvidence && away >= taken[count - 1].distance) continue;
        std::size_t at = count < kMostEvidence ? count++ : count - 1;
        for (; at > 0 && taken[at - 1].distance > away; --at)
            taken[at] = taken[at - 1];
        taken[at] = {away, &row};
    }
    return nearest;
}

double share_of(std::int16_t hundredths) {
    return hundredths / 10'000.0;
}

double NearestRuns::worst() const {
    double worst = 0;
    for (std::size_t i = 0; i < alike; ++i)
        worst = std::max(worst, std::fabs(share_of(runs[i].row->peak_error)));
    return worst;
}

bool is_comparable(const Report& report) {
    return report.method == Method::detailed && report.valid && report.worst_rank >= 0;
}

Here here_of(const Scenario& scenario, const Report& report) {
    Here here;
    here.features = features_of(scenario, report.virtual_stages);
    here.kind = kind_of(here.features);
    const Gpu* gpu = find_gpu(scenario.gpu);
    here.sm = gpu != nullptr ? gpu->sm : Gpu{}.sm;
    here.hidden = scenario.hidden_size.value_or(0);
    here.peak = report.worst().totals.peak_allocated;
    here.log_hidden = log2_in_64ths(here.hidden);
    here.log_peak = log2_in_64ths(here.peak / kMiB);
    return here;
}

}  // namespace megamem

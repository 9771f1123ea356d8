#include "accuracy/evidence.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <map>
#include <span>

#include "accuracy/evidence_data.h"
#include "base/text.h"
#include "base/units.h"
#include "scenario/presets.h"

namespace megamem {

namespace {

// Distances are in 64ths: whole numbers, so that every platform takes the same runs.
constexpr int kOne = 64;
constexpr int kLimit = 4 * kOne;
constexpr int kDoubling = kOne / 2;
constexpr int kGeneration = kOne / 2;
// A feature that weighs less isn't worth a sentence.
constexpr int kWorthTelling = 24;

constexpr Features kMoe = bit(Feature::moe);

struct Here {
    Features features = 0;
    std::string_view kind;
    int sm = 0;
    std::int64_t hidden = 0;
    Bytes peak = 0;
    int log_hidden = 0;
    int log_peak = 0;
};

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

struct Near {
    int distance = 0;
    const EvidenceRow* row = nullptr;
};

// At most kMostEvidence, the nearest first; of equally near ones the table's first.
std::size_t nearest(const Here& here, std::span<const EvidenceRow> rows,
                    std::array<Near, kMostEvidence>& taken) {
    std::size_t count = 0;
    for (const EvidenceRow& row : rows) {
        if (!same_kind(here, row)) continue;
        const int away = distance(here, row);
        if (away > kLimit) continue;
        if (count == kMostEvidence && away >= taken[count - 1].distance) continue;
        std::size_t at = count < kMostEvidence ? count++ : count - 1;
        for (; at > 0 && taken[at - 1].distance > away; --at)
            taken[at] = taken[at - 1];
        taken[at] = {away, &row};
    }
    return count;
}

double share_of(std::int16_t hundredths) {
    return hundredths / 10'000.0;
}

std::string label_of(const EvidenceTable& table, const EvidenceRow& row) {
    std::string label(table.tests[row.test]);
    label += table.machines[row.machine];
    return label;
}

std::string source_of(const EvidenceTable& table, const EvidenceRow& row, std::string_view label) {
    const std::string_view commit = table.commits[row.commit];
    std::string_view place = table.places[row.place];
    if (commit.empty()) return std::string(place);
    const auto pieces = split(label, '@');
    std::string source;
    for (bool before_path = true; !place.empty();) {
        const auto piece = place.size() > 2 && place[0] == '{' && place[2] == '}'
                               ? static_cast<std::size_t>(place[1] - '0')
                               : 10;
        if (piece < pieces.size()) {
            source += pieces[piece];
            place.remove_prefix(3);
            continue;
        }
        if (place[0] == ':' && before_path) {
            source.append("@").append(commit);
            before_path = false;
        }
        source += place[0];
        place.remove_prefix(1);
    }
    return source;
}

EvidenceRun run_of(const EvidenceTable& table, const EvidenceRow& row) {
    EvidenceRun run;
    run.label = label_of(table, row);
    run.source = source_of(table, row, run.label);
    run.pipeline_rank = row.rank;
    run.error = share_of(row.peak_error);
    if (row.steady_error != kNoError) run.steady_error = share_of(row.steady_error);
    run.measured_peak = row.peak_mib * kMiB;
    return run;
}

// --- What wasn't measured
// ------------------------------------------------------------------------------------

// "A, B or C"
std::string listed(Features features, std::string_view last_link) {
    std::string text;
    for (Features left = features; left != 0; left &= left - 1) {
        if (!text.empty()) text += std::has_single_bit(left) ? last_link : std::string_view(", ");
        text += name_of(static_cast<Feature>(std::countr_zero(left)));
    }
    return text;
}

Features worth_telling(Features features) {
    Features worth = 0;
    for (Features left = features; left != 0; left &= left - 1) {
        const auto feature = static_cast<Feature>(std::countr_zero(left));
        if (weight_of(feature) >= kWorthTelling) worth |= bit(feature);
    }
    return worth;
}

bool measured_together(std::span<const EvidenceRow> rows, Features features, int of_generation) {
    return std::any_of(rows.begin(), rows.end(), [&](const EvidenceRow& row) {
        return (row.features & features) == features &&
               (of_generation == 0 || generation(row.sm) == of_generation);
    });
}

// What the nearest run of the kind is, though it isn't near.
std::string nearest_of_all(const Here& here, std::span<const EvidenceRow> rows) {
    const EvidenceRow* nearest = nullptr;
    for (const EvidenceRow& row : rows) {
        if (!same_kind(here, row)) continue;
        if (nearest == nullptr || distance(here, row) < distance(here, *nearest)) nearest = &row;
    }
    const std::string_view experts = (here.features & kMoe) != 0 && here.kind != "MoE" ? "MoE " : "";
    if (nearest == nullptr) return fmt::format("no measured run is of the kind {}{}", experts, here.kind);
    std::string text =
        fmt::format("no measured {}{} run is like it: the nearest has hidden size {} and a peak of {} GiB",
                    experts, here.kind, nearest->hidden, gib(nearest->peak_mib * kMiB));
    const Features more = worth_telling(nearest->features & ~here.features);
    const Features less = worth_telling(here.features & ~nearest->features);
    if (more != 0) text += fmt::format(", {}", listed(more, " and "));
    if (less != 0) text += fmt::format("; it lacks {}", listed(less, " and "));
    return text;
}

// Why nothing is near: the smallest set of features that no run had together, else the size.
std::string never_measured(const Here& here, std::span<const EvidenceRow> rows) {
    const Features features = worth_telling(here.features);
    // The features from the least known on, as long as a run has them together.
    Features together = 0;
    for (Features left = features; left != 0; left &= left - 1) {
        const Features one = left & (~left + 1);
        if (measured_together(rows, together | one, 0)) {
            together |= one;
            continue;
        }
        // Which one of the earlier it was never together with says more than all of them.
        for (Features earlier = together; earlier != 0; earlier &= earlier - 1) {
            const Features other = earlier & (~earlier + 1);
            if (!measured_together(rows, other | one, 0))
                return fmt::format("no measured run has {}", listed(other | one, " with "));
        }
        return fmt::format("no measured run has {}", listed(together | one, " and "));
    }
    if (!measured_together(rows, features, generation(here.sm))) {
        const std::string what = features == 0 ? "is of a dense model" : "has " + listed(features, " and ");
        return fmt::format("no measured run {} on sm{}", what, here.sm);
    }
    return nearest_of_all(here, rows);
}

// What the scenario has and none of the taken runs had.
std::string missing_of(const Here& here, std::span<const EvidenceRow> rows, std::span<const Near> taken) {
    Features all = 0;
    Features had = 0;
    std::uint32_t largest = 0;
    bool same_generation = false;
    for (const EvidenceRow& row : rows)
        all |= row.features;
    for (const Near& near : taken) {
        had |= near.row->features;
        largest = std::max(largest, near.row->peak_mib);
        same_generation = same_generation || generation(near.row->sm) == generation(here.sm);
    }
    const Features lacking = worth_telling(here.features & ~had);
    std::string text;
    const auto add = [&](const std::string& sentence) {
        if (!text.empty()) text += "; ";
        text += sentence;
    };
    if ((lacking & ~all) != 0) add(fmt::format("no measured run has {}", listed(lacking & ~all, " or ")));
    if ((lacking & all) != 0) add(fmt::format("none of these runs has {}", listed(lacking & all, " or ")));
    if (!same_generation) add(fmt::format("none of these runs is of sm{}", here.sm));
    if (largest * kMiB * 2 < here.peak)
        add(fmt::format("none of these runs has a peak above {} GiB", gib(largest * kMiB)));
    return text;
}

std::string missing_of(const Here& here, std::span<const EvidenceRow> rows) {
    // Single features that no run had, all of them at once.
    Features all = 0;
    for (const EvidenceRow& row : rows)
        all |= row.features;
    const Features never = worth_telling(here.features & ~all);
    if (never != 0) return fmt::format("no measured run has {}", listed(never, " or "));
    return never_measured(here, rows);
}

void add_statistics(Evidence& evidence) {
    std::array<double, kMostEvidence> magnitudes{};
    const std::size_t count = evidence.runs.size();
    evidence.lowest = evidence.highest = evidence.runs[0].error;
    for (std::size_t i = 0; i < count; ++i) {
        const double error = evidence.runs[i].error;
        magnitudes[i] = std::fabs(error);
        evidence.lowest = std::min(evidence.lowest, error);
        evidence.highest = std::max(evidence.highest, error);
    }
    std::sort(magnitudes.begin(), magnitudes.begin() + static_cast<std::ptrdiff_t>(count));
    const std::size_t middle = count / 2;
    evidence.median = count % 2 == 1 ? magnitudes[middle] : (magnitudes[middle - 1] + magnitudes[middle]) / 2;
    evidence.worst = magnitudes[count - 1];
}

}  // namespace

Evidence evidence_for(const Scenario& scenario, const Report& report) {
    Evidence evidence;
    if (report.method != Method::detailed || !report.valid || report.worst_rank < 0) return evidence;
    const EvidenceTable& table = evidence_table();
    Here here;
    here.features = features_of(scenario, report.virtual_stages);
    here.kind = kind_of(here.features);
    const Gpu* gpu = find_gpu(scenario.gpu);
    here.sm = gpu != nullptr ? gpu->sm : Gpu{}.sm;
    here.hidden = scenario.hidden_size.value_or(0);
    here.peak = report.worst().totals.peak_allocated;
    here.log_hidden = log2_in_64ths(here.hidden);
    here.log_peak = log2_in_64ths(here.peak / kMiB);

    std::array<Near, kMostEvidence> taken{};
    evidence.alike = nearest(here, table.rows, taken);
    if (evidence.alike == 0) {
        evidence.missing = missing_of(here, table.rows);
        return evidence;
    }
    evidence.runs.reserve(evidence.alike);
    for (std::size_t i = 0; i < evidence.alike; ++i)
        evidence.runs.push_back(run_of(table, *taken[i].row));
    add_statistics(evidence);
    evidence.missing = missing_of(here, table.rows, std::span(taken).first(evidence.alike));
    return evidence;
}

std::vector<Spread> evidence_spreads() {
    std::map<std::string_view, std::vector<double>> errors;
    for (const EvidenceRow& row : evidence_table().rows)
        errors[kind_of(row.features)].push_back(std::abs(row.peak_error) / 10000.0);
    std::vector<Spread> spreads;
    for (auto& [kind, magnitudes] : errors)
        spreads.push_back(spread_of(std::string(kind), std::move(magnitudes)));
    std::stable_sort(spreads.begin(), spreads.end(),
                     [](const Spread& a, const Spread& b) { return a.count > b.count; });
    return spreads;
}

}  // namespace megamem

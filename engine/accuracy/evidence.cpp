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
#include "accuracy/nearest_runs.h"
#include "base/text.h"
#include "base/units.h"

namespace megamem {

namespace {

// A feature that weighs less isn't worth a sentence.
constexpr int kWorthTelling = 24;

std::string label_of(const EvidenceNames& names, const EvidenceRow& row) {
    std::string label(names.tests[row.test]);
    label += names.machines[row.machine];
    return label;
}

std::string source_of(const EvidenceNames& names, const EvidenceRow& row, std::string_view label) {
    const std::string_view commit = names.commits[row.commit];
    std::string_view place = names.places[row.place];
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

EvidenceRun run_of(const EvidenceNames& names, const EvidenceRow& row) {
    EvidenceRun run;
    run.label = label_of(names, row);
    run.source = source_of(names, row, run.label);
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
    if (!is_comparable(report)) return evidence;
    const Here here = here_of(scenario, report);
    const NearestRuns nearest = nearest_runs(here);
    evidence.alike = nearest.alike;
    if (evidence.alike == 0) {
        evidence.missing = missing_of(here, evidence_rows());
        return evidence;
    }
    const std::span taken = std::span(nearest.runs).first(nearest.alike);
    evidence.runs.reserve(nearest.alike);
    for (const Near& near : taken)
        evidence.runs.push_back(run_of(evidence_names(), *near.row));
    add_statistics(evidence);
    evidence.missing = missing_of(here, evidence_rows(), taken);
    return evidence;
}

std::vector<Spread> evidence_spreads() {
    std::map<std::string_view, std::vector<double>> errors;
    for (const EvidenceRow& row : evidence_rows())
        errors[kind_of(row.features)].push_back(std::abs(row.peak_error) / 10000.0);
    std::vector<Spread> spreads;
    for (auto& [kind, magnitudes] : errors)
        spreads.push_back(spread_of(std::string(kind), std::move(magnitudes)));
    std::stable_sort(spreads.begin(), spreads.end(),
                     [](const Spread& a, const Spread& b) { return a.count > b.count; });
    return spreads;
}

}  // namespace megamem

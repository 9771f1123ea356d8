#include "memory/report.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace megamem {

namespace {

Bytes& state_of(ModuleRow& row, Kind kind) {
    switch (kind) {
        case Kind::fp8_cache:
            return row.fp8_cache;
        case Kind::grad:
            return row.grad;
        case Kind::master:
            return row.master;
        case Kind::optimizer:
            return row.optimizer;
        default:
            return row.weight;
    }
}

constexpr std::size_t kKinds = static_cast<std::size_t>(Kind::reserve) + 1;
constexpr std::size_t kParts = static_cast<std::size_t>(Part::reserve) + 1;

Bytes& total_of(Totals& totals, Kind kind) {
    switch (kind) {
        case Kind::weight:
            return totals.weight;
        case Kind::fp8_cache:
            return totals.fp8_cache;
        case Kind::grad:
            return totals.grad;
        case Kind::master:
            return totals.master;
        case Kind::optimizer:
            return totals.optimizer;
        case Kind::activation:
            return totals.activation;
        case Kind::transient:
            return totals.transient;
        case Kind::workspace:
            return totals.workspace;
        case Kind::held:
            return totals.held;
        case Kind::reserve:
            return totals.reserve;
    }
    return totals.reserve;
}

bool is_steady(Kind kind) {
    return kind != Kind::activation && kind != Kind::transient && kind != Kind::reserve;
}

bool is_at_peak(Kind kind) {
    return kind != Kind::held && kind != Kind::reserve;
}

}  // namespace

std::string_view name_of(Kind kind) {
    switch (kind) {
        case Kind::weight:
            return "weight";
        case Kind::fp8_cache:
            return "fp8_cache";
        case Kind::grad:
            return "grad";
        case Kind::master:
            return "master";
        case Kind::optimizer:
            return "optimizer";
        case Kind::activation:
            return "activation";
        case Kind::transient:
            return "transient";
        case Kind::workspace:
            return "workspace";
        case Kind::held:
            return "held";
        case Kind::reserve:
            return "reserve";
    }
    return "";
}

bool is_state(Kind kind) {
    return kind == Kind::weight || kind == Kind::fp8_cache || kind == Kind::grad || kind == Kind::master ||
           kind == Kind::optimizer;
}

std::vector<ModuleRow> module_rows(const RankReport& rank, Part part) {
    std::vector<ModuleRow> rows;
    for (const LineItem& item : rank.items) {
        if (item.part != part || !is_state(item.kind)) continue;
        // A module's items stand together.
        if (rows.empty() || rows.back().module != item.component) {
            rows.push_back(
                {.module = item.component, .elements = item.elements, .multiplicity = item.multiplicity});
        }
        state_of(rows.back(), item.kind) += item.bytes;
    }
    return rows;
}

std::vector<ActivationRow> activation_rows(const RankReport& rank, Part part) {
    std::vector<ActivationRow> rows;
    for (const LineItem& item : rank.items) {
        if (item.part != part || item.kind != Kind::activation) continue;
        rows.push_back({item.component, item.bytes, item.multiplicity, item.formula, item.module});
    }
    return rows;
}

Totals totals_of(const std::vector<LineItem>& items) {
    Totals totals;
    // An item holds at most 2^53 bytes and a rank some hundred items: 64 bits can't wrap here. Sums that no
    // report can hold exactly come out as such, and the report is refused.
    std::array<std::array<Bytes, kKinds>, kParts> sums{};
    Bytes fragmentation = 0;
    for (const LineItem& item : items) {
        sums[static_cast<std::size_t>(item.part)][static_cast<std::size_t>(item.kind)] += item.bytes;
        if (item.part == Part::reserve && item.component == kFragmentationItem) fragmentation += item.bytes;
    }
    for (std::size_t i = 0; i < kKinds; ++i) {
        const auto kind = static_cast<Kind>(i);
        const Bytes vision = sums[static_cast<std::size_t>(Part::vision)][i];
        const Bytes rest = sums[static_cast<std::size_t>(Part::language)][i] +
                           sums[static_cast<std::size_t>(Part::reserve)][i];
        total_of(totals, kind) = rest;
        totals.vision += vision;
        if (is_steady(kind)) totals.steady_allocated += rest + vision;
        if (is_at_peak(kind)) totals.peak_allocated += rest + vision;
    }
    // What is there between steps was there at their end: the peak is never less.
    totals.peak_allocated = std::max(totals.peak_allocated, totals.steady_allocated);
    totals.peak_reserved = totals.peak_allocated + fragmentation;
    totals.total = totals.peak_allocated + totals.reserve;
    for (Bytes* sum : {&totals.weight, &totals.fp8_cache, &totals.grad, &totals.master, &totals.optimizer,
                       &totals.activation, &totals.vision, &totals.transient, &totals.workspace, &totals.held,
                       &totals.reserve, &totals.steady_allocated, &totals.peak_allocated,
                       &totals.peak_reserved, &totals.total}) {
        *sum = std::min(*sum, kMaxExactBytes);
    }
    return totals;
}

Bytes Report::needed() const {
    if (worst_rank >= 0) return worst().totals.total;
    if (shards.empty()) return 0;
    const double total = shards.front().total_bytes().value_or(0);
    constexpr auto kMost = static_cast<double>(kMaxExactBytes);
    return total < kMost ? static_cast<Bytes>(std::ceil(total)) : kMaxExactBytes;
}

std::int64_t worst_rank_of(const std::vector<RankReport>& ranks) {
    const auto worst = std::max_element(
        ranks.begin(), ranks.end(),
        [](const RankReport& a, const RankReport& b) { return a.totals.total < b.totals.total; });
    return worst == ranks.end() ? -1 : worst->pipeline_rank;
}

}  // namespace megamem

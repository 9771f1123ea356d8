#include "memory/report.h"

#include <algorithm>

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

Bytes& total_of(Totals& totals, const LineItem& item) {
    if (item.part == Part::vision) return totals.vision;
    switch (item.kind) {
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
        case Kind::reserve:
            return totals.reserve;
    }
    return totals.reserve;
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
        case Kind::reserve:
            return "reserve";
    }
    return "";
}

std::vector<ModuleRow> module_rows(const RankReport& rank, Part part) {
    std::vector<ModuleRow> rows;
    for (const LineItem& item : rank.items) {
        if (item.part != part || item.kind == Kind::activation || item.kind == Kind::reserve) continue;
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
        rows.push_back({item.component, item.bytes, item.multiplicity, item.formula});
    }
    return rows;
}

Totals totals_of(const std::vector<LineItem>& items) {
    Totals totals;
    for (const LineItem& item : items) {
        Bytes& sum = total_of(totals, item);
        sum = narrow(Wide{sum} + item.bytes);
        totals.total = narrow(Wide{totals.total} + item.bytes);
    }
    return totals;
}

std::int64_t worst_rank_of(const std::vector<RankReport>& ranks) {
    const auto worst = std::max_element(
        ranks.begin(), ranks.end(),
        [](const RankReport& a, const RankReport& b) { return a.totals.total < b.totals.total; });
    return worst == ranks.end() ? -1 : worst->pipeline_rank;
}

}  // namespace megamem

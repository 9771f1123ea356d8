#include "memory/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/expression.h"
#include "memory/cells.h"
#include "memory/explain_detailed.h"
#include "memory/planned.h"

namespace megamem {

namespace {

// --- calculator
// ---------------------------------------------------------------------------------------------

std::string_view shards_of(std::string_view formula) {
    if (formula.starts_with("calculator.vision.")) return "VDP";
    if (formula.starts_with("calculator.experts_")) return "EDP";
    if (formula.starts_with("calculator.dense_") || formula == "calculator.gate") return "SEDP";
    return "DP";
}

// The formulas of modules count elements.
void explain_calculated(const LineItem& item, Quantity quantity, Symbols symbols, Explanation& e) {
    if (quantity == Quantity::parameters) {
        e.multiplicity = 1;
        fill(e, symbols);
        return;
    }
    if (item.formula == "calculator.vision.activation") {
        e.multiplicity = 1;  // in the formula
        const auto patches = evaluate(substitute("vit_layers × patches", symbols)).value_or(0);
        add_symbol(symbols, "bytes a patch", patches > 0 ? number(static_cast<double>(item.bytes) / patches) : "0",
            "bytes that a layer keeps of a patch");
    }
    if (is_state(item.kind)) {
        e.multiplicity = 1;  // in the formula
        const bool sharded = item.kind == Kind::master || item.kind == Kind::optimizer;
        if (sharded) {
            e.symbols = fmt::format("{} × 4 / {}", e.symbols, shards_of(item.formula));
        } else {
            const Wide bytes = item.elements > 0 ? item.bytes / item.elements : 0;
            e.symbols = fmt::format("{} × {}", e.symbols, number(bytes));
        }
    }
    fill(e, symbols);
}

// --- megatron-report
// ----------------------------------------------------------------------------------------

// The rules of a report are of whole modules; the bytes of a parameter come on top.
Explanation explain_shard_item(const megatron_report::Context& c, const Report& report, std::int64_t shard,
                               const ShardItem& item, std::string_view column) {
    Explanation e;
    e.component = item.component;
    e.kind = column;
    set_formula(e, item.formula);
    e.source = fmt::format("megatron/training/theoretical_memory_usage.py@d98e8a64, {}", e.source);
    const bool states = column == kStatesColumn;
    if (states) {
        const std::string_view whole = e.symbols;
        const std::string_view product = expression_of(whole);
        const bool expert = item.formula == "megatron_report.experts" && c.rules.split_by_kind;
        const std::string_view bytes = !c.s.use_distributed_optimizer ? "18"
                                       : expert                       ? "(6 + 12 / EDP)"
                                                                      : "(6 + 12 / DP)";
        e.symbols = fmt::format("{} × {}{}", product, bytes, whole.substr(product.size()));
    }
    e.exact = column == kParametersColumn ? item.parameters : item.bytes;
    if (column == kParametersColumn) e.unit = kParametersColumn;
    e.result = narrow(static_cast<Wide>(std::ceil(std::min(*e.exact, static_cast<double>(kMaxExactBytes)))));
    Symbols symbols = report_symbols(c, shard == 0);
    const std::vector<ShardItem>& activations = report.shards[static_cast<std::size_t>(shard)].activations;
    if (item.formula == "megatron_report.act.overhead") {
        double others = 0;
        for (const ShardItem& other : activations)
            others += other.component == item.component ? 0 : other.bytes;
        add_symbol(symbols, "others", number(others), "bytes of the other activations");
    }
    fill(e, symbols);
    if (states) {
        e.parts.push_back(
            {"parameters",
             fmt::format("{} × {} bytes", number(item.parameters), number(item.bytes / item.parameters)),
             e.result, cell_name(item.component, kParametersColumn), e.exact});
    }
    return e;
}

// --- all methods
// --------------------------------------------------------------------------------------------

bool has_rank(const Report& report, std::int64_t rank) {
    return rank >= 0 && rank < static_cast<std::int64_t>(report.ranks.size());
}

}  // namespace

std::string place_name(const Report& report, std::int64_t rank) {
    if (report.shards.empty()) return fmt::format("Rank {}", rank);
    return rank == 0 ? "Most loaded shard" : "Other shards";
}

std::vector<std::string_view> explainable_names(const Report& report, std::int64_t rank) {
    std::vector<std::string_view> names;
    const auto add = [&](std::string_view name) {
        if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end())
            names.push_back(name);
    };
    if (rank >= 0 && rank < static_cast<std::int64_t>(report.shards.size())) {
        const Shard& shard = report.shards[static_cast<std::size_t>(rank)];
        for (const ShardItem& item : shard.modules)
            add(item.component);
        for (const ShardItem& item : shard.activations)
            add(item.component);
    }
    if (!has_rank(report, rank)) return names;
    for (const LineItem& item : report.ranks[static_cast<std::size_t>(rank)].items) {
        add(item.module);
        add(item.component);
    }
    return names;
}

std::vector<Explanation> explain_items(const Scenario& scenario, const Report& report, std::int64_t rank,
                                       std::span<const std::size_t> items, Quantity quantity) {
    std::vector<Explanation> all;
    const Planned planned(scenario, report);
    if (planned.plan() == nullptr || !has_rank(report, rank)) return all;
    const RankReport& found = report.ranks[static_cast<std::size_t>(rank)];
    std::optional<DetailedExplainer> method;
    if (report.method == Method::detailed) method.emplace(*planned.plan(), found);
    const Symbols symbols = calculator_symbols(*planned.plan(), found.layers);
    for (const std::size_t index : items) {
        const LineItem& item = found.items[index];
        const bool parameters = quantity == Quantity::parameters;
        Explanation e;
        e.cell = parameters ? cell_name(row_of(item), kParametersColumn) : cell_name(found, index);
        e.component = item.component;
        e.module = item.module == item.component ? std::string_view{} : item.module;
        e.kind = parameters ? kParametersColumn : name_of(item.kind);
        e.title = fmt::format("{}: {} {}{}", place_name(report, rank), row_of(item), words_for(e.kind),
                              e.module.empty() ? "" : fmt::format(", {}", item.component));
        e.result = parameters ? item.elements : item.bytes;
        if (parameters) e.unit = kParametersColumn;
        e.multiplicity = item.multiplicity;
        set_formula(e, item.formula);
        // The vision tower's formulas are one for both methods.
        if (!method || item.formula.starts_with("calculator.")) {
            explain_calculated(item, quantity, symbols, e);
        } else if (parameters) {
            method->explain_parameters(item, e);
            e.multiplicity = 1;
        } else {
            method->explain(item, e);
        }
        all.push_back(std::move(e));
    }
    return all;
}

std::optional<Explanation> explain_in_flight(const Scenario& scenario, const Report& report,
                                             std::int64_t rank) {
    const Planned planned(scenario, report);
    if (planned.plan() == nullptr || !has_rank(report, rank)) return std::nullopt;
    const RankReport& found = report.ranks[static_cast<std::size_t>(rank)];
    if (found.in_flight.empty()) return std::nullopt;
    Explanation e;
    e.kind = "in_flight";
    e.unit = "micro-batches";
    DetailedExplainer(*planned.plan(), found).explain_in_flight(e);
    return e;
}

std::optional<Explanation> explain_shard(const Scenario& scenario, const Report& report, std::int64_t shard,
                                         std::string_view component, std::string_view column) {
    const Planned planned(scenario, report);
    if (planned.plan() == nullptr || shard < 0 || shard >= static_cast<std::int64_t>(report.shards.size()))
        return std::nullopt;
    const Shard& found = report.shards[static_cast<std::size_t>(shard)];
    // A literal, which outlives the name that it was found by.
    const std::string_view own[] = {kParametersColumn, kStatesColumn, name_of(Kind::activation)};
    const auto* const literal = std::find(std::begin(own), std::end(own), column);
    if (literal == std::end(own)) return std::nullopt;
    column = *literal;
    const bool activation = column == name_of(Kind::activation);
    Problems ignored;
    for (const ShardItem& item : activation ? found.activations : found.modules) {
        if (item.component != component) continue;
        Explanation e = explain_shard_item(megatron_report::context_of(*planned.plan(), ignored), report,
                                           shard, item, column);
        e.cell = cell_name(component, column);
        e.title = fmt::format("{}: {} {}", place_name(report, shard), component, words_for(column));
        return e;
    }
    return std::nullopt;
}

std::vector<Explanation> explain(const Scenario& scenario, const Report& report, std::int64_t rank,
                                 std::string_view name) {
    std::vector<Explanation> all;
    if (!report.shards.empty()) {
        for (const std::string_view column : {kStatesColumn, name_of(Kind::activation)}) {
            auto found = explain_shard(scenario, report, rank, name, column);
            if (found) all.push_back(std::move(*found));
        }
        return all;
    }
    if (!has_rank(report, rank)) return all;
    const RankReport& found = report.ranks[static_cast<std::size_t>(rank)];
    std::vector<std::size_t> items;
    for (std::size_t i = 0; i < found.items.size(); ++i) {
        if (found.items[i].component == name || found.items[i].module == name) items.push_back(i);
    }
    all = explain_items(scenario, report, rank, items, Quantity::bytes);
    const bool some = std::any_of(all.begin(), all.end(), [](const Explanation& e) { return e.result > 0; });
    if (some) std::erase_if(all, [](const Explanation& e) { return e.result == 0; });
    return all;
}

}  // namespace megamem

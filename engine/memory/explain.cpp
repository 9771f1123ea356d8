#include "memory/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "base/expression.h"
#include "memory/formulas.h"
#include "model/layers.h"

namespace megamem {

namespace {

// What stands before the semicolon.
std::string_view expression_of(std::string_view symbols) {
    return symbols.substr(0, symbols.find(';'));
}

void set_formula(Explanation& e, std::string_view id) {
    const Formula* formula = find_formula(id);
    if (formula == nullptr) return;
    e.symbols = formula->symbols;
    e.source = formula->source;
}

// Legend and substitution from the symbols' values. Words can't be computed: then there is no substitution.
void fill(Explanation& e, const Symbols& symbols) {
    e.legend = symbols_in(expression_of(e.symbols), symbols);
    const std::string numbers = substitute(expression_of(e.symbols), symbols);
    if (evaluate(numbers)) e.substitution = numbers;
}

void put(Symbols& symbols, std::string_view name, std::string value, std::string_view meaning) {
    symbols.push_back({name, std::move(value), meaning});
}

std::size_t index_of(Kind kind) {
    switch (kind) {
        case Kind::fp8_cache:
            return 1;
        case Kind::grad:
            return 2;
        case Kind::master:
            return 3;
        case Kind::optimizer:
        case Kind::held:  // in the first iteration
            return 4;
        default:
            return 0;
    }
}

// --- detailed
// -----------------------------------------------------------------------------------------------

class Detailed {
  public:
    Detailed(const Plan& plan, std::int64_t rank)
        : context_(detailed::context_of(plan, ignored_)),
          rank_(rank),
          symbols_(detailed_symbols(context_, rank)) {}

    void explain(const LineItem& item, Explanation& e) const {
        const bool copy = item.formula == "detailed.fp32_gradient_copy";
        if (copy || e.symbols.starts_with("P × B / D")) {
            states(item, copy ? 5 : index_of(item.kind), copy, e);
            return;
        }
        Symbols symbols = symbols_;
        derived(item, e, symbols);
        fill(e, symbols);
    }

  private:
    // P × B / D for each B and D that the module's tensors have.
    void states(const LineItem& item, std::size_t state, bool every_module, Explanation& e) const {
        std::map<std::pair<Wide, Wide>, Wide> elements;
        for (const auto& [tensors, count, low] : detailed::rank_tensors(context_, rank_)) {
            for (const Tensor& tensor : tensors) {
                if (!every_module && tensor.module != item.component) continue;
                const detailed::TensorState s = detailed::states_of(context_, tensor, low)[state];
                if (s.bytes == 0) continue;
                const Wide n = tensor.elements() * count;
                elements[{s.bytes, s.shards}] += n;
                if (!every_module) e.parts.push_back(part_of(tensor, count, s));
            }
        }
        for (const auto& [key, n] : elements) {
            e.substitution += fmt::format("{}{} × {}", e.substitution.empty() ? "" : " + ", number(n),
                                          bytes_text(key.first));
            if (key.second > 1) e.substitution += fmt::format(" / {}", number(key.second));
        }
        if (elements.empty()) e.substitution = "0";
        Wide sum = 0;
        for (const auto& [key, n] : elements)
            sum += n;
        put(e.legend, "P", number(sum), "parameters of this GPU");
        if (elements.size() != 1) return;
        put(e.legend, "B", bytes_text(elements.begin()->first.first), "bytes a parameter");
        put(e.legend, "D", number(elements.begin()->first.second), "GPUs that share them");
    }

    static std::string bytes_text(Wide share) {
        return fmt::format("{}", static_cast<double>(share) / static_cast<double>(detailed::kByteUnit));
    }

    static ExplanationPart part_of(const Tensor& tensor, std::int64_t count, const detailed::TensorState& s) {
        std::string text = number(Wide{tensor.rows});
        if (tensor.is_matrix()) text += fmt::format(" × {}", tensor.cols);
        if (tensor.copies > 1) text += fmt::format(" × {} experts", tensor.copies);
        if (count > 1) text += fmt::format(" × {} layers", count);
        const Wide n = tensor.elements() * count;
        return {std::string(tensor.name), std::move(text),
                narrow(n * s.bytes / detailed::kByteUnit / s.shards)};
    }

    // Symbols that the item itself has.
    void derived(const LineItem& item, const Explanation& e, Symbols& symbols) const {
        const Sizes& z = context_.z;
        if (item.formula == "detailed.fsdp_root")
            put(symbols, "P_root", number(item.bytes / z.element), "their parameters on this GPU");
        if (item.formula == "detailed.graph_inputs") {
            const Wide inputs = detailed::graph_input_bytes(context_);
            put(symbols, "mask_g", number(inputs - z.hidden_bytes()), "bytes of a captured attention mask");
            put(symbols, "graphs", number(item.bytes / inputs),
                "layers × micro-batches with captured inputs");
        }
        if (item.formula == "detailed.fsdp_double_buffers")
            put(symbols, "pool", number(Wide{item.bytes / 2}),
                "bytes of a layer's weights and gradients, as gathered");
        if (item.formula == "detailed.act.kept_for_balance")
            put(symbols, "kept", number(Wide{item.bytes}), "bytes of those groups");
        if (item.component == "expert_buffers") expert_buffers(symbols);
        if (!item.formula.starts_with("detailed.peak.")) return;
        put(symbols, "rest", "0", "what else is held then");
        const auto known = evaluate(substitute(expression_of(e.symbols), symbols));
        if (known) symbols.back().value = number(static_cast<double>(item.bytes) - *known);
    }

    void expert_buffers(Symbols& symbols) const {
        const detailed::ExpertBuffers b = detailed::expert_buffers(context_);
        put(symbols, "p_ep", number(b.peers), "ranks of the expert group in one NVLink domain");
        put(symbols, "n_ep", number(b.domains), "NVLink domains of the expert group");
        put(symbols, "n_far", number(b.far_tokens > 0 ? b.domains : Wide{0}),
            "the same, where there is RDMA");
        put(symbols, "t_near", number(b.near_tokens), "tokens that a channel receives into, over NVLink");
        put(symbols, "t_far", number(b.far_tokens), "tokens that a channel receives into, over RDMA");
        put(symbols, "t_ep", number(b.tokens), "tokens of a rank, a multiple of 16");
        put(symbols, "far", number(b.far), "bytes a token for other NVLink domains");
    }

    Problems ignored_;  // told in the report already
    detailed::Context context_;
    std::int64_t rank_;
    Symbols symbols_;
};

// --- calculator
// ---------------------------------------------------------------------------------------------

std::string_view shards_of(std::string_view formula) {
    if (formula.starts_with("calculator.vision.")) return "VDP";
    if (formula.starts_with("calculator.experts_")) return "EDP";
    if (formula.starts_with("calculator.dense_") || formula == "calculator.gate") return "SEDP";
    return "DP";
}

// The formulas of modules count elements.
void explain_calculated(const LineItem& item, Symbols symbols, Explanation& e) {
    if (item.formula == "calculator.vision.activation") {
        e.multiplicity = 1;  // in the formula
        const auto patches = evaluate(substitute("vit_layers × patches", symbols)).value_or(0);
        put(symbols, "bytes a patch", patches > 0 ? number(static_cast<double>(item.bytes) / patches) : "0",
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

Explanation explain_shard_item(const ShardItem& item, bool module, const Symbols& symbols) {
    Explanation e;
    e.component = item.component;
    e.kind = module ? "parameters" : name_of(Kind::activation);
    e.result =
        narrow(static_cast<Wide>(std::ceil(std::min(item.bytes, static_cast<double>(kMaxExactBytes)))));
    set_formula(e, item.formula);
    e.source = fmt::format("megatron/training/theoretical_memory_usage.py@d98e8a64, {}", e.source);
    // These formulas have words between the symbols.
    e.legend = symbols_in(e.symbols, symbols);
    e.substitution = substitute(e.symbols, symbols);
    if (module && item.parameters > 0) {
        e.parts.push_back({"parameters", number(item.parameters), e.result});
        e.parts.push_back({"bytes a parameter", number(item.bytes / item.parameters), e.result});
    }
    return e;
}

}  // namespace

std::vector<std::string_view> explainable_names(const Report& report, std::int64_t rank) {
    std::vector<std::string_view> names;
    const auto add = [&](std::string_view name) {
        if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end())
            names.push_back(name);
    };
    if (!report.shards.empty()) {
        for (const ShardItem& item : report.shards.front().modules)
            add(item.component);
        for (const ShardItem& item : report.shards.front().activations)
            add(item.component);
    }
    if (rank < 0 || rank >= static_cast<std::int64_t>(report.ranks.size())) return names;
    for (const LineItem& item : report.ranks[static_cast<std::size_t>(rank)].items) {
        add(item.module);
        add(item.component);
    }
    return names;
}

std::vector<Explanation> explain(const Scenario& scenario, const Report& report, std::int64_t rank,
                                 std::string_view name) {
    std::vector<Explanation> all;
    if (!report.valid) return all;
    Problems problems;
    Assumptions assumptions;
    const auto resolved = resolve(scenario, problems, assumptions);
    if (!resolved) return all;
    const auto moe = moe_layers(scenario, *resolved, problems);
    const bool shards = report.method == Method::megatron_report;
    const auto pipeline = shards ? megatron_report::pipeline_size(scenario, *resolved, problems)
                                 : plan_pipeline(scenario, *resolved, problems);
    if (!moe || !pipeline) return all;
    const Plan plan{scenario, *resolved, *pipeline, *moe};

    if (shards) {
        if (report.shards.empty()) return all;
        const Symbols symbols = report_symbols(megatron_report::context_of(plan, problems));
        for (const ShardItem& item : report.shards.front().modules) {
            if (item.component == name) all.push_back(explain_shard_item(item, true, symbols));
        }
        for (const ShardItem& item : report.shards.front().activations) {
            if (item.component == name) all.push_back(explain_shard_item(item, false, symbols));
        }
        return all;
    }

    if (rank < 0 || rank >= static_cast<std::int64_t>(report.ranks.size())) return all;
    const RankReport& found = report.ranks[static_cast<std::size_t>(rank)];
    std::optional<Detailed> method;
    Symbols symbols;
    if (report.method == Method::detailed) {
        method.emplace(plan, rank);
    } else {
        symbols = calculator_symbols(plan, found.layers);
    }
    for (const LineItem& item : found.items) {
        if (item.component != name && item.module != name) continue;
        Explanation e;
        e.component = item.component;
        e.module = item.module == item.component ? std::string_view{} : item.module;
        e.kind = name_of(item.kind);
        e.result = item.bytes;
        e.multiplicity = item.multiplicity;
        set_formula(e, item.formula);
        // The vision tower's formulas are one for both methods.
        if (method && !item.formula.starts_with("calculator.")) {
            method->explain(item, e);
        } else if (method) {
            explain_calculated(item, calculator_symbols(plan, found.layers), e);
        } else {
            explain_calculated(item, symbols, e);
        }
        all.push_back(std::move(e));
    }
    const bool some = std::any_of(all.begin(), all.end(), [](const Explanation& e) { return e.result > 0; });
    if (some) std::erase_if(all, [](const Explanation& e) { return e.result == 0; });
    return all;
}

}  // namespace megamem

#include "memory/explain_detailed.h"

#include <fmt/format.h>

#include <map>

#include "base/expression.h"
#include "memory/formulas.h"

namespace megamem {

namespace {

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

std::string shape_of(const Tensor& tensor, std::int64_t count) {
    std::string text = number(Wide{tensor.rows});
    if (tensor.is_matrix()) text += fmt::format(" × {}", tensor.cols);
    if (tensor.copies > 1) text += fmt::format(" × {} experts", tensor.copies);
    if (count > 1) text += fmt::format(" × {} layers", count);
    return text;
}

// The shape without words.
std::string product_of(const Tensor& tensor, std::int64_t count) {
    std::string text = number(Wide{tensor.rows});
    for (const std::int64_t factor : {tensor.is_matrix() ? tensor.cols : 1, tensor.copies, count}) {
        if (factor > 1) text += fmt::format(" × {}", factor);
    }
    return text;
}

std::string bytes_text(Wide bytes) {
    return number(static_cast<double>(bytes) / static_cast<double>(detailed::kByteUnit));
}

ExplanationPart part_of(const Tensor& tensor, std::int64_t count, const detailed::TensorState& s) {
    const Wide n = tensor.elements() * count;
    return {std::string(tensor.name), shape_of(tensor, count),
            narrow(n * s.bytes / detailed::kByteUnit / s.shards)};
}

}  // namespace

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

DetailedExplainer::DetailedExplainer(const Plan& plan, const RankReport& rank)
    : context_(detailed::context_of(plan, ignored_)),
      report_(rank),
      rank_(rank.pipeline_rank),
      symbols_(detailed_symbols(context_, rank_)) {}

void DetailedExplainer::explain(const LineItem& item, Explanation& e) const {
    const bool copy = item.formula == "detailed.fp32_gradient_copy";
    if (copy || e.symbols.starts_with("P × B / D")) {
        states(item, copy ? 5 : index_of(item.kind), copy, e);
        return;
    }
    Symbols symbols = symbols_;
    derived(item, e, symbols);
    fill(e, symbols);
}

// The module's tensors, each as often as the rank has it.
void DetailedExplainer::explain_parameters(const LineItem& item, Explanation& e) const {
    e.symbols = "rows × columns × copies × layers of each tensor, added up";
    for (const auto& [tensors, count, low] : detailed::rank_tensors(context_, rank_)) {
        for (const Tensor& tensor : tensors) {
            if (tensor.module != item.component || tensor.buffer == Buffer::none) continue;
            std::string shape = shape_of(tensor, count);
            e.substitution +=
                fmt::format("{}{}", e.substitution.empty() ? "" : " + ", product_of(tensor, count));
            e.parts.push_back(
                {std::string(tensor.name), std::move(shape), narrow(tensor.elements() * count)});
        }
    }
    if (e.parts.empty()) set_formula(e, item.formula);  // the vision tower's
}

// schedules.py:2277-2279, 929-1016@d98e8a64, as in pipeline/schedule.h.
void DetailedExplainer::explain_in_flight(Explanation& e) const {
    const bool gpipe = context_.s.pipeline_schedule == PipelineSchedule::gpipe;
    e.symbols = gpipe ? "M × VPP; GPipe runs all forward passes first"
                : context_.pipeline.chunks == 1
                    ? "min(PP - rank, M); 1F1B keeps one micro-batch for each rank from here to the end"
                    : "min(2 × (PP - rank - 1) + (VPP - 1) × G + overlap + 1, M × VPP); the schedule's "
                      "table deals them to the chunks in groups of G";
    e.source = gpipe ? "arXiv:1811.06965, section 2.3"
                     : "core/pipeline_parallel/schedules.py:929-1016, 2277-2279@d98e8a64";
    Symbols symbols = symbols_;
    add_symbol(symbols, "rank", number(Wide{rank_}), "pipeline rank");
    add_symbol(symbols, "G",
        number(Wide{
            context_.s.microbatch_group_size_per_virtual_pipeline_stage.value_or(context_.pipeline.ranks)}),
        "microbatch_group_size_per_virtual_pipeline_stage, else PP");
    add_symbol(symbols, "overlap", context_.overlaps_experts() ? "1" : "0",
        "1 with overlap_moe_expert_parallel_comm");
    e.legend = symbols_in(expression_of(e.symbols), symbols);
    e.substitution = substitute(expression_of(e.symbols), symbols);
    for (std::size_t i = 0; i < report_.in_flight.size(); ++i) {
        e.parts.push_back({fmt::format("chunk {}", i), report_.chunks[i], report_.in_flight[i]});
        e.result += report_.in_flight[i];
    }
}

// P × B / D for each B and D that the module's tensors have.
void DetailedExplainer::states(const LineItem& item, std::size_t state, bool every_module,
                               Explanation& e) const {
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
        e.substitution +=
            fmt::format("{}{} × {}", e.substitution.empty() ? "" : " + ", number(n), bytes_text(key.first));
        if (key.second > 1) e.substitution += fmt::format(" / {}", number(key.second));
    }
    if (elements.empty()) e.substitution = "0";
    Wide sum = 0;
    for (const auto& [key, n] : elements)
        sum += n;
    add_symbol(e.legend, "P", number(sum), "parameters of this GPU");
    if (elements.size() != 1) return;
    add_symbol(e.legend, "B", bytes_text(elements.begin()->first.first), "bytes a parameter");
    add_symbol(e.legend, "D", number(elements.begin()->first.second), "GPUs that share them");
}

// Symbols that the item itself has.
void DetailedExplainer::derived(const LineItem& item, const Explanation& e, Symbols& symbols) const {
    const Sizes& z = context_.z;
    if (item.formula == "detailed.fsdp_root")
        add_symbol(symbols, "P_root", number(item.bytes / z.element), "their parameters on this GPU");
    if (item.formula == "detailed.fragmentation") {
        add_symbol(symbols, "P_peak", number(Wide{report_.totals.peak_allocated}), "peak_allocated of this rank");
        add_symbol(symbols, "share", number(Wide{context_.fragmentation().middle}),
            "hundredths that the allocator holds beyond what it has given out");
    }
    if (item.formula == "detailed.graph_inputs") {
        const Wide inputs = detailed::graph_input_bytes(context_);
        add_symbol(symbols, "mask_g", number(inputs - z.hidden_bytes()), "bytes of a captured attention mask");
        add_symbol(symbols, "graphs", number(item.bytes / inputs), "layers × micro-batches with captured inputs");
    }
    if (item.formula == "detailed.fsdp_double_buffers")
        add_symbol(symbols, "pool", number(Wide{item.bytes / 2}),
            "bytes of a layer's weights and gradients, as gathered");
    if (item.formula == "detailed.act.kept_for_balance")
        add_symbol(symbols, "kept", number(Wide{item.bytes}), "bytes of those groups");
    if (item.component == "expert_buffers") expert_buffers(symbols);
    if (!item.formula.starts_with("detailed.peak.")) return;
    add_symbol(symbols, "rest", "0", "what else is held then");
    const auto known = evaluate(substitute(expression_of(e.symbols), symbols));
    if (known) symbols.back().value = number(static_cast<double>(item.bytes) - *known);
}

void DetailedExplainer::expert_buffers(Symbols& symbols) const {
    const detailed::ExpertBuffers b = detailed::expert_buffers(context_);
    add_symbol(symbols, "p_ep", number(b.peers), "ranks of the expert group in one NVLink domain");
    add_symbol(symbols, "n_ep", number(b.domains), "NVLink domains of the expert group");
    add_symbol(symbols, "n_far", number(b.far_tokens > 0 ? b.domains : Wide{0}), "the same, where there is RDMA");
    add_symbol(symbols, "t_near", number(b.near_tokens), "tokens that a channel receives into, over NVLink");
    add_symbol(symbols, "t_far", number(b.far_tokens), "tokens that a channel receives into, over RDMA");
    add_symbol(symbols, "t_ep", number(b.tokens), "tokens of a rank, a multiple of 16");
    add_symbol(symbols, "far", number(b.far), "bytes a token for other NVLink domains");
}

}  // namespace megamem

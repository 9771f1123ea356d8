// Activations of the `calculator` method: section 5 of its text. Each term is floor(floor(product / TP) / CP)
// bytes for one layer; a rank holds all its layers, times VPP.
#include "memory/calculator.h"

namespace megamem::calculator {

namespace {

enum class In { all, moe, dense, output };

struct Term {
    std::string_view name;
    std::string_view formula;
    Wide product;  // before / TP / CP
    In layers;
    bool dropped = false;  // by moe_act recompute
};

}  // namespace

void add_activations(const Plan& plan, const Terms& t, const LayerCounts& layers,
                     std::vector<LineItem>& items) {
    const Wide lin = t.linear_bytes;
    const Wide dense_ffn = t.dense_ffn();
    // droprate in ten-thousandths: exact, then rounded down once, as nested floors are.
    const auto routed = [&](Wide width) {
        return t.tokens * t.topk * plan.scenario.droprate.ten_thousandths * width / Decimal4::kOne;
    };
    const bool recompute = t.recompute_moe_act;
    const Term terms[] = {
        {"pre_attn_layernorm", "calculator.act.hidden", t.tokens * t.hidden * 2, In::all},
        {"linear_qkv", "calculator.act.linear_input", t.tokens * t.hidden * lin, In::all},
        {"attention_q", "calculator.act.query", t.tokens * t.query * 2, In::all},
        {"attention_k", "calculator.act.key", t.tokens * t.key * 2, In::all},
        {"attention_v", "calculator.act.key", t.tokens * t.key * 2, In::all},
        {"attention_o", "calculator.act.query", t.tokens * t.query * 2, In::all},
        {"pre_mlp_layernorm", "calculator.act.hidden", t.tokens * t.hidden * 2, In::all},
        {"gate", "calculator.act.hidden", t.tokens * t.hidden * 2, In::moe},
        {"shared_clamp", "calculator.act.shared_clamp", t.tokens * t.shared * 2, In::moe},
        {"shared_activation", "calculator.act.shared_activation", t.tokens * t.shared * 4, In::moe},
        {"shared_fc2", "calculator.act.shared_fc2", t.tokens * t.shared * lin, In::moe},
        {"moe_fc1", "calculator.act.moe_fc1", routed(t.hidden * lin), In::moe},
        {"moe_clamp", "calculator.act.moe_clamp", routed(t.ffn * 2), In::moe, recompute},
        {"moe_activation", "calculator.act.moe_activation", routed(t.ffn * 4), In::moe, recompute},
        {"moe_fc2", "calculator.act.moe_fc2", routed(t.ffn * lin), In::moe, recompute},
        {"dense_fc1", "calculator.act.linear_input", t.tokens * t.hidden * lin, In::dense},
        {"dense_clamp", "calculator.act.dense_clamp", t.tokens * dense_ffn * 2, In::dense},
        {"dense_activation", "calculator.act.dense_activation", t.tokens * dense_ffn * 4, In::dense},
        {"dense_fc2", "calculator.act.dense_fc2", t.tokens * dense_ffn * lin, In::dense},
        {"output_layer", "calculator.act.output_layer", t.tokens * t.vocab * 6, In::output},
    };
    const std::int64_t vpp = plan.pipeline.chunks;
    const auto multiplicity = [&](In where) {
        switch (where) {
            case In::all:
                return (layers.dense + layers.moe) * vpp;
            case In::moe:
                return layers.moe * vpp;
            case In::dense:
                return layers.dense * vpp;
            case In::output:
                return layers.output;  // outside the VPP factor
        }
        return std::int64_t{0};
    };
    for (const Term& term : terms) {
        const std::int64_t times = term.dropped ? 0 : multiplicity(term.layers);
        items.push_back({.component = term.name,
                         .kind = Kind::activation,
                         .bytes = narrow(term.product / t.tp / t.cp * times),
                         .multiplicity = times,
                         .formula = term.formula});
    }
}

}  // namespace megamem::calculator

// Activations of the `calculator` method: section 5 of its text. Each term is floor(floor(product / TP) / CP)
// bytes for one layer; a rank holds all its layers, times VPP.
#include "memory/calculator.h"

namespace megamem::calculator {

std::vector<ActivationTerm> activation_terms(const Scenario& s, const Terms& t) {
    using enum ActivationTerm::In;
    const Wide lin = t.linear_bytes;
    const Wide dense_ffn = t.dense_ffn();
    // droprate in ten-thousandths: exact, then rounded down once, as nested floors are.
    const auto routed = [&](Wide width) {
        return t.tokens * t.topk * s.droprate.ten_thousandths * width / Decimal4::kOne;
    };
    const bool recompute = t.recompute_moe_act;
    std::vector<ActivationTerm> terms = {
        {"pre_attn_layernorm", "calculator.act.hidden", t.tokens * t.hidden * 2, all},
        {"linear_qkv", "calculator.act.linear_input", t.tokens * t.hidden * lin, all},
        {"attention_q", "calculator.act.query", t.tokens * t.query * 2, all},
        {"attention_k", "calculator.act.key", t.tokens * t.key * 2, all},
        {"attention_v", "calculator.act.key", t.tokens * t.key * 2, all},
        {"attention_o", "calculator.act.query", t.tokens * t.query * 2, all},
        {"pre_mlp_layernorm", "calculator.act.hidden", t.tokens * t.hidden * 2, all},
        {"gate", "calculator.act.hidden", t.tokens * t.hidden * 2, moe},
        {"shared_clamp", "calculator.act.shared_clamp", t.tokens * t.shared * 2, moe},
        {"shared_activation", "calculator.act.shared_activation", t.tokens * t.shared * 4, moe},
        {"shared_fc2", "calculator.act.shared_fc2", t.tokens * t.shared * lin, moe},
        {"moe_fc1", "calculator.act.moe_fc1", routed(t.hidden * lin), moe},
        {"moe_clamp", "calculator.act.moe_clamp", routed(t.ffn * 2), moe, recompute},
        {"moe_activation", "calculator.act.moe_activation", routed(t.ffn * 4), moe, recompute},
        {"moe_fc2", "calculator.act.moe_fc2", routed(t.ffn * lin), moe, recompute},
        {"dense_fc1", "calculator.act.linear_input", t.tokens * t.hidden * lin, dense},
        {"dense_clamp", "calculator.act.dense_clamp", t.tokens * dense_ffn * 2, dense},
        {"dense_activation", "calculator.act.dense_activation", t.tokens * dense_ffn * 4, dense},
        {"dense_fc2", "calculator.act.dense_fc2", t.tokens * dense_ffn * lin, dense},
        {"output_layer", "calculator.act.output_layer", t.tokens * t.vocab * 6, output},
    };
    for (ActivationTerm& term : terms)
        term.layer_bytes = quotient(quotient(term.layer_bytes, t.tp), t.cp);
    return terms;
}

void add_activations(const std::vector<ActivationTerm>& terms, const LayerCounts& layers, std::int64_t vpp,
                     std::vector<LineItem>& items) {
    const auto multiplicity = [&](ActivationTerm::In where) {
        switch (where) {
            case ActivationTerm::In::all:
                return (layers.dense + layers.moe) * vpp;
            case ActivationTerm::In::moe:
                return layers.moe * vpp;
            case ActivationTerm::In::dense:
                return layers.dense * vpp;
            case ActivationTerm::In::output:
                return layers.output;  // outside the VPP factor
        }
        return std::int64_t{0};
    };
    for (const ActivationTerm& term : terms) {
        const std::int64_t times = term.dropped ? 0 : multiplicity(term.layers);
        items.push_back({.component = term.name,
                         .kind = Kind::activation,
                         .bytes = narrow(term.layer_bytes * times),
                         .multiplicity = times,
                         .formula = term.formula});
    }
}

}  // namespace megamem::calculator

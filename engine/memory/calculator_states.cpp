// Static memory of the `calculator` method: sections 3 and 6 (parameters) of its text.
#include <algorithm>

#include "memory/calculator.h"

namespace megamem::calculator {

void add_states(const Module& m, bool weight_2b_for_1b, std::vector<LineItem>& items) {
    const std::int64_t weight_bytes = weight_2b_for_1b && m.element_size < 2 ? 2 : m.element_size;
    const Wide n = m.elements;
    const Bytes weight = narrow(n * weight_bytes);
    const Bytes sharded = narrow(quotient(n * 4, m.shard_size));  // rounded down a row
    const auto add = [&](Kind kind, Bytes bytes) {
        items.push_back({m.name, m.part, kind, bytes, m.multiplicity, m.elements, m.formula});
    };
    add(Kind::weight, weight);
    add(Kind::fp8_cache, m.fp8_cache ? weight : 0);
    add(Kind::grad, narrow(n * 4));
    add(Kind::master, sharded);
    add(Kind::optimizer, sharded);
}

void add_modules(const Plan& plan, const Terms& t, const Groups& groups, const LayerCounts& layers,
                 std::vector<LineItem>& items) {
    const Scenario& s = plan.scenario;
    const std::int64_t dp = groups.data_parallel_size;
    const std::int64_t edp = groups.expert_data_parallel_size;
    const std::int64_t sedp = groups.shared_expert_data_parallel_size;
    const std::int64_t all_layers = layers.dense + layers.moe;
    const Wide local_experts = s.num_experts / s.expert_model_parallel_size;
    const Wide gate = s.attention_output_gate ? 1 : 0;
    // With tied embeddings the output layer of the embedding's own rank is the same matrix.
    const bool shares = !s.untie_embeddings_and_output_weights && layers.embedding > 0;

    struct Row {
        std::string_view name;
        std::string_view formula;
        std::int64_t multiplicity;
        Wide elements;  // of one layer, before TP
        std::int64_t tp;
        std::int64_t element_size;
        std::int64_t shard_size;
        bool linear;
    };
    const std::int64_t lin = t.linear_bytes;
    const Row rows[] = {
        {"Embedding", "calculator.embedding", layers.embedding, t.vocab * t.hidden, t.tp, s.embedding_bytes,
         dp, false},
        {"AttentionQKV", "calculator.attention_qkv", all_layers,
         (t.query * (1 + gate) + 2 * t.key) * t.hidden, t.tp, lin, dp, true},
        {"AttentionOut", "calculator.attention_out", all_layers, t.query * t.hidden, t.tp, lin, dp, true},
        {"Gate", "calculator.gate", layers.moe, t.hidden * s.num_experts, 1, s.router_bytes, sedp, false},
        {"MoEFC1/shared", "calculator.shared_fc1", layers.moe, t.shared * t.hidden * 2, t.tp, lin, dp, true},
        {"MoEFC1/experts", "calculator.experts_fc1", layers.moe, local_experts * t.hidden * t.ffn * 2, 1, lin,
         edp, true},
        {"MoEFC2/shared", "calculator.shared_fc2", layers.moe, t.shared * t.hidden, t.tp, lin, dp, true},
        {"MoEFC2/experts", "calculator.experts_fc2", layers.moe, local_experts * t.hidden * t.ffn, 1, lin,
         edp, true},
        {"DenseFC1", "calculator.dense_fc1", layers.dense, t.dense_ffn() * t.hidden * 2, 1, lin, sedp, true},
        {"DenseFC2", "calculator.dense_fc2", layers.dense, t.dense_ffn() * t.hidden, 1, lin, sedp, true},
        {"OutputLayer", "calculator.output_layer", shares ? 0 : layers.output, t.vocab * t.hidden, t.tp,
         s.embedding_bytes, dp, false},
    };
    for (const Row& row : rows) {
        add_states({.name = row.name,
                    .formula = row.formula,
                    .multiplicity = row.multiplicity,
                    .elements = narrow(quotient(row.multiplicity * row.elements, row.tp)),
                    .element_size = row.element_size,
                    .shard_size = row.shard_size,
                    .fp8_cache = row.linear && t.fp8},
                   s.weight_2b_for_1b, items);
    }
}

Parameters parameters_of(const Plan& plan, const Terms& t) {
    const Scenario& s = plan.scenario;
    const Wide moe_layers = std::count(plan.moe.begin(), plan.moe.end(), true);
    const Wide dense_layers = plan.resolved.layers - moe_layers;
    const Wide gate = s.attention_output_gate ? 1 : 0;
    const Wide attention = (t.query * (2 + gate) + 2 * t.key) * t.hidden;
    const Wide expert = 3 * t.hidden * t.ffn;
    const Wide moe_rest = t.hidden * s.num_experts + 3 * t.shared * t.hidden;
    const Wide embeddings = t.vocab * t.hidden * (s.untie_embeddings_and_output_weights ? 2 : 1);

    const Wide common = embeddings + plan.resolved.layers * attention +
                        dense_layers * 3 * t.dense_ffn() * t.hidden + moe_layers * moe_rest +
                        vision_parameters(plan);
    const Wide visited = std::min(t.topk, Wide{s.num_experts});
    return {.total = narrow(common + moe_layers * expert * s.num_experts),
            .active = narrow(common + moe_layers * expert * visited)};
}

}  // namespace megamem::calculator

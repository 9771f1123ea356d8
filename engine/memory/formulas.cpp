// The text of every formula. `seed` is the requested calculator's own document, by section.
#include "memory/formulas.h"

#include <algorithm>
#include <array>

namespace megamem {

namespace {

constexpr std::array kFormulas = {
    Formula{"calculator.embedding", "E x vocab x hidden / TP", "seed 4.1"},
    Formula{"calculator.attention_qkv",
            "layers x kv_channels x (heads x (1 + output_gate) + 2 x groups) x hidden / TP", "seed 4.2"},
    Formula{"calculator.attention_out", "layers x kv_channels x heads x hidden / TP", "seed 4.3"},
    Formula{"calculator.gate", "MoE layers x hidden x experts", "seed 4.4"},
    Formula{"calculator.shared_fc1", "MoE layers x shared x hidden x 2 / TP", "seed 4.5"},
    Formula{"calculator.experts_fc1", "MoE layers x (experts / EP) x hidden x ffn x 2", "seed 4.6"},
    Formula{"calculator.shared_fc2", "MoE layers x shared x hidden / TP", "seed 4.7"},
    Formula{"calculator.experts_fc2", "MoE layers x (experts / EP) x hidden x ffn", "seed 4.7"},
    Formula{"calculator.dense_fc1", "dense layers x (ffn x topk) x hidden x 2", "seed 4.8"},
    Formula{"calculator.dense_fc2", "dense layers x (ffn x topk) x hidden", "seed 4.8"},
    Formula{"calculator.output_layer", "L x vocab x hidden / TP", "seed 4.9"},
    Formula{"calculator.act.hidden", "tokens x hidden x 2 / TP / CP", "seed 6.3 a, e, f"},
    Formula{"calculator.act.linear_input", "tokens x hidden x linear_bytes / TP / CP", "seed 6.3 b, i"},
    Formula{"calculator.act.query", "tokens x kv_channels x heads x 2 / TP / CP", "seed 6.3 c"},
    Formula{"calculator.act.key", "tokens x kv_channels x groups x 2 / TP / CP", "seed 6.3 c"},
    Formula{"calculator.act.shared_clamp", "tokens x shared x 2 x 1 / TP / CP", "seed 6.3 g"},
    Formula{"calculator.act.shared_activation", "tokens x shared x 2 x 2 / TP / CP", "seed 6.3 g"},
    Formula{"calculator.act.shared_fc2", "tokens x shared x linear_bytes / TP / CP", "seed 6.3 g"},
    Formula{"calculator.act.moe_fc1", "tokens x topk x droprate x hidden x linear_bytes / TP / CP",
            "seed 6.3 h"},
    Formula{"calculator.act.moe_clamp", "tokens x topk x droprate x ffn x 2 x 1 / TP / CP", "seed 6.3 h"},
    Formula{"calculator.act.moe_activation", "tokens x topk x droprate x ffn x 2 x 2 / TP / CP",
            "seed 6.3 h"},
    Formula{"calculator.act.moe_fc2", "tokens x topk x droprate x ffn x linear_bytes / TP / CP",
            "seed 6.3 h"},
    Formula{"calculator.act.dense_clamp", "tokens x (ffn x topk) x 2 x 1 / TP / CP", "seed 6.3 i"},
    Formula{"calculator.act.dense_activation", "tokens x (ffn x topk) x 2 x 2 / TP / CP", "seed 6.3 i"},
    Formula{"calculator.act.dense_fc2", "tokens x (ffn x topk) x linear_bytes / TP / CP", "seed 6.3 i"},
    Formula{"calculator.act.output_layer", "tokens x vocab x 2 x 3 / TP / CP", "seed 6.3 j"},
    Formula{"calculator.vision.patch_embedding", "patch_dim^2 x 3 x vit_hidden", "seed 9.1"},
    Formula{"calculator.vision.qkv", "vit_layers x vit_kv x (vit_heads + 2 x vit_groups) x vit_hidden",
            "seed 9.1"},
    Formula{"calculator.vision.out", "vit_layers x vit_kv x vit_heads x vit_hidden", "seed 9.1"},
    Formula{"calculator.vision.fc", "vit_layers x vit_ffn x vit_hidden", "seed 9.1"},
    Formula{"calculator.vision.projector_fc1", "vit_hidden x projector_ffn", "seed 9.2"},
    Formula{"calculator.vision.projector_fc2", "projector_ffn x hidden", "seed 9.2"},
    Formula{"calculator.vision.merge_fc1", "projector_ffn x hidden x merge^2", "seed 9.2"},
    Formula{"calculator.vision.merge_fc2", "projector_ffn x hidden", "seed 9.2"},
    Formula{"calculator.vision.activation", "vit_layers x patches x bytes a patch",
            "ours; the seed gives none"},
    Formula{"calculator.nccl_buffer", "nccl_buffer_gib x 2^30", "set by the user"},
};

}  // namespace

std::span<const Formula> formulas() {
    return kFormulas;
}

const Formula* find_formula(std::string_view id) {
    for (const auto table : {formulas(), megatron_report_formulas()}) {
        const auto found =
            std::find_if(table.begin(), table.end(), [&](const Formula& f) { return f.id == id; });
        if (found != table.end()) return &*found;
    }
    return nullptr;
}

}  // namespace megamem

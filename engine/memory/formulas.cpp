// The text of every formula and its source.
#include "memory/formulas.h"

#include <algorithm>
#include <array>

namespace megamem {

namespace {

constexpr std::array kFormulas = {
    Formula{"calculator.embedding", "E × vocab × hidden / TP", "the requested calculator, section 4.1"},
    Formula{"calculator.attention_qkv",
            "layers × kv_channels × (heads × (1 + output_gate) + 2 × groups) × hidden / TP",
            "the requested calculator, section 4.2"},
    Formula{"calculator.attention_out", "layers × kv_channels × heads × hidden / TP",
            "the requested calculator, section 4.3"},
    Formula{"calculator.gate", "MoE layers × hidden × experts", "the requested calculator, section 4.4"},
    Formula{"calculator.shared_fc1", "MoE layers × shared × hidden × 2 / TP",
            "the requested calculator, section 4.5"},
    Formula{"calculator.experts_fc1", "MoE layers × (experts / EP) × hidden × ffn × 2",
            "the requested calculator, section 4.6"},
    Formula{"calculator.shared_fc2", "MoE layers × shared × hidden / TP",
            "the requested calculator, section 4.7"},
    Formula{"calculator.experts_fc2", "MoE layers × (experts / EP) × hidden × ffn",
            "the requested calculator, section 4.7"},
    Formula{"calculator.dense_fc1", "dense layers × (ffn × topk) × hidden × 2",
            "the requested calculator, section 4.8"},
    Formula{"calculator.dense_fc2", "dense layers × (ffn × topk) × hidden",
            "the requested calculator, section 4.8"},
    Formula{"calculator.output_layer", "L × vocab × hidden / TP", "the requested calculator, section 4.9"},
    Formula{"calculator.act.hidden", "tokens × hidden × 2 / TP / CP",
            "the requested calculator, section 6.3 a, e, f"},
    Formula{"calculator.act.linear_input", "tokens × hidden × linear_bytes / TP / CP",
            "the requested calculator, section 6.3 b, i"},
    Formula{"calculator.act.query", "tokens × kv_channels × heads × 2 / TP / CP",
            "the requested calculator, section 6.3 c"},
    Formula{"calculator.act.key", "tokens × kv_channels × groups × 2 / TP / CP",
            "the requested calculator, section 6.3 c"},
    Formula{"calculator.act.shared_clamp", "tokens × shared × 2 × 1 / TP / CP",
            "the requested calculator, section 6.3 g"},
    Formula{"calculator.act.shared_activation", "tokens × shared × 2 × 2 / TP / CP",
            "the requested calculator, section 6.3 g"},
    Formula{"calculator.act.shared_fc2", "tokens × shared × linear_bytes / TP / CP",
            "the requested calculator, section 6.3 g"},
    Formula{"calculator.act.moe_fc1", "tokens × topk × droprate × hidden × linear_bytes / TP / CP",
            "the requested calculator, section 6.3 h"},
    Formula{"calculator.act.moe_clamp", "tokens × topk × droprate × ffn × 2 × 1 / TP / CP",
            "the requested calculator, section 6.3 h"},
    Formula{"calculator.act.moe_activation", "tokens × topk × droprate × ffn × 2 × 2 / TP / CP",
            "the requested calculator, section 6.3 h"},
    Formula{"calculator.act.moe_fc2", "tokens × topk × droprate × ffn × linear_bytes / TP / CP",
            "the requested calculator, section 6.3 h"},
    Formula{"calculator.act.dense_clamp", "tokens × (ffn × topk) × 2 × 1 / TP / CP",
            "the requested calculator, section 6.3 i"},
    Formula{"calculator.act.dense_activation", "tokens × (ffn × topk) × 2 × 2 / TP / CP",
            "the requested calculator, section 6.3 i"},
    Formula{"calculator.act.dense_fc2", "tokens × (ffn × topk) × linear_bytes / TP / CP",
            "the requested calculator, section 6.3 i"},
    Formula{"calculator.act.output_layer", "tokens × vocab × 2 × 3 / TP / CP",
            "the requested calculator, section 6.3 j"},
    Formula{"calculator.vision.patch_embedding", "patch_dim^2 × 3 × vit_hidden",
            "the requested calculator, section 9.1"},
    Formula{"calculator.vision.qkv", "vit_layers × vit_kv × (vit_heads + 2 × vit_groups) × vit_hidden",
            "the requested calculator, section 9.1"},
    Formula{"calculator.vision.out", "vit_layers × vit_kv × vit_heads × vit_hidden",
            "the requested calculator, section 9.1"},
    Formula{"calculator.vision.fc", "vit_layers × vit_ffn × vit_hidden",
            "the requested calculator, section 9.1"},
    Formula{"calculator.vision.projector_fc1", "vit_hidden × projector_ffn",
            "the requested calculator, section 9.2"},
    Formula{"calculator.vision.projector_fc2", "projector_ffn × hidden",
            "the requested calculator, section 9.2"},
    Formula{"calculator.vision.merge_fc1", "projector_ffn × hidden × merge^2",
            "the requested calculator, section 9.2"},
    Formula{"calculator.vision.merge_fc2", "projector_ffn × hidden", "the requested calculator, section 9.2"},
    Formula{"calculator.vision.activation", "vit_layers × patches × bytes a patch",
            "ours; the requested calculator gives none"},
    Formula{"calculator.nccl_buffer", "nccl_buffer_gib × 2^30", "set by the user"},
};

}  // namespace

std::span<const Formula> formulas() {
    return kFormulas;
}

const Formula* find_formula(std::string_view id) {
    for (const auto table : {detailed_activation_formulas(), detailed_static_formulas(),
                             detailed_vision_formulas(), formulas(), megatron_report_formulas()}) {
        const auto found =
            std::find_if(table.begin(), table.end(), [&](const Formula& f) { return f.id == id; });
        if (found != table.end()) return &*found;
    }
    return nullptr;
}

}  // namespace megamem

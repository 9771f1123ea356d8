// The vision tower of the `calculator` method: section 6 of its text. On every rank, bf16, optimizer shard
// VDP.
#include <array>

#include "memory/calculator.h"

namespace megamem::calculator {

namespace {

struct Row {
    std::string_view name;
    std::string_view formula;
    Wide elements;
    std::int64_t multiplicity;
};

std::array<Row, 9> rows_of(const VisionTower& v, Wide hidden) {
    const Wide h = v.hidden;
    const Wide query = Wide{v.head_width} * v.heads;
    const Wide key = Wide{v.head_width} * v.groups;
    const Wide projector = v.projector_ffn;
    const Wide merged = Wide{v.merge_side} * v.merge_side;
    return {{
        {"vision/patch_embedding", "calculator.vision.patch_embedding",
         Wide{v.patch_side} * v.patch_side * 3 * h, 1},
        {"vision/qkv", "calculator.vision.qkv", v.layers * (query + 2 * key) * h, v.layers},
        {"vision/out", "calculator.vision.out", v.layers * query * h, v.layers},
        {"vision/fc1", "calculator.vision.fc", v.layers * Wide{v.ffn} * h, v.layers},
        {"vision/fc2", "calculator.vision.fc", v.layers * Wide{v.ffn} * h, v.layers},
        {"vision/projector_fc1", "calculator.vision.projector_fc1", h * projector, 1},
        {"vision/projector_fc2", "calculator.vision.projector_fc2", projector * hidden, 1},
        {"vision/merge_fc1", "calculator.vision.merge_fc1", projector * hidden * merged, 1},
        {"vision/merge_fc2", "calculator.vision.merge_fc2", projector * hidden, 1},
    }};
}

}  // namespace

void add_vision(const Plan& plan, const Groups& groups, std::vector<LineItem>& items) {
    constexpr std::int64_t kBf16 = 2;
    const VisionTower& v = plan.resolved.vision;
    for (const Row& row : rows_of(v, plan.resolved.hidden)) {
        add_states({.name = row.name,
                    .formula = row.formula,
                    .part = Part::vision,
                    .multiplicity = row.multiplicity,
                    .elements = narrow(row.elements),
                    .element_size = kBf16,
                    .shard_size = groups.vision_data_parallel_size},
                   false, items);
    }

    // Bytes a patch and layer; no TP, CP or VPP.
    const Wide hidden = kBf16 * Wide{v.hidden};
    const Wide query = kBf16 * Wide{v.head_width} * v.heads;
    const Wide keys = 2 * kBf16 * Wide{v.head_width} * v.groups;
    const Wide ffn = kBf16 * Wide{v.ffn};
    const std::pair<std::string_view, Wide> terms[] = {
        {"vision/norm1", hidden},     {"vision/qkv_input", hidden}, {"vision/q", query},
        {"vision/kv", keys},          {"vision/o", query},          {"vision/norm2", hidden},
        {"vision/fc1_input", hidden}, {"vision/fc1_output", ffn},   {"vision/fc2_input", ffn},
    };
    for (const auto& [name, bytes] : terms) {
        items.push_back({.component = name,
                         .part = Part::vision,
                         .kind = Kind::activation,
                         .bytes = narrow(bytes * v.patches * v.layers),
                         .multiplicity = v.layers,
                         .formula = "calculator.vision.activation"});
    }
}

Wide vision_parameters(const Plan& plan) {
    Wide sum = 0;
    if (plan.resolved.vision.layers == 0) return sum;
    for (const Row& row : rows_of(plan.resolved.vision, plan.resolved.hidden))
        sum += row.elements;
    return sum;
}

}  // namespace megamem::calculator

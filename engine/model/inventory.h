// Parameter inventory: every tensor of a GPU, with its name in Megatron's state dict, shape, sharding and
// buffer.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "model/sizes.h"
#include "scenario/scenario.h"

namespace megamem {

enum class Buffer {
    dense,
    expert,
    none
};  // which gradient buffer, and so which optimizer shards; none: no gradient

enum class Sharding { column, row, replicated, vocabulary, expert };

std::string_view name_of(Sharding sharding);

// What holds the tensor: it decides FP8 copies and dummy gradients.
enum class Holder {
    te_linear,
    te_linear_unquantized,  // of a module that FP8 doesn't reach
    te_grouped,
    output_layer,
    other
};

struct Tensor {
    std::string_view module;  // "attention", "mlp", "router", ...
    std::string_view name;    // within its layer
    std::int64_t rows = 0;
    std::int64_t cols = 0;    // 0: a vector
    std::int64_t copies = 1;  // local experts
    Sharding sharding = Sharding::replicated;
    Buffer buffer = Buffer::dense;
    Holder holder = Holder::other;
    bool frozen = false;  // no gradient and no states

    Wide elements() const { return Wide{rows} * (cols == 0 ? 1 : cols) * copies; }
    bool is_matrix() const { return cols > 0; }
};

using Tensors = std::vector<Tensor>;

// One layer on one GPU.
Tensors decoder_layer(const Scenario& scenario, const Sizes& sizes, bool moe);
// One MTP depth: a layer of the last layer's type, its projection and norms.
Tensors mtp_layer(const Scenario& scenario, const Sizes& sizes, bool moe);
// Word and position embeddings.
Tensors embedding(const Scenario& scenario, const Resolved& resolved, const Sizes& sizes);
Tensors final_norm(const Sizes& sizes);
Tensors output_layer(const Sizes& sizes);

Wide elements_of(const Tensors& tensors);

}  // namespace megamem

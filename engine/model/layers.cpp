#include "model/layers.h"

#include <fmt/format.h>

#include <algorithm>

#include "scenario/layer_pattern.h"

namespace megamem {

std::optional<std::vector<bool>> moe_layers(const Scenario& s, const Resolved& r, Problems& problems) {
    const auto count = static_cast<std::size_t>(r.layers);
    if (s.num_experts == 0) return std::vector<bool>(count, false);

    // "The first N are dense" and Megatron's pattern say the same thing in two ways; without either,
    // Megatron's default frequency 1 makes every layer MoE (arguments.py:3520@d98e8a64).
    std::vector<bool> first_dense(count, true);
    const auto dense = static_cast<std::size_t>(std::min(s.num_dense_layers.value_or(0), r.layers));
    std::fill_n(first_dense.begin(), dense, false);
    if (s.moe_layer_freq.empty()) return first_dense;

    std::vector<bool> pattern = expand(parse_layer_pattern(s.moe_layer_freq), r.layers);
    if (s.num_dense_layers && pattern != first_dense) {
        const auto differs = std::mismatch(pattern.begin(), pattern.end(), first_dense.begin());
        const auto layer = differs.first - pattern.begin();
        problems.push_back(
            {Severity::error, "layer_types_conflict", "num_dense_layers",
             fmt::format("num_dense_layers {} makes layer {} {} and moe_layer_freq {} makes it {}",
                         *s.num_dense_layers, layer, *differs.second ? "MoE" : "dense", s.moe_layer_freq,
                         *differs.first ? "MoE" : "dense")});
        return std::nullopt;
    }
    return pattern;
}

}  // namespace megamem

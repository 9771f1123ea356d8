// `moe_layer_freq`: a number N (layer i is MoE where i % N == 0) or a list with one 0 or 1 a layer, which
// Megatron-LM also takes as a Python expression such as "([0]*3+[1]*58)"
// (megatron/training/arguments.py, moe_freq_type; theoretical_memory_usage.py:29-44@d98e8a64).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace megamem {

struct LayerRun {
    bool moe = false;
    std::int64_t count = 0;

    friend bool operator==(const LayerRun&, const LayerRun&) = default;
};

struct LayerPattern {
    std::int64_t every = 0;      // N, where the pattern is a number
    std::vector<LayerRun> runs;  // else the list, neighbours of one kind joined
    std::string error;           // a sentence with the position in it, else empty

    std::int64_t length() const;  // of the list
    friend bool operator==(const LayerPattern&, const LayerPattern&) = default;
};

// Reads all three spellings: "2", "[0,0,1]" and the Python expression. Never expands a list.
LayerPattern parse_layer_pattern(std::string_view text);

// Canonical: "2" or "([0]*3+[1]*58)".
std::string to_text(const LayerPattern& pattern);

// Whether each of the layers is MoE. The list must be num_layers long (the caller has checked it).
std::vector<bool> expand(const LayerPattern& pattern, std::int64_t num_layers);

}  // namespace megamem

// The activations of theoretical_memory_usage.py (308-453): Table 2 of Korthikanti et al., arXiv:2205.05198,
// with sequence parallelism and selective recompute, and a rougher form for everything else.
#include <algorithm>

#include "memory/megatron_report.h"

namespace megamem::megatron_report {

// Micro-batches in flight on the first stage, as a share of PP (341-361; 410-431). VPP 1 counts as no VPP
// (arguments.py:951, 978@d98e8a64).
double in_flight_share(const Context& c) {
    const double pp = real(c.z.pp);
    if (c.virtual_stages > 1) return 1 + (pp - 1) / (pp * real(c.virtual_stages));
    return c.z.pp > 1 ? std::min(1.0, real(c.z.micro_batches) / pp) : 1;
}

std::vector<ShardItem> activations_of(const Context& c) {
    const bool sp = c.with_sequence_parallel();
    const double tp = real(c.z.tp);
    const double pp = real(c.z.pp);
    const double h = real(c.z.h);
    // Neither CP nor the sequence's split changes these tokens.
    const double tokens = real(Wide{c.r.micro_batch} * c.r.sequence);
    const double divisor = sp ? tp : 1;  // 379; the other form is not divided
    const double share = in_flight_share(c) / divisor;
    std::vector<ShardItem> items;
    const auto add = [&](std::string_view component, std::string_view formula, double bytes) {
        items.push_back({.component = component, .bytes = bytes, .formula = formula});
    };

    // PP micro-batches in flight times L / PP layers are L layers (316-325; 385-395).
    const double layer = sp ? tokens * h * (18 + 4 * (real(c.z.ffn) / h)) : tokens * h * (10 + 24 / tp);
    add("layers", sp ? "megatron_report.act.layers" : "megatron_report.act.layers_without_sp",
        layer * real(c.r.layers) * share);
    add("token_ids", "megatron_report.act.token_ids", 8 * tokens * pp * share);
    add("embedding_dropout", "megatron_report.act.embedding_dropout", tokens * h * pp * share);
    if (c.z.pp == 1) {
        // 368-376; 438-447.
        const double vocab = c.padded_vocab();
        add("output_layer",
            sp ? "megatron_report.act.output_layer" : "megatron_report.act.output_layer_without_sp",
            sp ? 4 * tokens * h * (1 + vocab / h) / divisor : 2 * (tokens * vocab / tp + tokens * h));
    }
    if (!sp) {
        // 449-451: five percent on top.
        double sum = 0;
        for (const ShardItem& item : items)
            sum += item.bytes;
        add("overhead", "megatron_report.act.overhead", 0.05 * sum);
    }
    return items;
}

}  // namespace megamem::megatron_report

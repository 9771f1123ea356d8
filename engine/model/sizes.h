// A scenario as sizes on one GPU: the symbols of the formulas. b micro-batch, s sequence, h hidden.
#pragma once

#include <cstdint>

#include "base/integers.h"
#include "scenario/defaults.h"
#include "scenario/scenario.h"

namespace megamem {

struct Sizes {
    std::int64_t tp = 1, pp = 1, cp = 1, ep = 1, etp = 1;
    std::int64_t dp = 1;            // world / (TP PP CP)
    std::int64_t edp = 1;           // world / (ETP EP PP)
    std::int64_t dense_shards = 1;  // DP CP / instances
    std::int64_t expert_shards = 1;
    bool separate_experts = false;  // experts have a buffer of their own: EP > 1 or ETP != TP
    bool sp = false;                // sequence parallel; off at TP 1

    Wide element = 2;  // bytes of an activation or parameter: 2, or 4 in fp32
    Wide h = 0;
    Wide n_local = 0;  // query heads / TP
    Wide g_local = 0;  // key/value groups on this GPU, at least 1
    Wide head = 0;     // kv_channels
    Wide heads = 0, groups = 0;
    Wide ffn = 0;  // dense MLP, whole
    Wide moe_ffn = 0;
    Wide shared = 0;
    Wide expert_h = 0;     // width that experts work on: latent or hidden
    Wide vocab_local = 0;  // padded vocabulary / TP
    Wide gate = 1;         // 2 for a gated MLP
    Wide norm = 1;         // vectors of a norm: 1 RMSNorm, 2 LayerNorm

    Wide tokens = 0;        // T  = s b / CP
    Wide local_tokens = 0;  // Ts = T / TP with sequence parallel, else T
    Wide routed = 0;        // N: token copies that the experts of this GPU get
    Wide sent = 0;          // Ts k: copies that this GPU sends
    std::int64_t experts_local = 0;
    std::int64_t micro_batches = 1;  // of a step; without a global batch, enough to fill the pipeline

    // One hidden tensor: what a pipeline stage sends and a layer keeps of its input.
    Wide hidden_bytes() const { return element * local_tokens * h; }
};

Sizes sizes_of(const Scenario& scenario, const Resolved& resolved);

}  // namespace megamem

// Communication buffers of DeepEP and HybridEP: allocated by CUDA or NVSHMEM, so that torch doesn't count
// them and the device does.
#include <algorithm>
#include <array>
#include <string_view>

#include "memory/detailed.h"

namespace megamem::detailed {

namespace {

// --- DeepEP @v1.2.1; Megatron-LM asks for the larger of its dispatch and combine buffers
// (core/transformer/moe/fused_a2a.py:38-72@d98e8a64).

constexpr Wide kPeers = 8;             // csrc/kernels/configs.cuh: NUM_MAX_NVL_PEERS
constexpr Wide kChannels = 20 / 2;     // deep_ep/buffer.py:30: 20 SMs, two a channel
constexpr Wide kWorkspace = 32 << 20;  // configs.cuh: NUM_WORKSPACE_BYTES
constexpr Wide kSourceMeta = 8;        // internode.cu: an RDMA rank and bits of NVLink ranks
constexpr Wide kTopK = 128 * (8 + 4);  // config.hpp:54: indices and weights of at most 128 experts
constexpr Wide kScales = 128 * 4;      // fp32 scales

// Tokens that a channel receives into, by the number of ranks (deep_ep/buffer.py:232-271); those of RDMA
// rounded up to a multiple of what is sent at once (config.hpp:36).
struct DeepEpRanks {
    Wide ranks;
    Wide nvlink_tokens;
    Wide rdma_tokens;
};
constexpr std::array kDeepEp = {
    DeepEpRanks{2, 256, 0},     DeepEpRanks{4, 256, 0},     DeepEpRanks{8, 256, 0},
    DeepEpRanks{16, 288, 140},  DeepEpRanks{24, 288, 128},  DeepEpRanks{32, 288, 128},
    DeepEpRanks{64, 288, 140},  DeepEpRanks{128, 560, 132}, DeepEpRanks{144, 720, 132},
    DeepEpRanks{160, 720, 132},
};

ExpertBuffers deep_ep(const Context& c) {
    const Wide ranks = Wide{c.z.ep} * c.z.etp;
    // Other numbers of ranks are refused by DeepEP: the next larger one is taken.
    const auto found = std::find_if(kDeepEp.begin(), kDeepEp.end(),
                                    [&](const DeepEpRanks& entry) { return entry.ranks >= ranks; });
    const DeepEpRanks& sizes = found == kDeepEp.end() ? kDeepEp.back() : *found;
    ExpertBuffers b{.formula = "detailed.deepep_buffers",
                    .peers = std::min(ranks, kPeers),
                    .domains = std::max<Wide>(ranks / kPeers, 1),
                    .near_tokens = sizes.nvlink_tokens,
                    .far_tokens = ranks > kPeers ? sizes.rdma_tokens : 0};
    const Wide token = std::max<Wide>(c.z.element, 2) * c.z.expert_h + kSourceMeta + kTopK + kScales;
    // config.hpp:47-70 and 72-98
    const Wide near = kChannels * b.peers * ((2 * b.domains + 3) * 4 + b.near_tokens * token);
    const Wide far =
        ranks > kPeers ? 2 * kChannels * b.domains * ((kPeers * 2 + 2) * 4 + b.far_tokens * (token + 16)) : 0;
    b.bytes = near + far + kWorkspace;  // each is rounded up to 128 bytes, which is left out
    return b;
}

// --- HybridEP: DeepEP's branch hybrid-ep @94a9f8f, csrc/hybrid_ep/buffer

constexpr Wide kNvlinkRack = 72;  // GPUs of a GB200 or GB300 NVLink domain

Wide nvlink_domain(const Context& c) {
    return c.s.gpu.starts_with("GB") ? kNvlinkRack : Wide{c.s.gpus_per_node};
}

// intranode.cu:186-262: room for every token of the group to come here, with its probabilities for the
// experts of the NVLink domain and scales; dispatch and combine share it. internode_doca.cu:383-580: what
// goes to other domains, both ways.
ExpertBuffers hybrid_ep(const Context& c) {
    const Wide group = Wide{c.z.ep} * c.z.etp;
    ExpertBuffers b{.formula = "detailed.hybridep_buffers", .peers = std::min(group, nvlink_domain(c))};
    b.domains = (group + b.peers - 1) / b.peers;
    b.tokens = (c.z.local_tokens + 15) / 16 * 16;  // deep_ep/hybrid_ep_buffer.py:130
    constexpr Wide kToken = 2;
    constexpr Wide kProbability = 4;
    const Wide h = c.z.expert_h;
    const Wide scales = h / 128 * 4;
    const Wide probabilities = kProbability * c.z.experts_local * b.peers;
    if (b.domains > 1) {
        b.far = kToken * h + probabilities * b.domains + scales +
                (b.domains - 1) * (3 * (kToken * h + probabilities) + scales);
    }
    b.bytes = b.tokens * (group * (kToken * h + probabilities + scales) + b.far);
    return b;
}

}  // namespace

ExpertBuffers expert_buffers(const Context& c) {
    if (c.s.num_experts == 0 || c.dispatcher != Dispatcher::flex) return {};
    switch (c.s.moe_flex_dispatcher_backend) {
        case FlexBackend::deepep:
            return deep_ep(c);
        case FlexBackend::hybridep:
            return hybrid_ep(c);
        case FlexBackend::ncclep:
            return {};
    }
    return {};
}

}  // namespace megamem::detailed

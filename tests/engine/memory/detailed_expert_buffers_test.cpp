// Buffers of DeepEP and HybridEP, which torch doesn't count: sums by hand from their sources.
#include <catch2/catch_test_macros.hpp>

#include "engine/support/reports.h"
#include "engine/support/scenarios.h"

namespace megamem {

using test::bytes_of;
using test::with;

namespace {

// h 1024, Ts = 1024 tokens, 16 experts.
Scenario flex(std::string_view settings) {
    return with(with(test::clean_moe(), "moe_token_dispatcher_type=flex"), settings);
}

Bytes buffers(std::string_view settings) {
    return bytes_of(test::detailed_rank(flex(settings)), "expert_buffers", Kind::reserve);
}

}  // namespace

TEST_CASE("DeepEP: NVLink buffers of a node, RDMA buffers of several", "[memory][detailed]") {
    // 10 channels; 256 tokens of 2 x 1024 bytes, 8 of source, 128 x 12 of experts, 512 of scales: 4104 bytes.
    // EP 4: + (2 x 1 + 3) ints; 32 MiB of workspace (config.hpp:47-70@v1.2.1).
    constexpr std::int64_t kNear = 10 * 4 * (256 * 4104 + 20);
    CHECK(buffers("") == kNear + 32 * kMiB);
    // EP 16: two nodes of 8; 288 tokens over NVLink, 140 over RDMA (128 to a multiple of 20), both ways, with
    // 16 bytes more each (config.hpp:72-98).
    constexpr std::int64_t kNear16 = 10 * 8 * (288 * 4104 + (2 * 2 + 3) * 4);
    constexpr std::int64_t kFar16 = 2 * 10 * 2 * (140 * 4120 + 18 * 4);
    CHECK(buffers("expert_model_parallel_size=16 nodes=4") == kNear16 + kFar16 + 32 * kMiB);
    // Outside torch: in the total, in no peak that torch reports.
    const Totals with_buffers = test::detailed_rank(flex("")).totals;
    const Totals without = test::detailed_rank(flex("moe_flex_dispatcher_backend=ncclep")).totals;
    CHECK(with_buffers.peak_reserved == without.peak_reserved);
    CHECK(with_buffers.total == without.total + buffers(""));
    CHECK(bytes_of(test::detailed_rank(test::clean_moe()), "expert_buffers") == 0);
}

TEST_CASE("HybridEP: room for every token of the group", "[memory][detailed]") {
    // intranode.cu:186-262@94a9f8f: 1024 x 4 tokens of 2 x 1024 bytes, fp32 probabilities of 4 local experts
    // for 4 ranks, and 1024 / 128 fp32 scales.
    CHECK(buffers("moe_flex_dispatcher_backend=hybridep") == 1024 * 4 * (2048 + 4 * 4 * 4 + 8 * 4));
    // 16 ranks on two nodes of 8, one expert each: and what goes to the other node (internode_doca.cu).
    const std::int64_t probabilities = 4 * 1 * 8;
    const std::int64_t far =
        (2048 + probabilities * 2 + 32) + (2048 + probabilities + 32) + 2 * (2048 + probabilities);
    CHECK(buffers("moe_flex_dispatcher_backend=hybridep expert_model_parallel_size=16 nodes=4") ==
          1024 * 16 * (2048 + probabilities + 32) + 1024 * far);
    // One NVLink domain holds them all on a GB200 rack.
    CHECK(buffers("moe_flex_dispatcher_backend=hybridep expert_model_parallel_size=16 nodes=4 gpu=GB200") ==
          1024 * 16 * (2048 + 4 * 1 * 16 + 32));
}

}  // namespace megamem

#include "model/sizes.h"

#include <catch2/catch_test_macros.hpp>

#include "engine/support/problems.h"
#include "engine/support/scenarios.h"

namespace megamem {

using test::with;

namespace {

Sizes sizes(const Scenario& scenario) {
    Problems problems;
    Assumptions assumptions;
    const auto out = resolve(scenario, problems, assumptions);
    INFO(test::shown(problems));
    REQUIRE(out);
    return sizes_of(scenario, *out);
}

}  // namespace

TEST_CASE("Groups of clean_moe: 16 GPUs, TP 2, PP 2, EP 4, ETP 1", "[model][sizes]") {
    const Sizes z = sizes(test::clean_moe());
    CHECK(z.dp == 16 / (2 * 2));
    CHECK(z.edp == 16 / (1 * 4 * 2));
    CHECK(z.dense_shards == 4);
    CHECK(z.expert_shards == 2);
    CHECK(z.experts_local == 4);
    CHECK(z.micro_batches == 32 / 4);
    CHECK(z.h == 1024);
    CHECK(z.n_local == 8);
    CHECK(z.g_local == 4);
    CHECK(z.separate_experts);
}

TEST_CASE("CP joins the group that shares dense states, and splits tokens", "[model][sizes]") {
    const Sizes z = sizes(with(test::clean_moe(), "context_parallel_size=2"));
    CHECK(z.dp == 2);
    CHECK(z.dense_shards == 4);
    CHECK(z.tokens == 2048 / 2);
    CHECK(z.local_tokens == 2048 / 2 / 2);
    const Sizes two = sizes(with(test::clean_moe(), "num_distributed_optimizer_instances=2"));
    CHECK(two.dense_shards == 2);
    CHECK(two.expert_shards == 1);
}

TEST_CASE("Sequence parallelism needs TP", "[model][sizes]") {
    CHECK(sizes(with(test::clean_dense(), "sequence_parallel=1")).local_tokens == 128);
    const Scenario tp = with(test::clean_dense(), "tensor_model_parallel_size=4");
    CHECK(sizes(tp).local_tokens == 128);
    CHECK(sizes(with(tp, "sequence_parallel=1")).local_tokens == 32);
    // A hidden tensor: 2 bytes, or 4 in fp32
    CHECK(sizes(tp).hidden_bytes() == 2 * 128 * 512);
    CHECK(sizes(with(tp, "precision=fp32 sequence_parallel=1")).hidden_bytes() == 4 * 32 * 512);
}

TEST_CASE("Fewer groups than TP: each GPU has one", "[model][sizes]") {
    const Sizes z = sizes(with(test::clean_dense(), "num_query_groups=2 tensor_model_parallel_size=8"));
    CHECK(z.n_local == 1);
    CHECK(z.g_local == 1);
}

TEST_CASE("Words are padded to a multiple of the divisor and TP", "[model][sizes]") {
    // vocab_utils.py:39-62@d98e8a64; GPT-2's 50257 words become 50304 with TP 1 and 51200 with TP 8.
    const Scenario gpt2 = with(test::clean_dense(), "vocab_size=50257");
    CHECK(sizes(gpt2).vocab_local == 50304);
    CHECK(sizes(with(gpt2, "tensor_model_parallel_size=8")).vocab_local == 51200 / 8);
    CHECK(sizes(with(gpt2, "make_vocab_size_divisible_by=1")).vocab_local == 50257);
}

TEST_CASE("Tokens that a GPU's experts get", "[model][sizes]") {
    // Ts = 1024, top 4; with ETP 2 the group's tokens are gathered. EP changes nothing.
    CHECK(sizes(test::clean_moe()).routed == 1024 * 4);
    CHECK(sizes(with(test::clean_moe(), "expert_model_parallel_size=8")).routed == 1024 * 4);
    CHECK(sizes(with(test::clean_moe(), "expert_tensor_parallel_size=2")).routed == 1024 * 4 * 2);
    CHECK(sizes(with(test::clean_moe(), "moe_load_factor=1.25")).routed == 1024 * 5);
    // moe_utils.py:248-266@d98e8a64: capacity ceil(1024 4 / 16 c), of 4 local experts from 4 ranks
    CHECK(sizes(with(test::clean_moe(), "moe_expert_capacity_factor=1.5 moe_pad_expert_input_to_capacity=1"))
              .routed == 384 * 4 * 4);
    CHECK(sizes(with(test::clean_moe(), "moe_expert_capacity_factor=0.5")).routed == 128 * 4 * 4);
    CHECK(sizes(with(test::clean_moe(), "moe_expert_capacity_factor=2")).routed == 1024 * 4);
    // Not whole: ceil(1024 4 0.9999 / 16) = ceil(255.97) = 256
    CHECK(
        sizes(with(test::clean_moe(), "moe_expert_capacity_factor=0.9999 moe_pad_expert_input_to_capacity=1"))
            .routed == 256 * 16);
    CHECK(sizes(test::clean_dense()).routed == 0);
}

TEST_CASE("Micro-batches of a step", "[model][sizes]") {
    CHECK(sizes(with(test::clean_dense(), "micro_batch_size=2")).micro_batches == 64 / 8 / 2);
    // Without a global batch enough to fill the pipeline
    CHECK(sizes(with(test::clean_dense(), "global_batch_size=none pipeline_model_parallel_size=4"))
              .micro_batches >= 4);
}

}  // namespace megamem

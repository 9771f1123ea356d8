// What attention keeps by backend and context parallelism, and with a gate, in sums by hand.
// TransformerEngine
// @v2.11: attention/dot_product_attention; Megatron-LM @d98e8a64.
#include <catch2/catch_test_macros.hpp>

#include "engine/support/reports.h"
#include "engine/support/scenarios.h"

namespace megamem {

using test::bytes_of;
using test::with;

namespace {

// One layer, T = 128 tokens, h = 512, 8 heads of 64: q has 128 x 512 elements, k and v as many or, with 2
// groups, a quarter.
constexpr std::int64_t T = 128;
constexpr std::int64_t kQ = 2 * T * 512;

Scenario one_layer(std::string_view settings = {}) {
    return with(with(test::clean_dense(), "num_layers=1"), settings);
}

Bytes saved(const Scenario& scenario) {
    return test::detailed_rank(scenario).totals.activation;
}

Bytes term(const Scenario& scenario, std::string_view name) {
    return bytes_of(test::detailed_rank(scenario), name, Kind::activation);
}

}  // namespace

TEST_CASE("FlashAttention copies its output where a micro-batch is more than one sample",
          "[memory][detailed]") {
    // backends.py:720-731, 1062-1083
    CHECK(term(one_layer("gpu=A100-80 micro_batch_size=2"), "attention_output_copy") == 2 * kQ);
    CHECK(term(one_layer("gpu=A100-80 micro_batch_size=1"), "attention_output_copy") == 0);
    CHECK(term(one_layer("gpu=H100-80 micro_batch_size=2"), "attention_output_copy") == 0);
    CHECK(term(one_layer("gpu=GB200 micro_batch_size=2 deterministic_mode=1"), "attention_output_copy") ==
          2 * kQ);
}

TEST_CASE("Context parallelism: a share of all, and what its exchange keeps", "[memory][detailed]") {
    const Scenario cp = one_layer("context_parallel_size=2 num_query_groups=2");
    const std::int64_t share = saved(one_layer("num_query_groups=2")) / 2;
    // p2p: keys and values once, as one tensor in place of two (context_parallel.py:1499, 1967).
    CHECK(saved(cp) == share);
    CHECK(saved(with(cp, "attention_backend=flash")) == share);
    // With FlashAttention and two samples the output is copied as without context parallelism.
    CHECK(saved(with(cp, "attention_backend=flash micro_batch_size=2")) == 2 * share + kQ);
    // Measured for plain attention without rotary embedding: one k more.
    const Scenario plain = with(
        cp, "num_query_groups=8 position_embedding_type=none micro_batch_size=2 attention_backend=flash");
    CHECK(saved(plain) == saved(with(plain, "context_parallel_size=1")) / 2 + kQ);
    CHECK(saved(with(plain, "attention_backend=fused")) ==
          saved(with(plain, "attention_backend=fused context_parallel_size=1")) / 2);
    // The all-to-all keeps its output before the exchange, from TE 2.8 (:3564-3582).
    const Scenario a2a = with(cp, "cp_comm_type=a2a");
    CHECK(saved(with(a2a, "transformer_engine_version=2.8")) == share + kQ / 2);
    CHECK(saved(with(a2a, "transformer_engine_version=2.7")) == share);
    // Between groups keys and values go round: nothing before the exchange is kept (:1967).
    CHECK(saved(with(cp, "cp_comm_type=a2a+p2p")) == share);
    // allgather: the output of both steps, and the output itself (:3010-3020).
    CHECK(saved(with(cp, "cp_comm_type=allgather")) == share + kQ / 2);
}

TEST_CASE("Context parallelism: what the backward pass exchanges", "[memory][detailed]") {
    // A narrow MLP and few words: attention's backward pass is the peak. CP 2, 2 groups: q 64 x 512 elements,
    // k and v a quarter each. MLP's tensors are freed by then: norm in and out, statistics, FC1, FC2's input.
    const Scenario s = one_layer(
        "context_parallel_size=2 num_query_groups=2 ffn_hidden_size=64 vocab_size=128 seq_length=256");
    constexpr std::int64_t kMlp = 2 * kQ + 4 * T + 3 * 2 * T * 64;
    const auto at_the_peak = [&](std::string_view settings) {
        const RankReport rank = test::detailed_rank(with(s, settings));
        CHECK(rank.peak_event == "layer_backward");
        return bytes_of(rank, "at_the_peak", Kind::transient) + kMlp;
    };
    constexpr std::int64_t kKv = kQ / 2;
    // Residual's gradient, the output's twice; q's gradient, two buffers of k, v and their gradients, and a
    // step's gradients (:2194-2199).
    CHECK(at_the_peak("") == kQ + 2 * kQ + kQ + 4 * kKv + (kQ + kKv));
    // Between groups the output and its gradient again.
    CHECK(at_the_peak("cp_comm_type=a2a+p2p") == kQ + 2 * kQ + kQ + 4 * kKv + (kQ + kKv) + 2 * kQ);
    // allgather: all ranks' k, v and their gradients; steps' gradients of 2.5 shares; three of q's size.
    CHECK(at_the_peak("cp_comm_type=allgather") == kQ + 2 * kQ + 3 * kQ + 2 * 2 * kKv + 5 * kKv / 2);
}

TEST_CASE("A gate on attention's output keeps itself and the gated output", "[memory][detailed]") {
    // attention.py:1616-1640. Grouped: a copy of the gate; plain: a view of the whole projection, q, gate, k,
    // v.
    const Scenario grouped = one_layer("num_query_groups=2");
    CHECK(saved(with(grouped, "attention_output_gate=1")) - saved(grouped) == kQ + kQ);
    CHECK(saved(one_layer("attention_output_gate=1")) - saved(one_layer()) == 4 * kQ + kQ);
}

TEST_CASE("An fp32 residual stream: what is sent, checkpointed and, by PyTorch's norms, kept",
          "[memory][detailed]") {
    const Scenario s = with(test::clean_dense(), "num_layers=6 fp32_residual_connection=1");
    CHECK(saved(with(s, "recompute_granularity=full recompute_method=uniform recompute_num_layers=2")) ==
          3 * 4 * T * 512);
    const RankReport last = test::detailed_rank(with(s, "pipeline_model_parallel_size=2"), 1);
    CHECK(bytes_of(last, "stage_inputs", Kind::held) == 2 * 4 * T * 512);
    CHECK(term(with(s, "num_layers=1"), "attention_norm_input") == 2 * T * 512);
    CHECK(term(with(s, "num_layers=1 transformer_impl=local framework_version=2026-01-15"),
               "attention_norm_input") == 4 * T * 512);
}

}  // namespace megamem

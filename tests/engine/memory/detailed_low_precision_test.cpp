// FP8 and FP4: weights, their copies and saved inputs, with scales and padding, in sums by hand. Megatron-LM
// @d98e8a64, TransformerEngine @v2.11.
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "engine/support/reports.h"
#include "engine/support/scenarios.h"

namespace megamem {

using test::bytes_of;
using test::with;

namespace {

// clean_dense's layer: h 512, 8 heads of 64, FFN 2048 with a gate, T = 128 tokens; DP 8.
constexpr std::int64_t T = 128;
constexpr std::int64_t kH = 512;
constexpr std::int64_t kLayer = 3 * 512 * 512 + 512 * 512 + 2 * 2048 * 512 + 512 * 2048;

Scenario one_layer(std::string_view settings = {}) {
    return with(with(test::clean_dense(), "num_layers=1"), settings);
}

// One MoE layer of clean_moe: TP 2 with SP, T = 2048, Ts = 1024, h = 1024, 16 experts of 512, 4 here, top 4.
Scenario one_moe_layer(std::string_view settings = {}) {
    return with(with(test::clean_moe(),
                     "num_layers=1 num_dense_layers=0 pipeline_model_parallel_size=1 nodes=1 "
                     "framework_version=2026-01-15"),
                settings);
}

Totals totals(const Scenario& scenario) {
    return test::detailed_rank(scenario).totals;
}

Bytes term(const Scenario& scenario, std::string_view name) {
    return bytes_of(test::detailed_rank(scenario), name, Kind::activation);
}

}  // namespace

TEST_CASE("Inputs of linear layers have a byte and the scales of their recipe", "[memory][detailed]") {
    // Both norm outputs and FC2's input: 128 x (512 + 512 + 2048) elements.
    constexpr std::int64_t kElements = T * (2 * kH + 2048);
    const Bytes bf16 = totals(one_layer()).activation;
    const auto less = [&](std::string_view settings) {
        return bf16 - totals(one_layer(settings)).activation;
    };
    CHECK(less("fp8_format=hybrid") == 2 * kElements - kElements);
    // MXFP8: a byte for 32 elements; blockwise: four for 128. NVFP4: half a byte and one for 16.
    CHECK(less("fp8_format=hybrid fp8_recipe=mxfp8") == 2 * kElements - kElements * 33 / 32);
    CHECK(less("fp8_format=hybrid fp8_recipe=blockwise") == 2 * kElements - kElements * 33 / 32);
    CHECK(less("fp4_format=e2m1 gpu=B200") == 2 * kElements - kElements * 9 / 16);
    // Delayed scaling, TransformerEngine before 2.6, or Megatron-LM before 781e765818 of 2025-08-19: the
    // output projection keeps a copy beside attention's output, 128 x 512.
    CHECK(less("fp8_format=hybrid fp8_recipe=delayed") == kElements - T * 512);
    CHECK(less("fp8_format=hybrid transformer_engine_version=2.5") == kElements - T * 512);
    CHECK(less("fp8_format=hybrid framework_version=2025-08-18") == kElements - T * 512);
}

TEST_CASE("Down projections of latent attention keep a copy of their input each", "[memory][detailed]") {
    const Scenario s = one_layer("multi_latent_attention=1 q_lora_rank=96 kv_lora_rank=48");
    CHECK(term(with(s, "fp8_format=hybrid"), "attention_norm_output") == 2 * T * kH);
    CHECK(term(with(s, "fp8_format=hybrid fp8_recipe=mxfp8"), "attention_norm_output") ==
          2 * T * kH * 33 / 32);
    CHECK(term(with(s, "fp8_format=hybrid fp8_recipe=mxfp8"), "compressed_q") == T * 96 * 33 / 32);
}

TEST_CASE("A MoE layer in FP8", "[memory][detailed]") {
    // 4 local experts with half of 15 missing tokens on average: 30 more than 4096. The norm before the
    // router stays bf16, and the shared expert keeps that input, no copy.
    constexpr std::int64_t kN = 4096 + 30;
    const Scenario s = one_moe_layer("fp8_format=hybrid");
    CHECK(term(s, "mlp_norm_output") == 2 * 1024 * 1024);
    CHECK(term(s, "dispatched_tokens") == kN * 1024);
    CHECK(term(s, "expert_fc1_output") == 2 * kN * 2 * 512);
    CHECK(term(s, "expert_fc2_input") == kN * 512);
    CHECK(term(s, "shared_fc2_input") == 2048 * 512 / 2);
    CHECK(term(s, "shared_fc1_input") == 0);
    CHECK(term(with(s, "framework_version=2025-08-18"), "shared_fc1_input") == 1024 * 1024);
    // 31 for MXFP8: 62; 127 for FP4: 254
    CHECK(term(with(s, "fp8_recipe=mxfp8"), "dispatched_tokens") == (4096 + 62) * 1024 * 33 / 32);
    CHECK(term(one_moe_layer("fp4_format=e2m1 gpu=B200"), "dispatched_tokens") ==
          (4096 + 254) * 1024 * 9 / 16);
    // Padded by the router: each of 16 experts on each rank that sends, so 16 x 15 / 2.
    CHECK(term(with(s, "moe_router_padding_for_quantization=1"), "dispatched_tokens") == (4096 + 120) * 1024);
    CHECK(term(one_moe_layer("moe_router_padding_for_quantization=1"), "dispatched_tokens") ==
          2 * 4096 * 1024);
    // Latent experts: the first projection's copy of the router's input, and the second's input.
    const Scenario latent = with(s, "moe_latent_size=256");
    CHECK(term(latent, "latent_input") == 1024 * 1024);
    CHECK(term(latent, "latent_output") == 1024 * 256);
}

TEST_CASE("A rank's budget sizes what HybridEP and NCCL-EP receive", "[memory][detailed]") {
    // int(1024 x 4 x 1.3) = 5324, to a multiple of 32: 5344 (token_dispatcher.py:1098-1110).
    const Scenario s = one_moe_layer(
        "moe_token_dispatcher_type=flex moe_flex_dispatcher_backend=hybridep "
        "moe_expert_rank_capacity_factor=1.3 moe_load_factor=2");
    CHECK(term(s, "dispatched_tokens") == 2 * 5324 * 1024);
    CHECK(term(with(s, "fp8_format=hybrid fp8_recipe=mxfp8"), "dispatched_tokens") == 5344 * 1024 * 33 / 32);
    CHECK(term(with(s, "moe_flex_dispatcher_backend=deepep"), "dispatched_tokens") == 2 * 2 * 4096 * 1024);
}

TEST_CASE("Weights in FP8 and FP4 have scales too", "[memory][detailed]") {
    const Totals bf16 = totals(one_layer("gpu=B200"));
    // MXFP8: 33/32 of a byte, twice; as primary weights once in place of 2 bytes.
    CHECK(totals(one_layer("gpu=B200 fp8_format=hybrid fp8_recipe=mxfp8")).fp8_cache == 2 * kLayer * 33 / 32);
    const Totals mx = totals(one_layer("gpu=B200 fp8_format=hybrid fp8_recipe=mxfp8 fp8_param_gather=1"));
    CHECK(mx.weight == bf16.weight - 2 * kLayer + kLayer * 33 / 32);
    CHECK(mx.fp8_cache == kLayer * 33 / 32);
    // Blockwise: 4 bytes for 128 x 128.
    CHECK(totals(one_layer("fp8_format=hybrid fp8_recipe=blockwise")).fp8_cache ==
          2 * (kLayer + kLayer / 4096));
    // NVFP4: half a byte and one for 16 elements.
    CHECK(totals(one_layer("gpu=B200 fp4_format=e2m1")).fp8_cache == 2 * kLayer * 9 / 16);
    const Totals fp4 = totals(one_layer("gpu=B200 fp4_format=e2m1 fp4_param_gather=1"));
    CHECK(fp4.weight == bf16.weight - 2 * kLayer + kLayer * 9 / 16);
    CHECK(fp4.fp8_cache == kLayer * 9 / 16);
}

TEST_CASE("First and last layers in bf16", "[memory][detailed]") {
    // 4 layers: of 3 a layer has no copies and a bf16 layer's saved tensors.
    const Scenario s = with(test::clean_dense(), "fp8_format=hybrid");
    const Bytes low = totals(one_layer("fp8_format=hybrid")).activation;
    const Bytes high = totals(one_layer()).activation;
    const Totals two = totals(with(s, "first_last_layers_bf16=1"));
    CHECK(two.fp8_cache == 2 * 2 * kLayer);
    CHECK(two.activation == 2 * low + 2 * high);
    const Totals three = totals(with(s, "first_last_layers_bf16=1 num_layers_at_start_in_bf16=2"));
    CHECK(three.fp8_cache == 2 * kLayer);
    CHECK(three.activation == low + 3 * high);
    const Totals primary =
        totals(with(s, "first_last_layers_bf16=1 num_layers_at_end_in_bf16=0 fp8_param_gather=1"));
    CHECK(primary.weight == totals(test::clean_dense()).weight - 3 * kLayer);
    // On their own stages only: PP 4 has them on the first and the last rank.
    const Report report = test::detailed(with(s, "pipeline_model_parallel_size=4 first_last_layers_bf16=1"));
    CHECK(report.ranks[0].totals.fp8_cache == 0);
    CHECK(report.ranks[1].totals.fp8_cache == 2 * kLayer);
    CHECK(report.ranks[3].totals.fp8_cache == 0);
    // Delayed scaling can't (transformer_config.py:1529).
    const Report refused = estimate(with(s, "first_last_layers_bf16=1 fp8_recipe=delayed"), Method::detailed);
    CHECK(test::shown(refused.problems).find("first_last_layers_bf16") != std::string::npos);
}

}  // namespace megamem

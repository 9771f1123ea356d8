// What a stage keeps beside its layers' own tensors: MTP, checkpoints, and what goes to host memory.
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "engine/support/reports.h"
#include "engine/support/scenarios.h"

namespace megamem {

using test::bytes_of;
using test::with;

namespace {

// One layer, T = 128 tokens, h = 512, 8 heads of 64, FFN 2048 with a gate.
constexpr std::int64_t T = 128;
constexpr std::int64_t kHidden = 2 * T * 512;

Scenario layers(std::string_view settings) {
    return with(test::clean_dense(), settings);
}

Bytes saved(const Scenario& scenario) {
    return test::detailed_rank(scenario).totals.activation;
}

}  // namespace

TEST_CASE("An MTP depth is a layer and six hidden tensors", "[memory][detailed]") {
    // multi_token_prediction.py@d98e8a64: inputs and outputs of two norms, the projection's doubled input,
    // and the final norm's input; the hidden states that depths start from are shared.
    const std::int64_t layer = saved(layers("num_layers=1"));
    CHECK(saved(layers("num_layers=1 mtp_num_layers=1")) == 2 * layer + 6 * kHidden);
    CHECK(saved(layers("num_layers=1 mtp_num_layers=2")) == 3 * layer + 6 * kHidden + 5 * kHidden);
    // Uniform recompute: each depth keeps its two inputs and the hidden states; block leaves it as it is.
    CHECK(saved(layers("num_layers=1 mtp_num_layers=1 recompute_granularity=full recompute_method=uniform "
                       "recompute_num_layers=1")) == kHidden + 2 * kHidden + kHidden);
    CHECK(saved(layers("num_layers=1 mtp_num_layers=1 recompute_granularity=full recompute_method=block "
                       "recompute_num_layers=1")) == kHidden + layer + 6 * kHidden);
}

TEST_CASE("An empty chunk at the end leaves the peak to the chunk before", "[memory][detailed]") {
    // Rank 0 holds "Ett" and an empty stage. A layer's backward pass holds at least the gradients of its
    // output and of FC1's.
    const RankReport rank = test::detailed_rank(
        layers("pipeline_model_parallel_size=2 pipeline_model_parallel_layout=Ett|tt||L"), 0);
    REQUIRE(rank.chunks == std::vector<std::string>{"Ett", ""});
    CHECK(rank.peak_event == "layer_backward");
    CHECK(bytes_of(rank, "at_the_peak", Kind::transient) >= kHidden + 2 * T * 2 * 2048);
}

TEST_CASE("Fine-grained offloading takes a module's inputs, but the last ones", "[memory][detailed]") {
    const auto less = [](std::string_view modules, std::string_view settings) {
        const Scenario s = layers(settings);
        const std::string offload = "fine_grained_activation_offloading=1 offload_modules=";
        return saved(s) - saved(with(s, offload + std::string(modules)));
    };
    // Each of q, k and v has 128 x 512 = 65536 elements. Three layers: the last one's stay for its backward.
    CHECK(less("core_attn", "num_layers=3 min_offloaded_tensor_size=65536") == 2 * 3 * kHidden);
    CHECK(less("core_attn", "num_layers=3 min_offloaded_tensor_size=65537") == 0);
    CHECK(less("core_attn", "num_layers=1 min_offloaded_tensor_size=1") == 0);
    CHECK(less("core_attn,attn_proj", "num_layers=3 min_offloaded_tensor_size=65536") == 2 * 4 * kHidden);
    // QKV's: the norm's input and output
    CHECK(less("qkv_linear", "num_layers=3 min_offloaded_tensor_size=65536") == 2 * 2 * kHidden);
    // MoE's modules mean nothing to dense layers.
    CHECK(less("expert_fc1,moe_act,mlp_norm", "num_layers=3 min_offloaded_tensor_size=1") == 0);
}

TEST_CASE("A share of the groups, and more bytes on later ranks, stay on the GPU", "[memory][detailed]") {
    const std::string offload =
        "fine_grained_activation_offloading=1 min_offloaded_tensor_size=1 "
        "offload_modules=core_attn,attn_proj ";
    const Scenario s = layers("num_layers=4");
    const auto less = [&](const std::string& settings) {
        return saved(s) - saved(with(s, offload + settings));
    };
    // 4 layers of two groups, q, k, v and the output; the last of each name stays anyhow, so 6 are eligible.
    CHECK(less("") == 3 * 4 * kHidden);
    // int(6 x 0.5) = 3 later ones stay: the output of layer 1, both of layer 2; int(6 x 0.25) = 1: the last.
    CHECK(less("activation_offload_fraction=0.5") == 3 * kHidden + kHidden + 3 * kHidden);
    CHECK(less("activation_offload_fraction=0.75") == (3 * 4 - 1) * kHidden);
    CHECK(less("activation_offload_fraction=0.9") == 3 * 4 * kHidden);  // int(0.6) = 0
    CHECK(less("activation_offload_fraction=0") == 0);
    // fine_grained_activation_offload.py:640-648: rank 1 keeps two hidden tensors' bytes, in whole groups:
    // the first, of three.
    const Scenario pipeline = with(s, offload + "pipeline_model_parallel_size=2 num_layers=8 ");
    const std::string delta = "delta_offload_bytes_across_pp_ranks=" + std::to_string(2 * kHidden);
    const auto kept = [&](std::size_t rank) {
        return bytes_of(test::detailed_rank(with(pipeline, delta), rank), "kept_for_balance");
    };
    CHECK(kept(0) == 0);
    CHECK(kept(1) == 3 * kHidden);
}

TEST_CASE("Depths that share one layer share its weights", "[memory][detailed]") {
    // gpt_layer_specs.py:779
    const RankReport one = test::detailed_rank(layers("num_layers=1 mtp_num_layers=1"));
    const RankReport shared =
        test::detailed_rank(layers("num_layers=1 mtp_num_layers=2 mtp_use_repeated_layer=1"));
    CHECK(shared.totals.weight == one.totals.weight);
    CHECK(shared.totals.activation ==
          test::detailed_rank(layers("num_layers=1 mtp_num_layers=2")).totals.activation);
}

TEST_CASE("Offloading of whole layers takes large tensors of TransformerEngine's modules",
          "[memory][detailed]") {
    // 256 Ki elements at least (TE cpu_offload_v1.py): FC1's output, 128 x 4096, and FC2's input, 128 x 2048;
    // hidden tensors of 65536 elements stay.
    const Scenario s = layers("num_layers=3");
    CHECK(saved(s) - saved(with(s, "cpu_offloading_num_layers=2")) == 2 * (2 * T * 4096 + 2 * T * 2048));
    CHECK(saved(s) - saved(with(s, "cpu_offloading_num_layers=99")) == 3 * (2 * T * 4096 + 2 * T * 2048));
    CHECK(saved(with(s, "cpu_offloading_num_layers=0")) == saved(s));
}

TEST_CASE("Checkpoints of a MoE layer leave a leaf and its gradient with the dispatcher",
          "[memory][detailed]") {
    // Two MoE layers on rank 0 of clean_moe, Ts 1024, h 1024.
    constexpr std::int64_t kLeaf = 2 * 2 * 1024 * 1024;
    const auto leaves = [](std::string_view settings) {
        return bytes_of(test::detailed_rank(with(test::clean_moe(), settings)), "retained_leaves",
                        Kind::held);
    };
    CHECK(leaves("") == 0);
    CHECK(leaves("recompute_granularity=selective recompute_modules=moe") == 2 * kLeaf);
    CHECK(leaves("overlap_moe_expert_parallel_comm=1") == 2 * kLeaf);
    CHECK(leaves("recompute_granularity=full recompute_method=uniform recompute_num_layers=1") == 2 * kLeaf);
    CHECK(leaves("recompute_granularity=full recompute_method=uniform recompute_num_layers=2") == kLeaf);
    CHECK(leaves("recompute_granularity=selective recompute_modules=moe_act") == 0);
}

}  // namespace megamem

// Which pass of the schedule has the peak, and where offloaded groups are then.
#include <catch2/catch_test_macros.hpp>

#include "engine/support/reports.h"
#include "engine/support/scenarios.h"

namespace megamem {

using test::bytes_of;
using test::with;

namespace {

// T = 128 tokens, h = 512, 8 heads; one micro-batch's tensors.
constexpr std::int64_t T = 128;
constexpr std::int64_t kHidden = 2 * T * 512;
constexpr std::int64_t kScores = 8 * T * T;  // entries

Scenario layers(std::string_view settings) {
    return with(test::clean_dense(), settings);
}

}  // namespace

TEST_CASE("Uneven chunks peak where the large one has most alive", "[memory][detailed]") {
    // Rank 1 holds eight layers and the head alone. Its schedule: F0.0 F0.1 F1.0 B1.0 F1.1 B1.1 F0.2 B0.0
    // ...: three micro-batches of the first chunk are alive when its first backward pass begins, two at the
    // loss.
    const RankReport rank = test::detailed_rank(
        layers("num_layers=10 pipeline_model_parallel_size=2 pipeline_model_parallel_layout=Et|tttttttt|t|L"),
        1);
    REQUIRE(rank.chunks == std::vector<std::string>{"tttttttt", "L"});
    CHECK(rank.in_flight == std::vector<std::int64_t>{2, 1});  // as many, when it is so for the first time
    CHECK(rank.peak_event == "layer_backward");
    CHECK(rank.totals.activation == 3 * test::detailed_rank(layers("num_layers=8")).totals.activation);
}

TEST_CASE("Like chunks peak at the first loss", "[memory][detailed]") {
    const RankReport rank = test::detailed_rank(
        layers("num_layers=8 pipeline_model_parallel_size=2 num_virtual_stages_per_pipeline_rank=2"), 1);
    CHECK(rank.in_flight == std::vector<std::int64_t>{2, 1});
    CHECK(rank.peak_event == "cross_entropy");
}

TEST_CASE("The next backward pass finds its last offloaded groups on the GPU, probabilities twice",
          "[memory][detailed]") {
    // Two layers a rank; rank 0 has two micro-batches in flight. The softmax and the product after it each
    // save the probabilities (fine_grained_activation_offload.py:818-836, 893-910@4e85d74a).
    const std::string settings =
        "num_layers=4 pipeline_model_parallel_size=2 attention_backend=unfused min_offloaded_tensor_size=1 "
        "fine_grained_activation_offloading=1 offload_modules=core_attn";
    const RankReport first = test::detailed_rank(layers(settings), 0);
    CHECK(first.in_flight == std::vector<std::int64_t>{2});
    CHECK(bytes_of(first, "scores", Kind::activation) == 2 * (2 * kScores));
    CHECK(bytes_of(first, "q", Kind::activation) == kHidden);
    // The last rank turns around at once: the last group was never sent away.
    const RankReport last = test::detailed_rank(layers(settings), 1);
    CHECK(bytes_of(last, "scores", Kind::activation) == 2 * kScores);
    // With dropout the product saves another tensor than the softmax, with a mask of a byte: 5 bytes an
    // entry.
    const RankReport dropout = test::detailed_rank(layers(settings + " attention_dropout=0.1"), 0);
    CHECK(bytes_of(dropout, "scores", Kind::activation) == 5 * kScores);
    // Fused attention keeps no scores.
    const RankReport fused = test::detailed_rank(layers(settings + " attention_backend=auto"), 0);
    CHECK(bytes_of(fused, "scores", Kind::activation) == 0);
}

TEST_CASE("Unfused attention's forward pass holds the products beside the probabilities",
          "[memory][detailed]") {
    // One layer, its probabilities made again in the backward pass: they and their gradient, or they and the
    // products of the forward pass made again, are what the peak holds.
    const Scenario s = layers(
        "num_layers=2 pipeline_model_parallel_size=2 attention_backend=unfused "
        "recompute_granularity=selective "
        "recompute_modules=core_attn seq_length=4096 ");
    const RankReport rank = test::detailed_rank(s, 0);
    CHECK(bytes_of(rank, "scores", Kind::activation) == 0);
    // Two copies of 2 bytes x 8 heads x 4096 x 4096 at least.
    CHECK(bytes_of(rank, "at_the_peak", Kind::transient) >= 2 * (2LL * 8 * 4096 * 4096) - 64 * kHidden * 32);
}

}  // namespace megamem

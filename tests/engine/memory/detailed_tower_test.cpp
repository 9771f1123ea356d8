// What a vision tower saves and holds, counted by hand for small towers.
#include <rapidcheck.h>

#include <catch2/catch_test_macros.hpp>
#include <map>

#include "engine/support/assumptions.h"
#include "engine/support/generators.h"
#include "engine/support/reports.h"
#include "engine/support/scenarios.h"

namespace megamem {

using test::bytes_of;
using test::with;

namespace {

// 3 layers of 64, 4 heads of 16, FFN 256; the language model is clean_dense: h 512, DP 8, one micro-batch in
// flight.
Scenario tower(const std::string& settings) {
    return with(with(test::clean_dense(),
                     "vision_num_layers=3 vision_hidden_size=64 vision_ffn_hidden_size=256 "
                     "vision_num_attention_heads=4 vision_patch_dim=14 vision_projector_ffn_hidden_size=128"),
                settings);
}

Bytes vision_activations(const RankReport& rank) {
    Bytes sum = 0;
    for (const LineItem& item : rank.items)
        sum += item.part == Part::vision && item.kind == Kind::activation ? item.bytes : 0;
    return sum;
}

RankReport rank_of(const std::string& settings, std::size_t rank = 0) {
    return test::detailed_rank(tower(settings), rank);
}

}  // namespace

TEST_CASE("CLIP's saved tensors", "[memory][detailed][vision]") {
    // One image of 28 x 28: 4 patches and a class token; LayerNorm keeps 8 bytes a token.
    const RankReport rank =
        rank_of("vision_model_type=clip img_h=28 img_w=28 vision_patches_per_micro_batch=4");
    const Bytes t = 5;
    CHECK(bytes_of(rank, "vision/patch_input") == 2 * 3 * 14 * 14 * 4);
    CHECK(bytes_of(rank, "vision/pre_norm") == t * (2 * 64 + 8));
    CHECK(bytes_of(rank, "vision/norms", Kind::activation) == 3 * 2 * t * (4 * 64 + 8));
    CHECK(bytes_of(rank, "vision/attention", Kind::activation) == 3 * t * 2 * 4 * 64);
    CHECK(bytes_of(rank, "vision/log_sum_exp") == 3 * t * 4 * 4);
    CHECK(bytes_of(rank, "vision/mlp", Kind::activation) == 3 * t * 256 * 4);
    // Its norm's input and output, RMSNorm as the language model has; FC1's output and FC2's input.
    CHECK(bytes_of(rank, "vision/projector_tensors") == t * (2 * 64 + 4 + 2 * 64 + 4 * 128));
    CHECK(bytes_of(rank, "vision/layer_scale") == 0);
    CHECK(bytes_of(rank, "vision/post_norm") == 0);
}

TEST_CASE("What sets InternViT apart", "[memory][detailed][vision]") {
    const RankReport rank =
        rank_of("vision_model_type=internvit img_h=28 img_w=28 vision_patches_per_micro_batch=4");
    const Bytes t = 5;
    // Norms in PyTorch's operators: fp32 copy, normalised input, output, and one factor a token.
    CHECK(bytes_of(rank, "vision/norms", Kind::activation) == 3 * 2 * t * ((4 + 2 + 2) * 64 + 4));
    CHECK(bytes_of(rank, "vision/qk_norms") == 3 * 2 * t * (4 + 4 + 2) * 64);
    CHECK(bytes_of(rank, "vision/layer_scale") == 3 * 2 * t * 2 * 64);
    // On 8 GPUs of TP, 4 heads become 8: half of the GPUs have a dummy.
    const RankReport split = rank_of(
        "vision_model_type=internvit img_h=28 img_w=28 vision_patches_per_micro_batch=4 "
        "tensor_model_parallel_size=8");
    CHECK(bytes_of(split, "vision/attention", Kind::activation) == 3 * t * 2 * 4 * 8 * 16 / 8);
}

TEST_CASE("What sets Qwen's encoders apart", "[memory][detailed][vision]") {
    // 16 patches of 2 frames; no class token; 4 merged tokens of 4 x 64.
    const std::string settings =
        "vision_patches_per_micro_batch=16 vision_projector_ffn_hidden_size=256 vision_model_type=";
    const RankReport three = rank_of(settings + "qwen3_vl");
    CHECK(bytes_of(three, "vision/patch_input") == 2 * 3 * 2 * 14 * 14 * 16);
    CHECK(bytes_of(three, "vision/rotary_tables") == 3 * 4 * 4 * 16 * 16);
    CHECK(bytes_of(three, "vision/merger", Kind::activation) == 16 * (4 * 64 + 8) + 2 * 2 * 4 * 256);
    CHECK(bytes_of(three, "vision/deepstack") == 3 * (16 * 2 * 64 + 4 * 8 + 2 * 2 * 4 * 256));
    CHECK(bytes_of(three, "vision/projector_tensors") == 0);
    CHECK(bytes_of(rank_of(settings + "qwen3_vl vision_num_deepstack_mergers=0"), "vision/deepstack") == 0);

    const RankReport two = rank_of(settings + "qwen2_5_vl");
    CHECK(bytes_of(two, "vision/rotary_tables") == 2 * 4 * 16 * 16);
    CHECK(bytes_of(two, "vision/attention", Kind::activation) == 3 * 16 * 2 * 7 * 64);
    CHECK(bytes_of(two, "vision/mlp", Kind::activation) == 3 * 16 * 256 * 8);
    CHECK(bytes_of(two, "vision/deepstack") == 0);
    // transformers' module is whole on every TP rank; Megatron-Bridge's Qwen3-VL is not.
    const std::string split = " tensor_model_parallel_size=4";
    CHECK(vision_activations(rank_of(settings + "qwen2_5_vl" + split)) == vision_activations(two));
    CHECK(vision_activations(rank_of(settings + "qwen3_vl" + split)) < vision_activations(three));
}

TEST_CASE("Unfused attention keeps scores of each image, not of the micro-batch",
          "[memory][detailed][vision]") {
    const RankReport rank = rank_of(
        "vision_model_type=siglip img_h=28 img_w=28 vision_patches_per_micro_batch=12 "
        "attention_backend=unfused");
    // 3 images of 4 patches, 4 heads.
    CHECK(bytes_of(rank, "vision/scores") == 3 * 2 * 4 * 12 * 4);
    CHECK(bytes_of(rank, "vision/log_sum_exp") == 0);
    CHECK(bytes_of(rank, "vision/post_norm") == 12 * (2 * 64 + 8));
}

TEST_CASE("The tower is on the first stage, for its micro-batches in flight", "[memory][detailed][vision]") {
    const std::string settings = "vision_model_type=radio img_h=448 vision_patches_per_micro_batch=64 ";
    const Scenario piped = with(tower(settings), "pipeline_model_parallel_size=4 global_batch_size=64");
    const Report report = test::detailed(piped);
    const Bytes one = vision_activations(rank_of(settings));
    CHECK(report.ranks[0].in_flight == std::vector<std::int64_t>{4});
    CHECK(vision_activations(report.ranks[0]) == 4 * one);
    for (std::size_t rank = 1; rank < 4; ++rank)
        CHECK(report.ranks[rank].totals.vision == 0);
    // Neither sequence nor context parallelism reaches into it.
    CHECK(vision_activations(rank_of(settings + "context_parallel_size=2")) == one);
    CHECK(vision_activations(rank_of(settings + "tensor_model_parallel_size=2")) ==
          vision_activations(rank_of(settings + "tensor_model_parallel_size=2 sequence_parallel=1")));
}

TEST_CASE("Frozen parts keep their weights only", "[memory][detailed][vision]") {
    const std::string clip = "vision_model_type=clip img_h=28 img_w=28 vision_patches_per_micro_batch=4 ";
    const auto states = [](const RankReport& rank, Part part) {
        std::map<Kind, Bytes> sums;
        for (const LineItem& item : rank.items)
            if (item.part == part) sums[item.kind] += item.bytes;
        return sums;
    };
    const RankReport trained = rank_of(clip);
    const RankReport encoder = rank_of(clip + "frozen=vision");
    const RankReport all = rank_of(clip + "frozen=vision freeze_vision_projection=1");
    CHECK(states(encoder, Part::vision)[Kind::weight] == states(trained, Part::vision)[Kind::weight]);
    // 64 + 64 x 128 + 128 x 512 of the projector: 4 bytes of gradient, 12 / 8 of states.
    CHECK(states(encoder, Part::vision)[Kind::grad] == 4 * (64 + 64 * 128 + 128 * 512));
    CHECK(states(encoder, Part::vision)[Kind::optimizer] == 64 + 64 * 128 + 128 * 512);
    CHECK(vision_activations(encoder) == bytes_of(trained, "vision/projector_tensors"));
    CHECK(states(all, Part::vision)[Kind::grad] == 0);
    CHECK(vision_activations(all) == 0);

    // The projector's frozen weights need no inputs, and its gradient still passes through.
    const RankReport projector = rank_of(clip + "freeze_vision_projection=1");
    CHECK(bytes_of(projector, "vision/projector_tensors") == 5 * (2 * 64 + 4 + 2 * 128));

    // A frozen language model has weights only, and no dummy gradients.
    const RankReport language = rank_of(clip + "frozen=language");
    CHECK(language.totals.grad == 0);
    CHECK(language.totals.master == 0);
    CHECK(language.totals.optimizer == 0);
    CHECK(language.totals.weight == trained.totals.weight);
    CHECK(states(language, Part::vision) == states(trained, Part::vision));
    CHECK(bytes_of(language, "dummy_gradients") < bytes_of(trained, "dummy_gradients"));

    // With a frozen encoder, deepstack's mergers keep their inputs themselves.
    const std::string qwen =
        "vision_model_type=qwen3_vl vision_patches_per_micro_batch=16 vision_projector_ffn_hidden_size=256 ";
    CHECK(bytes_of(rank_of(qwen + "frozen=vision"), "vision/deepstack") -
              bytes_of(rank_of(qwen), "vision/deepstack") ==
          3 * 16 * 2 * 64);
}

TEST_CASE("A generic tower takes the same switches", "[memory][detailed][vision]") {
    const std::string settings = "vision_spatial_merge_size=2 vision_patches_per_micro_batch=16 ";
    const RankReport both = rank_of(settings + "frozen=language_and_vision");
    CHECK(bytes_of(both, "vision/layers") == 0);
    CHECK(bytes_of(both, "vision/encoder", Kind::grad) == 0);
    CHECK(bytes_of(both, "vision/projector", Kind::grad) > 0);
    CHECK(bytes_of(rank_of(settings + "freeze_vision_projection=1"), "vision/projector", Kind::grad) == 0);
    // As it was before there were types: patches of 14 x 14 x 3, attention 4 h^2, MLP 2 h f, two LayerNorms.
    CHECK(bytes_of(rank_of(settings), "vision/encoder", Kind::weight) ==
          2 * (14 * 14 * 3 * 64 + 3 * (4 * 64 * 64 + 2 * 64 * 256 + 4 * 64)));
    CHECK(bytes_of(rank_of(settings), "vision/projector", Kind::weight) == 2 * (4 * 64 + 512) * 128);
}

TEST_CASE("Recompute in the tower", "[memory][detailed][vision]") {
    const std::string clip =
        "vision_model_type=clip img_h=28 img_w=28 vision_patches_per_micro_batch=4 "
        "recompute_granularity=full recompute_num_layers=1 ";
    const Bytes input = 2 * 5 * 64;
    // Without the flag the language model's recompute stays outside.
    CHECK(bytes_of(rank_of(clip + "recompute_method=uniform"), "vision/checkpoints") == 0);
    // uniform takes the whole encoder as one piece, block each layer: the number of layers is the encoder's.
    const RankReport uniform = rank_of(clip + "recompute_method=uniform recompute_vision=1");
    CHECK(bytes_of(uniform, "vision/checkpoints") == input);
    CHECK(bytes_of(uniform, "vision/attention", Kind::activation) == 0);
    CHECK(bytes_of(rank_of(clip + "recompute_method=block recompute_vision=1"), "vision/checkpoints") ==
          3 * input);

    // Megatron-Bridge's Qwen3-VL takes the number of layers too.
    const std::string qwen =
        "vision_model_type=qwen3_vl vision_patches_per_micro_batch=16 vision_projector_ffn_hidden_size=256 "
        "recompute_granularity=full recompute_num_layers=2 recompute_method=";
    const Bytes patches = 2 * 16 * 64;
    const RankReport pieces = rank_of(qwen + "uniform");
    CHECK(bytes_of(pieces, "vision/checkpoints") == 2 * patches);
    CHECK(bytes_of(pieces, "vision/deepstack") == 0);
    const RankReport first = rank_of(qwen + "block");
    CHECK(bytes_of(first, "vision/checkpoints") == 2 * patches);
    CHECK(bytes_of(first, "vision/attention", Kind::activation) == 16 * 2 * 4 * 64);
    // What is rebuilt counts only beyond what the language model has freed by then.
    CHECK(bytes_of(uniform, "vision/rebuilt") == 0);
    CHECK(bytes_of(rank_of("vision_model_type=clip img_h=336 img_w=336 vision_patches_per_micro_batch=57600 "
                           "recompute_granularity=full recompute_method=uniform recompute_num_layers=1 "
                           "recompute_vision=1"),
                   "vision/rebuilt") > 0);
    // A frozen encoder has nothing to rebuild.
    CHECK(vision_activations(rank_of(clip + "recompute_method=uniform recompute_vision=1 frozen=vision")) ==
          bytes_of(uniform, "vision/projector_tensors"));
}

TEST_CASE("FP8 reaches into Megatron-LM's encoders", "[memory][detailed][vision]") {
    const std::string settings = "vision_patches_per_micro_batch=4096 fp8_format=hybrid vision_model_type=";
    CHECK(bytes_of(rank_of(settings + "siglip"), "vision/mlp", Kind::fp8_cache) > 0);
    CHECK(bytes_of(rank_of(settings + "siglip"), "vision/mlp", Kind::activation) == 3 * 4096 * 256 * 3);
    CHECK(bytes_of(rank_of(settings + "qwen3_vl"), "vision/mlp", Kind::fp8_cache) == 0);
    CHECK(bytes_of(rank_of(settings + "qwen3_vl"), "vision/mlp", Kind::activation) == 3 * 4096 * 256 * 4);
}

TEST_CASE("What is taken for granted about a tower is told", "[memory][detailed][vision]") {
    const auto told = [](const std::string& settings) { return test::detailed(tower(settings)); };
    const Report padded =
        told("vision_model_type=internvit vision_patches_per_micro_batch=1024 tensor_model_parallel_size=8");
    const Assumption* assumption = test::find_assumption(padded.assumptions, "detailed.vision_model_type");
    REQUIRE(assumption != nullptr);
    CHECK(test::holds(assumption->message, "4 heads are padded to 8"));
    const auto warned = [](const Report& report, std::string_view path) {
        for (const Problem& problem : report.problems)
            if (problem.severity == Severity::warning && problem.path == path) return true;
        return false;
    };
    CHECK(warned(told("vision_model_type=clip vision_patches_per_micro_batch=16 context_parallel_size=2"),
                 "vision_patches_per_micro_batch"));
    CHECK(warned(told("vision_model_type=clip vision_patches_per_micro_batch=16 recompute_vision=1"),
                 "recompute_vision"));
    CHECK(warned(told("vision_model_type=clip vision_num_layers=0"), "vision_model_type"));
    CHECK_FALSE(warned(told("vision_num_layers=0"), "vision_model_type"));
}

TEST_CASE("Properties of towers", "[memory][detailed][vision]") {
    rc::check("freezing, recomputing and sharding never cost memory; more patches never save any", [] {
        Scenario s = with(test::clean_dense(),
                          "vision_hidden_size=256 vision_num_attention_heads=16 vision_ffn_hidden_size=512 "
                          "gpus_per_node=8 num_attention_heads=16 num_query_groups=16");
        s.vision_model_type = static_cast<VisionModel>(*rc::gen::inRange(1, 10));
        test::set(s, "vision_num_layers", *rc::gen::inRange(1, 6));
        test::set(s, "vision_projector_ffn_hidden_size", 64 * *rc::gen::inRange(1, 20));
        test::set(s, "vision_patches_per_micro_batch", *rc::gen::inRange(0, 5000));
        s.vision_projection_type = *rc::gen::element(VisionProjection::mlp, VisionProjection::affine);
        s.use_distributed_optimizer = *rc::gen::arbitrary<bool>();
        s.precision = *rc::gen::element(Precision::bf16, Precision::fp16, Precision::fp32);
        const auto vision = [](const Scenario& scenario) {
            const Report report = estimate(scenario, Method::detailed);
            if (!report.valid) RC_FAIL(test::shown(report.problems));
            return report.ranks[0].totals.vision;
        };
        const Bytes before = vision(s);
        RC_ASSERT(before > 0);
        for (const Frozen frozen : {Frozen::language, Frozen::vision, Frozen::language_and_vision}) {
            Scenario other = s;
            other.frozen = frozen;
            RC_ASSERT(vision(other) <= before);
            other.freeze_vision_projection = true;
            RC_ASSERT(vision(other) <= before);
        }
        Scenario more = s;
        test::set(more, "vision_patches_per_micro_batch", *s.vision_patches_per_micro_batch + 100);
        RC_ASSERT(vision(more) >= before);
        Scenario split = s;  // dense shards are fewer, so states of a replicated tensor are not less
        split.tensor_model_parallel_size = 2;
        split.use_distributed_optimizer = false;
        Scenario unsharded = s;
        unsharded.use_distributed_optimizer = false;
        RC_ASSERT(vision(split) <= vision(unsharded));
    });
}

}  // namespace megamem

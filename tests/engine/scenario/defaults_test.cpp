#include "scenario/defaults.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "engine/support/assumptions.h"
#include "engine/support/problems.h"
#include "engine/support/scenarios.h"

namespace megamem {

using test::find_problem;
using test::holds;
using test::with;

namespace {

struct Outcome {
    std::optional<Resolved> resolved;
    Problems problems;
    Assumptions assumptions;

    bool assumes(std::string_view id) const { return test::assumes(assumptions, id); }
};

Outcome resolve_all(const Scenario& scenario) {
    Outcome out;
    out.resolved = resolve(scenario, out.problems, out.assumptions);
    return out;
}

}  // namespace

TEST_CASE("Every missing field is told at once, with its flag", "[scenario][defaults]") {
    const Outcome out = resolve_all({});
    CHECK_FALSE(out.resolved);
    std::vector<std::string> paths;
    for (const Problem& problem : out.problems) {
        CHECK(problem.code == "missing");
        CHECK(problem.severity == Severity::error);
        paths.push_back(problem.path);
    }
    std::sort(paths.begin(), paths.end());
    CHECK(paths == std::vector<std::string>{"hidden_size", "micro_batch_size", "num_attention_heads",
                                            "num_layers", "seq_length", "vocab_size"});
    CHECK(find_problem(out.problems, "missing")->message == "num_layers (--num-layers) is not given");
}

TEST_CASE("Given values are taken as they are and nothing is assumed", "[scenario][defaults]") {
    const Outcome out = resolve_all(test::clean_moe());
    REQUIRE(out.resolved);
    CHECK(out.problems.empty());
    CHECK(out.assumptions.empty());
    const Resolved& r = *out.resolved;
    CHECK(r.layers == 8);
    CHECK(r.ffn == 4096);
    CHECK(r.moe_ffn == 512);
    CHECK(r.groups == 8);
    CHECK(r.head_width == 64);
    CHECK(r.etp == 1);
    CHECK(r.world_size == 16);
    CHECK(r.tokens() == 2048);
    CHECK(r.vision.layers == 0);
}

TEST_CASE("Gaps take Megatron's defaults, and each is told", "[scenario][defaults]") {
    SECTION("ffn: 4 x hidden, and 8/3 x hidden in 64s with SwiGLU") {
        const Outcome plain = resolve_all(with(test::clean_dense(), "ffn_hidden_size=none swiglu=0"));
        CHECK(plain.resolved->ffn == 2048);
        CHECK(plain.assumes("default.ffn_hidden_size"));
        // 4 x 4096 x 2 / 3 = 10922, in 64s 10880; 512: 1365 -> 1344.
        CHECK(resolve_all(with(test::clean_dense(), "ffn_hidden_size=none hidden_size=4096")).resolved->ffn ==
              10880);
        CHECK(resolve_all(with(test::clean_dense(), "ffn_hidden_size=none")).resolved->ffn == 1344);
    }
    SECTION("groups: as many as heads") {
        const Outcome out = resolve_all(with(test::clean_dense(), "num_query_groups=none"));
        CHECK(out.resolved->groups == 8);
        CHECK(out.assumes("default.num_query_groups"));
    }
    SECTION("head width: hidden / heads") {
        const Outcome out = resolve_all(with(test::clean_dense(), "kv_channels=none"));
        CHECK(out.resolved->head_width == 64);
        CHECK(out.assumes("default.kv_channels"));
    }
    SECTION("expert width: the FFN's") {
        const Outcome out = resolve_all(with(test::clean_moe(), "moe_ffn_hidden_size=none"));
        CHECK(out.resolved->moe_ffn == 4096);
        CHECK(out.assumes("default.moe_ffn_hidden_size"));
    }
    SECTION("expert tensor parallel: TP") {
        const Outcome out = resolve_all(with(test::clean_moe(), "expert_tensor_parallel_size=none"));
        CHECK(out.resolved->etp == 2);
        CHECK(out.assumes("default.expert_tensor_parallel_size"));
    }
    SECTION("an FFN size that no layer uses is not assumed aloud") {
        const Outcome out =
            resolve_all(with(test::clean_moe(), "ffn_hidden_size=none num_dense_layers=none"));
        CHECK_FALSE(out.assumes("default.ffn_hidden_size"));
    }
}

TEST_CASE("A head width that isn't whole is an error with both numbers", "[scenario][defaults]") {
    const Outcome out = resolve_all(with(test::clean_dense(), "kv_channels=none num_attention_heads=7"));
    CHECK_FALSE(out.resolved);
    const Problem* problem = find_problem(out.problems, "head_width_not_whole");
    REQUIRE(problem != nullptr);
    CHECK(problem->message ==
          "kv_channels is not given and hidden_size 512 is not divisible by num_attention_heads 7");
}

TEST_CASE("A vision_model_type brings its published sizes", "[scenario][defaults]") {
    const auto tower = [](std::string_view settings) {
        const Outcome out = resolve_all(with(test::clean_dense(), settings));
        REQUIRE(out.resolved);
        return out.resolved->vision;
    };
    // examples/multimodal/config.py:214-233@d98e8a64; heads of 1152 / 16.
    const VisionTower siglip = tower(
        "vision_model_type=siglip vision_num_layers=27 vision_projector_ffn_hidden_size=3584 "
        "vision_patches_per_micro_batch=1024");
    CHECK(siglip.hidden == 1152);
    CHECK(siglip.ffn == 4304);
    CHECK(siglip.head_width == 72);
    CHECK(siglip.patch_side == 14);
    CHECK(siglip.image_width == 448);
    CHECK(siglip.class_tokens == 0);
    CHECK(siglip.merge_side == 1);
    // What is given stands; a merger is as wide inside as the patches that it takes.
    const VisionTower small = tower(
        "vision_model_type=qwen3_vl vision_num_layers=24 vision_hidden_size=1024 vision_ffn_hidden_size=4096 "
        "vision_patches_per_micro_batch=1024");
    CHECK(small.hidden == 1024);
    CHECK(small.head_width == 64);
    CHECK(small.projector_ffn == 4096);
    CHECK(small.merge_side == 2);
    CHECK(small.deepstack == 3);
    CHECK(small.image_height == 0);
    CHECK(tower("vision_model_type=clip vision_num_layers=1 vision_projection_type=affine "
                "vision_patches_per_micro_batch=0")
              .class_tokens == 1);
    // No type has a number of patches, nor what depends on the language model.
    const Outcome lacking =
        resolve_all(with(test::clean_dense(), "vision_num_layers=2 vision_model_type=clip"));
    CHECK_FALSE(lacking.resolved);
    CHECK(lacking.problems.size() == 2);
}

TEST_CASE("A vision tower asks for its own fields", "[scenario][defaults]") {
    const Outcome out = resolve_all(with(test::clean_dense(), "vision_num_layers=2"));
    CHECK_FALSE(out.resolved);
    CHECK(out.problems.size() == 7);
    for (const Problem& problem : out.problems) {
        CHECK(holds(problem.path, "vision_"));
        CHECK(holds(problem.message, "vision tower"));
    }
    const Outcome full = resolve_all(
        with(test::clean_dense(),
             "vision_num_layers=2 vision_hidden_size=64 vision_ffn_hidden_size=256 "
             "vision_num_attention_heads=4 vision_patch_dim=14 vision_projector_ffn_hidden_size=128 "
             "vision_spatial_merge_size=2 vision_patches_per_micro_batch=10"));
    REQUIRE(full.resolved);
    CHECK(full.resolved->vision.groups == 4);
    CHECK(full.resolved->vision.head_width == 16);
}

TEST_CASE("What the form shows greyed", "[scenario][defaults]") {
    CHECK(default_ffn_hidden_size({}) == std::nullopt);
    CHECK(default_kv_channels(512, 8) == 64);
    CHECK(default_kv_channels(512, 7) == std::nullopt);
    CHECK(default_kv_channels(512, 0) == std::nullopt);
    CHECK(default_kv_channels(std::nullopt, 8) == std::nullopt);
    CHECK(default_kv_channels(512, std::nullopt) == std::nullopt);
}

}  // namespace megamem

#include "model/vision.h"

#include <rapidcheck.h>

#include <catch2/catch_test_macros.hpp>
#include <set>
#include <string>
#include <tuple>

#include "engine/support/generators.h"
#include "engine/support/problems.h"
#include "engine/support/scenarios.h"

namespace megamem {

using test::with;

namespace {

Resolved resolved(const Scenario& scenario) {
    Problems problems;
    Assumptions assumptions;
    const auto out = resolve(scenario, problems, assumptions);
    INFO(test::shown(problems));
    REQUIRE(out);
    return *out;
}

Scenario tower(const std::string& settings) {
    return with(test::clean_dense(),
                "vision_projector_ffn_hidden_size=none vision_patches_per_micro_batch=1024 " + settings);
}

// Elements on one GPU, of the layers and of all but the projector.
struct Counted {
    Wide encoder = 0;  // with the merger, without the projector
    Wide projector = 0;
};

Counted counted(const Scenario& s) {
    const Resolved r = resolved(s);
    const Sizes z = sizes_of(s, r);
    Counted sum;
    const auto add = [&](const Tensors& tensors, Wide count) {
        for (const Tensor& t : tensors)
            (t.module == kVisionProjector ? sum.projector : sum.encoder) += t.elements() * count;
    };
    add(vision_ends(s, r, z), 1);
    add(vision_layer(s, r, z), r.vision.layers);
    add(vision_deepstack_merger(s, r, z), r.vision.deepstack);
    return sum;
}

std::int64_t encoder_of(const std::string& settings) {
    return static_cast<std::int64_t>(counted(tower(settings)).encoder);
}

// A published encoder, and what Megatron-LM leaves out of it, or adds.
struct Published {
    const char* name;
    const char* settings;
    std::int64_t parameters;
    std::int64_t left_out;
};

constexpr Published kPublished[] = {
    // openai/clip-vit-large-patch14-336, vision_model: 303,507,456, with post_layernorm (2 x 1024), which
    // clip_vit_model.py:145 leaves out.
    {"CLIP ViT-L/14-336", "vision_num_layers=24 vision_model_type=clip vision_projector_ffn_hidden_size=4096",
     303'507'456, 2 * 1024},
    // google/siglip-so400m-patch14-384, vision_model: 428,225,600, of which the pooling head has a probe, an
    // attention of 4 x (1152^2 + 1152), a norm and an MLP of the layers' sizes. 384 = 27 x 14 + 6.
    {"SigLIP SO400M/14-384",
     "vision_num_layers=27 vision_model_type=siglip img_h=378 vision_projector_ffn_hidden_size=4096",
     428'225'600, 1152 + 4 * (1152 * 1152 + 1152) + 2 * 1152 + (2 * 1152 * 4304 + 4304 + 1152)},
    // Gemma 3's SigLIP at 896 pixels: 423,060,336 with the projector of 1152 x 5376 and the norm before it
    // (the parameters by part of google/gemma-3-27b-it).
    {"SigLIP SO400M/14-896",
     "vision_num_layers=27 vision_model_type=siglip img_h=896 vision_projector_ffn_hidden_size=4096",
     423'060'336, 1152 * 5376 + 1152},
    // OpenGVLab/InternViT-300M-448px: 304.01 M on its page.
    {"InternViT-300M-448",
     "vision_num_layers=24 vision_model_type=internvit300M vision_projector_ffn_hidden_size=4096",
     304'012'288, 0},
    // OpenGVLab/InternViT-6B-448px-V1-5, 45 layers: "5540 M" on its page.
    {"InternViT-6B-448",
     "vision_num_layers=45 vision_model_type=internvit vision_projector_ffn_hidden_size=4096", 5'536'496'000,
     0},
    // Qwen/Qwen2.5-VL-7B-Instruct: 8,292,166,656 less Qwen2.5-7B's 7,615,616,512.
    {"Qwen2.5-VL-7B", "vision_num_layers=32 vision_model_type=qwen2_5_vl hidden_size=3584",
     8'292'166'656 - 7'615'616'512, 0},
    // Parameters by part of the published Qwen3-VL and Qwen3.5 models.
    {"Qwen3-VL-8B", "vision_num_layers=27 vision_model_type=qwen3_vl hidden_size=4096", 576'388'336, 0},
    {"Qwen3-VL-30B-A3B", "vision_num_layers=27 vision_model_type=qwen3_vl hidden_size=2048", 538'631'408, 0},
    {"Qwen3-VL-32B", "vision_num_layers=27 vision_model_type=qwen3_vl hidden_size=5120", 595'266'800, 0},
    {"Qwen3-VL-2B",
     "vision_num_layers=24 vision_model_type=qwen3_vl hidden_size=2048 vision_hidden_size=1024 "
     "vision_ffn_hidden_size=4096",
     406'957'056, 0},
    {"Qwen3-VL-4B",
     "vision_num_layers=24 vision_model_type=qwen3_vl hidden_size=2560 vision_hidden_size=1024 "
     "vision_ffn_hidden_size=4096",
     415'347'712, 0},
    {"Qwen3.5-27B",
     "vision_num_layers=27 vision_model_type=qwen3_vl hidden_size=5120 vision_num_deepstack_mergers=0",
     460'730'096, 0},
    {"Qwen3.5-122B-A10B",
     "vision_num_layers=27 vision_model_type=qwen3_vl hidden_size=3072 vision_num_deepstack_mergers=0",
     451'290'864, 0},
};

}  // namespace

TEST_CASE("Encoders have the published parameter counts, to the last one", "[model][vision]") {
    for (const Published& p : kPublished) {
        INFO(p.name);
        CHECK(encoder_of(p.settings) == p.parameters - p.left_out);
    }
}

TEST_CASE("RADIO's encoders, counted by hand", "[model][vision]") {
    // Embedder 3 x 16^2 x 1280, a grid of (2048/16)^2 = 16384 positions, 8 class tokens; a layer: attention
    // 4 x (1280^2 + 1280) = 6,558,720, MLP 2 x 1280 x 5120 + 5120 + 1280 = 13,113,600, norms 5,120.
    const std::int64_t h = 1280;
    const std::int64_t radio = 3 * 256 * h + 16384 * h + 8 * h + 32 * (6'558'720 + 13'113'600 + 5'120);
    const std::string settings = "vision_projector_ffn_hidden_size=4096 vision_num_layers=";
    CHECK(encoder_of(settings + "32 vision_model_type=radio") == radio);
    // nvidia/C-RADIOv2-H: "653 M"; its own conditioning of the input isn't in Megatron's.
    CHECK(radio > 653'000'000 * 0.995);
    CHECK(radio < 653'000'000);
    CHECK(encoder_of(settings + "32 vision_model_type=radio class_token_len=10") == radio + 2 * h);
    // FP8 pads to 16 class tokens, MXFP8 to 32.
    CHECK(encoder_of(settings + "32 vision_model_type=radio fp8_format=hybrid") == radio + 8 * h);
    CHECK(encoder_of(settings + "32 vision_model_type=radio fp8_format=hybrid fp8_recipe=mxfp8 gpu=B200") ==
          radio + 24 * h);

    // radio-g: patches of 14 with a bias, (1792/14)^2 positions, 5 class tokens, a mask token, a norm after
    // the layers; gated MLP 3 x 1536 x 4096 + 2 x 4096 + 1536, layer scales.
    const std::int64_t g = 1536;
    const std::int64_t layer = 4 * (g * g + g) + 3 * g * 4096 + 2 * 4096 + g + 4 * g + 2 * g;
    CHECK(encoder_of(settings + "40 vision_model_type=radio-g") ==
          588 * g + g + 16384 * g + 5 * g + g + 2 * g + 40 * layer);

    // cradio-g: plain MLP of 6144, no scales.
    const std::int64_t plain = 4 * (g * g + g) + 2 * g * 6144 + 6144 + g + 4 * g;
    CHECK(encoder_of(settings + "40 vision_model_type=cradio-g") == 768 * g + 16384 * g + 8 * g + 40 * plain);
}

TEST_CASE("InternViT-6B's heads are padded to a multiple of TP", "[model][vision]") {
    const std::string settings =
        "vision_num_layers=45 vision_model_type=internvit vision_projector_ffn_hidden_size=4096 "
        "gpus_per_node=8 num_attention_heads=16 num_query_groups=16 vocab_size=1024 ";
    // ((24 // TP) + 1) x TP: examples/multimodal/config.py:236.
    for (const auto& [tp, heads] : {std::pair{1, 25}, {2, 26}, {4, 28}, {8, 32}}) {
        const Scenario s = tower(settings + "tensor_model_parallel_size=" + std::to_string(tp));
        CHECK(vision_sizes(s, resolved(s)).n == heads);
        // QKV and projection of the dummy heads, and their norms' weights.
        const Resolved r = resolved(s);
        Wide attention = 0;
        for (const Tensor& t : vision_layer(s, r, sizes_of(s, r)))
            attention +=
                t.module == kVisionAttention && t.sharding != Sharding::replicated ? t.elements() : 0;
        CHECK(attention * tp == (Wide{4} * 3200 + 2) * heads * 128);
    }
}

TEST_CASE("Tokens, tiles and what reaches the projector", "[model][vision]") {
    const auto sizes = [](const std::string& settings) {
        const Scenario s = tower("vision_projector_ffn_hidden_size=4096 " + settings);
        return vision_sizes(s, resolved(s));
    };
    // 336 / 14 = 24: 576 patches and a class token; 13 tiles.
    const VisionSizes clip =
        sizes("vision_num_layers=1 vision_model_type=clip vision_patches_per_micro_batch=7488");
    CHECK(clip.images == 13);
    CHECK(clip.tokens == 13 * 577);
    CHECK(clip.sequence == 577);
    CHECK(clip.positions == 577);
    CHECK(clip.merged == 13 * 577);
    CHECK(sizes("vision_num_layers=1 vision_model_type=clip vision_patches_per_micro_batch=7488 "
                "disable_vision_class_token=1")
              .merged == 7488);
    // Pixel shuffle: a quarter of the tokens, four times as wide, without class tokens.
    const VisionSizes shuffled = sizes(
        "vision_num_layers=1 vision_model_type=internvit300M vision_spatial_merge_size=2 "
        "vision_patches_per_micro_batch=1024");
    CHECK(shuffled.tokens == 1025);
    CHECK(shuffled.merged == 256);
    CHECK(shuffled.input == 4096);
    // Not every tile is full; one side alone is a square's.
    CHECK(sizes("vision_num_layers=1 vision_model_type=siglip img_h=28 vision_patches_per_micro_batch=5")
              .images == 2);
    // Qwen's images have any size: a micro-batch's patches are taken as one.
    const VisionSizes qwen =
        sizes("vision_num_layers=1 vision_model_type=qwen3_vl vision_patches_per_micro_batch=4096");
    CHECK(qwen.images == 1);
    CHECK(qwen.tokens == 4096);
    CHECK(qwen.merged == 1024);
    CHECK(sizes("vision_num_layers=1 vision_model_type=clip vision_patches_per_micro_batch=0").tokens == 0);
}

TEST_CASE("Projectors and mergers", "[model][vision]") {
    const std::string clip = "vision_num_layers=1 vision_model_type=clip hidden_size=512 ";
    // Norm of the input, two linear layers without biases.
    CHECK(counted(tower(clip + "vision_projector_ffn_hidden_size=4096")).projector ==
          1024 + 1024 * 4096 + 4096 * 512);
    CHECK(counted(tower(clip + "vision_projector_ffn_hidden_size=4096 normalization=LayerNorm "
                               "vision_spatial_merge_size=2"))
              .projector == 2 * 4096 + 4096 * 4096 + 4096 * 512);
    CHECK(counted(tower(clip + "vision_projection_type=affine")).projector == 1024 * 512);
    CHECK(counted(tower("vision_num_layers=1 vision_model_type=qwen3_vl")).projector == 0);
}

TEST_CASE("What is frozen is marked", "[model][vision]") {
    const auto frozen = [](const std::string& settings) {
        const Scenario s = tower("vision_num_layers=2 vision_model_type=qwen3_vl " + settings);
        const Resolved r = resolved(s);
        std::set<std::string_view> modules;
        for (const Tensors& tensors : {vision_ends(s, r, sizes_of(s, r)), vision_layer(s, r, sizes_of(s, r)),
                                       vision_deepstack_merger(s, r, sizes_of(s, r))}) {
            for (const Tensor& t : tensors)
                if (t.frozen) modules.insert(t.module);
        }
        return modules;
    };
    CHECK(frozen("").empty());
    CHECK(frozen("frozen=language").empty());
    const std::set<std::string_view> encoder = {kVisionAttention, kVisionEmbedding, kVisionMlp, kVisionNorms};
    CHECK(frozen("frozen=vision") == encoder);
    CHECK(frozen("frozen=language_and_vision") == encoder);
    CHECK(frozen("freeze_vision_projection=1") == std::set<std::string_view>{kVisionMerger});
}

TEST_CASE("The ranks of TP hold the whole tower between them", "[model][vision]") {
    rc::check("sharded tensors sum to the unsharded ones", [] {
        const auto kind = *rc::gen::inRange(1, 10);
        const std::int64_t tp = std::int64_t{1} << *rc::gen::inRange(0, 4);
        Scenario s = with(test::clean_dense(),
                          "vision_num_layers=3 vision_patches_per_micro_batch=64 vision_hidden_size=256 "
                          "vision_num_attention_heads=16 vision_ffn_hidden_size=512 "
                          "vision_projector_ffn_hidden_size=1024 gpus_per_node=8 num_attention_heads=16 "
                          "num_query_groups=16");
        s.vision_model_type = static_cast<VisionModel>(kind);
        s.vision_projection_type = *rc::gen::element(VisionProjection::mlp, VisionProjection::affine);
        s.normalization = *rc::gen::element(Normalization::rms_norm, Normalization::layer_norm);
        const Resolved whole = resolved(s);
        const Sizes z = sizes_of(s, whole);
        Scenario split = s;
        split.tensor_model_parallel_size = tp;
        const Resolved r = resolved(split);
        const Sizes zs = sizes_of(split, r);
        const auto same = [&](const Tensors& one, const Tensors& part) {
            RC_ASSERT(one.size() == part.size());
            for (std::size_t i = 0; i < one.size(); ++i) {
                RC_ASSERT(one[i].name == part[i].name);
                const bool shared = part[i].sharding != Sharding::replicated;
                RC_ASSERT(part[i].elements() * (shared ? tp : 1) == one[i].elements());
            }
        };
        same(vision_layer(s, whole, z), vision_layer(split, r, zs));
        same(vision_ends(s, whole, z), vision_ends(split, r, zs));
        same(vision_deepstack_merger(s, whole, z), vision_deepstack_merger(split, r, zs));
    });
}

}  // namespace megamem

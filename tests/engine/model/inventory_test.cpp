#include "model/inventory.h"

#include <rapidcheck.h>

#include <catch2/catch_test_macros.hpp>
#include <map>
#include <set>
#include <tuple>

#include "engine/support/generators.h"
#include "engine/support/reports.h"
#include "engine/support/scenarios.h"
#include "scenario/presets.h"

namespace megamem {

using test::with;

namespace {

using Shape = std::tuple<std::string_view, std::int64_t, std::int64_t, std::int64_t, Sharding>;

Resolved resolved(const Scenario& scenario) {
    Problems problems;
    Assumptions assumptions;
    const auto out = resolve(scenario, problems, assumptions);
    INFO(test::shown(problems));
    REQUIRE(out);
    return *out;
}

Tensors layer_of(const Scenario& scenario, bool moe) {
    return decoder_layer(scenario, sizes_of(scenario, resolved(scenario)), moe);
}

std::set<Shape> shapes_of(const Tensors& tensors) {
    std::set<Shape> shapes;
    for (const Tensor& t : tensors)
        CHECK(shapes.insert({t.name, t.rows, t.cols, t.copies, t.sharding}).second);
    return shapes;
}

// Parameters of the modules that the model's published configuration makes, counted module by module outside
// of this project and checked against the rounded count that its owner publishes.
struct Published {
    std::string_view preset;
    std::int64_t total;
    std::int64_t active;      // 0: dense
    std::int64_t beside = 0;  // counted by the owner, and no parameter of Megatron's
};

constexpr std::array kPublished = {
    Published{"llama-2-7b", 6738415616, 0},
    Published{"llama-2-70b", 68976648192, 0},
    Published{"llama-3.1-8b", 8030261248, 0},
    Published{"llama-3.1-70b", 70553706496, 0},
    Published{"llama-3.1-405b", 405853388800, 0},
    Published{"mixtral-8x7b", 46702792704, 12879925248},
    Published{"qwen3-8b", 8190735360, 0},
    Published{"qwen3-32b", 32762123264, 0},
    Published{"qwen3-30b-a3b", 30532122624, 3353032704},
    Published{"qwen3-235b-a22b", 235093634560, 22190763520},
    // The router's bias correction is a buffer without gradient in Megatron: experts x MoE layers.
    Published{"deepseek-v3", 671026419200, 37552297472, 256 * 58},
    Published{"kimi-k2", 1026408232448, 32861500928, 384 * 60},
};

// Norms of queries and keys, where the model has them and the scenario doesn't.
std::int64_t missing_norms(const ModelPreset& preset, const Scenario& s) {
    if (s.qk_layernorm) return 0;
    if (preset.id.starts_with("qwen3")) return *s.num_layers * 2 * *s.kv_channels;
    return s.multi_latent_attention ? *s.num_layers * (*s.q_lora_rank + s.kv_lora_rank) : 0;
}

// Words up to the next multiple, in embedding and head.
std::int64_t padding(const Scenario& s) {
    const std::int64_t multiple = s.make_vocab_size_divisible_by;
    const std::int64_t padded = (*s.vocab_size + multiple - 1) / multiple * multiple;
    return (padded - *s.vocab_size) * *s.hidden_size * (s.untie_embeddings_and_output_weights ? 2 : 1);
}

}  // namespace

TEST_CASE("A layer of grouped-query attention, tensor by tensor", "[model][inventory]") {
    // h 512, 8 heads and 2 groups of 64, FFN 2048 with a gate, TP 2.
    const Scenario s =
        with(test::clean_dense(), "num_query_groups=2 tensor_model_parallel_size=2 qk_layernorm=1");
    CHECK(shapes_of(layer_of(s, false)) ==
          std::set<Shape>{
              {"input_layernorm.weight", 512, 0, 1, Sharding::replicated},
              {"pre_mlp_layernorm.weight", 512, 0, 1, Sharding::replicated},
              {"self_attention.linear_qkv.weight", (8 + 2 * 2) * 64 / 2, 512, 1, Sharding::column},
              {"self_attention.q_layernorm.weight", 64, 0, 1, Sharding::replicated},
              {"self_attention.k_layernorm.weight", 64, 0, 1, Sharding::replicated},
              {"self_attention.linear_proj.weight", 512, 8 * 64 / 2, 1, Sharding::row},
              {"mlp.linear_fc1.weight", 2 * 2048 / 2, 512, 1, Sharding::column},
              {"mlp.linear_fc2.weight", 512, 2048 / 2, 1, Sharding::row},
          });
}

TEST_CASE("Biases, LayerNorm's second vector and an output gate", "[model][inventory]") {
    const Scenario s = with(test::clean_dense(),
                            "num_query_groups=2 swiglu=0 add_bias_linear=1 normalization=LayerNorm "
                            "attention_output_gate=1 tensor_model_parallel_size=2");
    CHECK(shapes_of(layer_of(s, false)) ==
          std::set<Shape>{
              {"input_layernorm.weight", 512, 0, 1, Sharding::replicated},
              {"input_layernorm.bias", 512, 0, 1, Sharding::replicated},
              {"pre_mlp_layernorm.weight", 512, 0, 1, Sharding::replicated},
              {"pre_mlp_layernorm.bias", 512, 0, 1, Sharding::replicated},
              {"self_attention.linear_qkv.weight", (2 * 8 + 2 * 2) * 64 / 2, 512, 1, Sharding::column},
              {"self_attention.linear_qkv.bias", (2 * 8 + 2 * 2) * 64 / 2, 0, 1, Sharding::column},
              {"self_attention.linear_proj.weight", 512, 8 * 64 / 2, 1, Sharding::row},
              {"self_attention.linear_proj.bias", 512, 0, 1, Sharding::replicated},
              {"mlp.linear_fc1.weight", 2048 / 2, 512, 1, Sharding::column},
              {"mlp.linear_fc1.bias", 2048 / 2, 0, 1, Sharding::column},
              {"mlp.linear_fc2.weight", 512, 2048 / 2, 1, Sharding::row},
              {"mlp.linear_fc2.bias", 512, 0, 1, Sharding::replicated},
          });
    // --add-qkv-bias gives the bias of QKV alone.
    const Tensors qkv = layer_of(with(test::clean_dense(), "add_qkv_bias=1"), false);
    int biases = 0;
    for (const Tensor& t : qkv)
        biases += t.name.ends_with(".bias") ? 1 : 0;
    CHECK(biases == 1);
}

TEST_CASE("A layer of multi-latent attention, tensor by tensor", "[model][inventory]") {
    // multi_latent_attention.py:508-630@d98e8a64: down projections are whole on every TP rank.
    const Scenario s =
        with(test::clean_dense(),
             "multi_latent_attention=1 q_lora_rank=96 kv_lora_rank=48 qk_head_dim=40 "
             "qk_pos_emb_head_dim=16 v_head_dim=24 qk_layernorm=1 tensor_model_parallel_size=2");
    std::set<Shape> attention;
    for (const Shape& shape : shapes_of(layer_of(s, false))) {
        if (std::get<0>(shape).starts_with("self_attention.")) attention.insert(shape);
    }
    CHECK(attention ==
          std::set<Shape>{
              {"self_attention.linear_q_down_proj.weight", 96, 512, 1, Sharding::replicated},
              {"self_attention.linear_q_up_proj.weight", 8 * 56 / 2, 96, 1, Sharding::column},
              {"self_attention.q_layernorm.weight", 96, 0, 1, Sharding::replicated},
              {"self_attention.linear_kv_down_proj.weight", 48 + 16, 512, 1, Sharding::replicated},
              {"self_attention.linear_kv_up_proj.weight", 8 * (40 + 24) / 2, 48, 1, Sharding::column},
              {"self_attention.kv_layernorm.weight", 48, 0, 1, Sharding::replicated},
              {"self_attention.linear_proj.weight", 512, 8 * 24 / 2, 1, Sharding::row},
          });
    // Without --q-lora-rank queries are projected at once.
    bool direct = false;
    for (const Tensor& t : layer_of(with(s, "q_lora_rank=none"), false)) {
        CHECK(t.name != "self_attention.linear_q_down_proj.weight");
        direct = direct ||
                 (t.name == "self_attention.linear_q_proj.weight" && t.rows == 8 * 56 / 2 && t.cols == 512);
    }
    CHECK(direct);
}

TEST_CASE("A MoE layer, tensor by tensor", "[model][inventory]") {
    // h 1024, 16 experts of 512 on EP 4, ETP 2 of TP 2, a shared expert of 512 with its gate.
    const Scenario s = with(test::clean_moe(), "expert_tensor_parallel_size=2 moe_shared_expert_gate=1");
    std::set<Shape> block;
    for (const Shape& shape : shapes_of(layer_of(s, true))) {
        if (std::get<0>(shape).starts_with("mlp.")) block.insert(shape);
    }
    CHECK(block == std::set<Shape>{
                       {"mlp.router.weight", 16, 1024, 1, Sharding::replicated},
                       {"mlp.shared_experts.linear_fc1.weight", 2 * 512 / 2, 1024, 1, Sharding::column},
                       {"mlp.shared_experts.linear_fc2.weight", 1024, 512 / 2, 1, Sharding::row},
                       {"mlp.shared_experts.gate_weight", 1, 1024, 1, Sharding::replicated},
                       {"mlp.experts.linear_fc1.weight", 2 * 512 / 2, 1024, 4, Sharding::expert},
                       {"mlp.experts.linear_fc2.weight", 1024, 512 / 2, 4, Sharding::expert},
                   });
    // Latent experts (moe_layer.py:266-304@d98e8a64) work on the narrower width.
    std::int64_t latent = 0;
    for (const Tensor& t : layer_of(with(s, "moe_latent_size=256"), true)) {
        if (t.module == "latent") latent += narrow(t.elements());
        if (t.name == "mlp.experts.linear_fc1.weight") CHECK(t.cols == 256);
        if (t.name == "mlp.experts.linear_fc2.weight") CHECK(t.rows == 256);
    }
    CHECK(latent == 2 * 1024 * 256);
}

TEST_CASE("Experts have a buffer of their own where they are spread otherwise than the rest",
          "[model][inventory]") {
    // transformer_engine.py:1235-1240@d98e8a64: EP > 1 or ETP != TP.
    const auto buffer = [](std::string_view settings) {
        for (const Tensor& t : layer_of(with(test::clean_moe(), settings), true)) {
            if (t.module == "experts") return t.buffer;
        }
        return Buffer::none;
    };
    CHECK(buffer("") == Buffer::expert);
    CHECK(buffer("expert_model_parallel_size=1") == Buffer::expert);
    CHECK(buffer("expert_tensor_parallel_size=2") == Buffer::expert);
    CHECK(buffer("expert_model_parallel_size=1 expert_tensor_parallel_size=2") == Buffer::dense);
}

TEST_CASE("An MTP depth is a layer, a projection and three norms", "[model][inventory]") {
    const Scenario s = with(test::clean_dense(), "mtp_num_layers=1");
    const Sizes z = sizes_of(s, resolved(s));
    CHECK(elements_of(mtp_layer(s, z, false)) ==
          elements_of(decoder_layer(s, z, false)) + 2 * 512 * 512 + 3 * 512);
}

TEST_CASE("Learned positions are whole on every TP rank, words are padded and split", "[model][inventory]") {
    const Scenario s = with(test::clean_dense(),
                            "position_embedding_type=learned_absolute max_position_embeddings=300 "
                            "tensor_model_parallel_size=2");
    const Tensors tensors = embedding(s, resolved(s), sizes_of(s, resolved(s)));
    // 1000 words to a multiple of 128 TP = 256, halved
    CHECK(shapes_of(tensors) ==
          std::set<Shape>{{"embedding.word_embeddings.weight", 512, 512, 1, Sharding::vocabulary},
                          {"embedding.position_embeddings.weight", 300, 512, 1, Sharding::replicated}});
}

TEST_CASE("Presets have the exact parameter counts of their models", "[model][inventory]") {
    for (const Published& published : kPublished) {
        INFO(published.preset);
        const ModelPreset* preset = find_preset(published.preset);
        REQUIRE(preset != nullptr);
        Scenario s = scenario_of(*preset);
        s.mtp_num_layers = 0;  // not in the owners' counts
        if (!s.pipeline_model_parallel_layout.empty()) {
            auto& layout = s.pipeline_model_parallel_layout;
            std::erase(layout, 'm');
        }
        const Report report = test::detailed(s);
        const std::int64_t differences = padding(s) - missing_norms(*preset, s) - published.beside;
        CHECK(report.parameters.total == published.total + differences);
        const std::int64_t active = published.active == 0 ? published.total : published.active;
        CHECK(report.parameters.active == active + differences);
    }
}

TEST_CASE("Presets without an exact count are near the published one", "[model][inventory]") {
    int compared = 0;
    for (const ModelPreset& preset : model_presets()) {
        if (preset.published_total_b == 0) continue;
        INFO(preset.id);
        const Scenario s = scenario_of(preset);
        Scenario plain = s;
        plain.mtp_num_layers = 0;
        std::erase(plain.pipeline_model_parallel_layout, 'm');
        const double counted = static_cast<double>(test::detailed(plain).parameters.total) / 1e9;
        // Three digits are published; Kimi K2's report says 1.04T where its dimensions give 1.026T.
        const double tolerance = preset.id == "kimi-k2" ? 0.014 : 0.006;
        INFO(counted << " and published " << preset.published_total_b);
        CHECK(counted > preset.published_total_b * (1 - tolerance));
        CHECK(counted < preset.published_total_b * (1 + tolerance));
        ++compared;
    }
    CHECK(compared >= 15);
}

TEST_CASE("DeepSeek-V3's MTP module is what its owner counts, less the copies", "[model][inventory]") {
    // 11 610 068 224 with one layer, projection and norms and the shared embedding and head left out; the
    // layer's router bias correction (256) is a buffer of Megatron's.
    const Scenario s = scenario_of(*find_preset("deepseek-v3"));
    Scenario plain = s;
    plain.mtp_num_layers = 0;
    std::erase(plain.pipeline_model_parallel_layout, 'm');
    const std::int64_t norms = s.qk_layernorm ? 0 : *s.q_lora_rank + s.kv_lora_rank;
    const std::int64_t own = test::detailed(s).parameters.total - test::detailed(plain).parameters.total;
    CHECK(own + norms + 256 == 11610068224);
}

TEST_CASE("Ranks hold the model and the copies that a pipeline makes", "[model][inventory]") {
    // One GPU a stage, so that a rank's parameters are all of its stage's.
    const auto sum = [](const Report& report) {
        std::int64_t all = 0;
        for (const RankReport& rank : report.ranks)
            all += test::parameters_of(rank);
        return all;
    };
    constexpr std::int64_t kVocabulary = 1024 * 512;
    for (const char* pipeline : {"pipeline_model_parallel_size=1", "pipeline_model_parallel_size=2",
                                 "pipeline_model_parallel_size=4",
                                 "pipeline_model_parallel_size=2 num_virtual_stages_per_pipeline_rank=2"}) {
        INFO(pipeline);
        const bool one = std::string_view(pipeline).ends_with("parallel_size=1");
        const Scenario untied = with(test::clean_dense(), pipeline);
        const Scenario tied = with(untied, "untie_embeddings_and_output_weights=0");
        const Scenario mtp = with(untied, "mtp_num_layers=1");
        Report report = test::detailed(untied);
        CHECK(sum(report) == report.parameters.total);
        // The last stage has its own copy of a tied head (gpt_model.py:255-295@d98e8a64) ...
        report = test::detailed(tied);
        CHECK(sum(report) == report.parameters.total + (one ? 0 : kVocabulary));
        // ... and MTP's stage one of the embedding, unless that is there (:173).
        report = test::detailed(mtp);
        CHECK(sum(report) == report.parameters.total + (one ? 0 : kVocabulary));
    }
}

TEST_CASE("Property: shards add up to the whole layer", "[model][inventory][property]") {
    CHECK(rc::check("TP, EP and ETP", [] {
        const auto power = [](int most) { return std::int64_t{1} << *rc::gen::inRange(0, most + 1); };
        Scenario s;
        const std::int64_t tp = power(3);
        const std::int64_t ep = power(3);
        const std::int64_t etp = power(2);
        test::set(s, "nodes", 64);
        test::set(s, "num_layers", 1);
        test::set(s, "seq_length", 8);
        test::set(s, "micro_batch_size", 1);
        test::set(s, "vocab_size", 1000);
        test::set(s, "hidden_size", 8 * *rc::gen::inRange(1, 100));
        test::set(s, "num_attention_heads", 8 * *rc::gen::inRange(1, 5));
        test::set(s, "num_query_groups", *s.num_attention_heads);
        test::set(s, "kv_channels", *rc::gen::inRange(1, 100));
        test::set(s, "ffn_hidden_size", 8 * *rc::gen::inRange(1, 100));
        test::set(s, "num_experts", 8 * *rc::gen::inRange(1, 5));
        test::set(s, "moe_ffn_hidden_size", 8 * *rc::gen::inRange(1, 100));
        test::set(s, "moe_shared_expert_intermediate_size", 8 * *rc::gen::inRange(0, 50));
        s.swiglu = *rc::gen::arbitrary<bool>();
        s.add_bias_linear = *rc::gen::arbitrary<bool>();
        s.qk_layernorm = *rc::gen::arbitrary<bool>();
        s.attention_output_gate = *rc::gen::arbitrary<bool>();
        s.multi_latent_attention = *rc::gen::arbitrary<bool>();
        s.normalization = *rc::gen::element(Normalization::rms_norm, Normalization::layer_norm);
        Scenario split = s;
        test::set(split, "tensor_model_parallel_size", tp);
        test::set(split, "expert_model_parallel_size", ep);
        test::set(split, "expert_tensor_parallel_size", etp);
        // Biases of experts stand for ETP 1 only (transformer_config.py:2612@d98e8a64).
        RC_PRE(!s.add_bias_linear || etp == 1);
        const bool moe = *rc::gen::arbitrary<bool>();
        const Tensors whole = layer_of(s, moe);
        const Tensors parts = layer_of(split, moe);
        RC_ASSERT(whole.size() == parts.size());
        for (std::size_t i = 0; i < whole.size(); ++i) {
            const Sharding sharding = parts[i].sharding;
            const std::int64_t shards = sharding == Sharding::replicated ? 1
                                        : sharding == Sharding::expert   ? ep * etp
                                                                         : tp;
            RC_ASSERT(parts[i].elements() * shards == whole[i].elements());
            RC_ASSERT(parts[i].name == whole[i].name);
        }
    }));
}

}  // namespace megamem

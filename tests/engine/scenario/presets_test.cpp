#include "scenario/presets.h"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <map>
#include <set>

#include "base/text.h"
#include "engine/support/problems.h"
#include "engine/support/scenarios.h"
#include "memory/estimate.h"

namespace megamem {

namespace {

// The model's own parameters from its dimensions: what its owner would count, MTP module left out.
struct Counted {
    std::int64_t total = 0;
    std::int64_t active = 0;
    std::int64_t norms = 0;      // part of both
    std::int64_t attention = 0;  // one layer's, norms left out
    std::int64_t dense_layers = 0;
};

std::int64_t latent_attention(const Scenario& s, std::int64_t h, std::int64_t heads) {
    const std::int64_t q = *s.q_lora_rank * (h + heads * (s.qk_head_dim + s.qk_pos_emb_head_dim));
    const std::int64_t kv = h * (s.kv_lora_rank + s.qk_pos_emb_head_dim) +
                            s.kv_lora_rank * heads * (s.qk_head_dim + s.v_head_dim);
    return q + kv + heads * s.v_head_dim * h;
}

std::int64_t plain_attention(const Scenario& s, std::int64_t h, std::int64_t heads) {
    return h * *s.kv_channels * (2 * heads + 2 * *s.num_query_groups);
}

// Encoders with their mergers, as vision_test.cpp counts them; projectors with the norm of their input.
std::int64_t vision(const Scenario& s) {
    if (s.vision_num_layers == 0) return 0;
    const auto projector = [&](std::int64_t input) {
        return input + (input + *s.hidden_size) * *s.vision_projector_ffn_hidden_size;
    };
    switch (s.vision_model_type) {
        case VisionModel::clip:
            return 303'505'408 + projector(1024);
        case VisionModel::internvit:  // with 7 dummy heads in attention and its norms
            return 5'536'496'000 + 45 * 7 * 128 * (4 * 3200 + 2) + projector(4 * 3200);
        case VisionModel::qwen2_5_vl:
            return 676'550'144;
        case VisionModel::qwen3_vl:
            return 576'388'336;
        default:
            return 0;  // no count of these is published
    }
}

Counted count(const Scenario& s) {
    const std::int64_t layers = *s.num_layers;
    const std::int64_t h = *s.hidden_size;
    const std::int64_t heads = *s.num_attention_heads;
    Counted c;
    c.dense_layers = s.num_experts == 0 ? layers : s.num_dense_layers.value_or(0);
    const std::int64_t moe_layers = layers - c.dense_layers;
    c.attention = s.multi_latent_attention ? latent_attention(s, h, heads) : plain_attention(s, h, heads);
    c.norms = layers * 2 * h + h;
    if (s.multi_latent_attention) c.norms += layers * (*s.q_lora_rank + s.kv_lora_rank);

    const std::int64_t dense = (s.swiglu ? 3 : 2) * h * *s.ffn_hidden_size;
    const std::int64_t expert = s.num_experts > 0 ? 3 * h * *s.moe_ffn_hidden_size : 0;
    const std::int64_t moe = h * s.num_experts + 3 * h * s.moe_shared_expert_intermediate_size;
    const std::int64_t embeddings = *s.vocab_size * h * (s.untie_embeddings_and_output_weights ? 2 : 1);
    const std::int64_t common =
        embeddings + layers * c.attention + c.dense_layers * dense + moe_layers * moe + c.norms + vision(s);
    c.total = common + moe_layers * s.num_experts * expert;
    c.active = common + moe_layers * s.moe_router_topk * expert;
    return c;
}

}  // namespace

TEST_CASE("Every setting of every preset is read", "[scenario][presets]") {
    CHECK(model_presets().size() >= 15);
    for (const ModelPreset& preset : model_presets()) {
        INFO(preset.id);
        Scenario scenario;
        scenario.name = preset.title;
        std::set<std::string_view> keys;
        for (const std::string_view setting : split(preset.settings, ' ')) {
            INFO(setting);
            const std::size_t equals = setting.find('=');
            REQUIRE(equals != std::string_view::npos);
            const Field* field = find_field(setting.substr(0, equals));
            REQUIRE(field != nullptr);
            CHECK(keys.insert(field->key).second);
            CHECK_FALSE(set_text(scenario, *field, setting.substr(equals + 1)));
        }
        CHECK(scenario_of(preset) == scenario);
        // The model's own dimensions are all there: nothing rests on a default that could move.
        for (const char* key :
             {"num_layers", "hidden_size", "ffn_hidden_size", "num_attention_heads", "num_query_groups",
              "kv_channels", "vocab_size", "seq_length", "micro_batch_size", "global_batch_size"}) {
            INFO(key);
            CHECK(keys.contains(key));
        }
    }
}

TEST_CASE("Presets have ids that links can carry, titles and sources", "[scenario][presets]") {
    std::set<std::string_view> ids;
    for (const ModelPreset& preset : model_presets()) {
        INFO(preset.id);
        CHECK(ids.insert(preset.id).second);
        CHECK(preset.id.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789.-") ==
              std::string_view::npos);
        CHECK_FALSE(preset.title.empty());
        CHECK_FALSE(preset.source.empty());
        CHECK_FALSE(preset.published_source.empty());
        CHECK(find_preset(preset.id) == &preset);
    }
    CHECK(find_preset("") == nullptr);
    CHECK(find_preset("DeepSeek-V3") == nullptr);
    CHECK(find_preset("deepseek") == nullptr);
}

TEST_CASE("Every preset gives numbers without an error or a warning", "[scenario][presets]") {
    for (const ModelPreset& preset : model_presets()) {
        const Report report = estimate(scenario_of(preset), Method::calculator);
        INFO(preset.id << '\n' << test::shown(report.problems));
        CHECK(report.valid);
        for (const Problem& problem : report.problems)
            CHECK(problem.severity == Severity::info);
        CHECK(report.micro_batches > 0);
    }
}

TEST_CASE("Dimensions give the published parameter counts", "[scenario][presets]") {
    // Published counts are rounded to three digits or so, and leave out or count small things differently:
    // half a percent covers that. The exceptions say why they are wider.
    constexpr double kRounding = 0.005;
    const std::map<std::string_view, double> wider = {
        {"gpt3-175b", 0.006},  // "175B" for 174.6e9
        {"kimi-k2", 0.014},    // its report says 1.04T; its config.json's dimensions give 1.026T
    };
    for (const ModelPreset& preset : model_presets()) {
        INFO(preset.id);
        if (preset.published_total_b == 0) continue;
        const auto found = wider.find(preset.id);
        const double tolerance = found == wider.end() ? kRounding : found->second;
        const double counted = static_cast<double>(count(scenario_of(preset)).total) / 1e9;
        INFO(counted << " and published " << preset.published_total_b);
        CHECK(std::fabs(counted / preset.published_total_b - 1) < tolerance);
    }
}

TEST_CASE("Dimensions give the published active counts", "[scenario][presets]") {
    // Two digits are published ("37B" for 37.6e9), so two percent.
    constexpr double kRounding = 0.02;
    int compared = 0;
    for (const ModelPreset& preset : model_presets()) {
        INFO(preset.id);
        const Scenario scenario = scenario_of(preset);
        CHECK((preset.published_active_b > 0) == (scenario.num_experts > 0));
        if (preset.published_active_b == 0) continue;
        double counted = static_cast<double>(count(scenario).active) / 1e9;
        // The owner of the gpt-oss models counts the output layer and not the embedding.
        if (preset.id.starts_with("gpt-oss"))
            counted -= static_cast<double>(*scenario.vocab_size * *scenario.hidden_size) / 1e9;
        INFO(counted << " and published " << preset.published_active_b);
        CHECK(std::fabs(counted / preset.published_active_b - 1) < kRounding);
        ++compared;
    }
    CHECK(compared >= 7);
}

TEST_CASE("The method's count is the model's, but for what the method says otherwise",
          "[scenario][presets]") {
    for (const ModelPreset& preset : model_presets()) {
        INFO(preset.id);
        Scenario s = scenario_of(preset);
        s.vision_num_layers = 0;  // the tower's count is the method's own: calculator_vectors.json has it
        const Counted counted = count(s);
        const std::int64_t h = *s.hidden_size;
        std::int64_t expected = counted.total - counted.norms;
        // MLA is counted as plain attention.
        expected += *s.num_layers * (plain_attention(s, h, *s.num_attention_heads) - counted.attention);
        // FC1 is counted with a gate.
        if (!s.swiglu) expected += counted.dense_layers * h * *s.ffn_hidden_size;
        // Dense layers of an MoE model are top-k experts wide.
        if (s.num_experts > 0) {
            expected += counted.dense_layers * 3 * h *
                        (*s.moe_ffn_hidden_size * s.moe_router_topk - *s.ffn_hidden_size);
        }
        const Report report = estimate(s, Method::calculator);
        CHECK(report.parameters.total == expected);
        CHECK(report.parameters.total - report.parameters.active == counted.total - counted.active);
    }
}

TEST_CASE("GPUs have ids, sources and a size near their name's", "[scenario][presets]") {
    // GiB in the name or of the data sheet. A driver keeps some back, up to a tenth with ECC on HBM3e.
    const std::map<std::string_view, std::int64_t> nominal = {
        {"A100-40", 40}, {"A100-80", 80},    {"H100-80", 80},      {"H200-141", 141},
        {"H20-96", 96},  {"B200", 192},      {"GB200", 192},       {"B300", 288},
        {"MI300X", 192}, {"RTX4090-24", 24}, {"RTXPRO6000-96", 96}};
    // NVIDIA's compute capability, major; the nearest for another maker.
    const std::map<std::string_view, int> architectures = {
        {"A100-40", 8}, {"A100-80", 8}, {"H100-80", 9},    {"H200-141", 9},       {"H20-96", 9}, {"B200", 10},
        {"GB200", 10},  {"B300", 10},   {"RTX4090-24", 8}, {"RTXPRO6000-96", 12}, {"MI300X", 9}};
    std::set<std::string_view> ids;
    for (const Gpu& gpu : gpus()) {
        INFO(gpu.id);
        CHECK(ids.insert(gpu.id).second);
        CHECK_FALSE(gpu.title.empty());
        CHECK(gpu.source.size() > 20);
        CHECK(find_gpu(gpu.id) == &gpu);
        const auto found = nominal.find(gpu.id);
        REQUIRE(found != nominal.end());
        CHECK(gpu.usable_bytes <= found->second * kGiB);
        CHECK(gpu.usable_bytes >= found->second * kGiB / 10 * 9);
        CHECK(gpu.sm / 10 == architectures.at(gpu.id));
    }
    CHECK(find_gpu("") == nullptr);
    CHECK(find_gpu("h100-80") == nullptr);
    CHECK(find_gpu(Scenario{}.gpu) != nullptr);
}

}  // namespace megamem

#include "import/hf_models.h"

#include <array>

namespace megamem::hf {

namespace {

constexpr Traits kQwenMoe = kQkNorm;
constexpr Traits kQwenHybrid = kQkNorm | kOutputGate | kDeltaNet;
constexpr Traits kGemma = kTied | kFourNorms;

constexpr std::string_view kHead128 = "head_dim=128";
constexpr std::string_view kGemmaDefaults = "head_dim=256";
constexpr std::string_view kNextDefaults = "head_dim=256 full_attention_interval=4 decoder_sparse_step=1";

// transformers/models/*/configuration_*.py and modeling_*.py (v4.57) where there is such a class, else the
// class that the model's repository brings. Names in the order of families.
constexpr std::array kModels = {
    Model{"llama"},
    Model{"mistral"},
    Model{"mistral3"},
    Model{"ministral"},
    Model{"mixtral", kIntermediateIsExpert, "num_experts_per_tok=2"},
    Model{"llama4_text", kIntermediateIsExpert | kSharedIsIntermediate,
          "interleave_moe_layer_step=1 num_experts_per_tok=1"},
    Model{"llama4", kIntermediateIsExpert | kSharedIsIntermediate,
          "interleave_moe_layer_step=1 num_experts_per_tok=1"},
    Model{"nemotron-nas"},
    Model{"deci"},
    Model{"qwen2", kQkvBias},
    Model{"qwen2_moe", kQkvBias | kSharedGate, "decoder_sparse_step=1"},
    Model{"qwen2_vl", kQkvBias},
    Model{"qwen2_vl_text", kQkvBias},
    Model{"qwen2_5_vl", kQkvBias},
    Model{"qwen2_5_vl_text", kQkvBias},
    Model{"qwen3", kQkNorm, kHead128},
    Model{"qwen3_moe", kQwenMoe, "decoder_sparse_step=1"},
    Model{"qwen3_vl", kQkNorm, kHead128},
    Model{"qwen3_vl_text", kQkNorm, kHead128},
    Model{"qwen3_vl_moe", kQwenMoe, "decoder_sparse_step=1"},
    Model{"qwen3_vl_moe_text", kQwenMoe, "decoder_sparse_step=1"},
    Model{"qwen3_omni_moe", kQwenMoe, "decoder_sparse_step=1"},
    Model{"qwen3_omni_moe_text", kQwenMoe, "decoder_sparse_step=1"},
    Model{"qwen3_next", kQwenHybrid | kSharedGate, kNextDefaults},
    Model{"qwen3_5", kQwenHybrid, kNextDefaults},
    Model{"qwen3_5_text", kQwenHybrid, kNextDefaults},
    Model{"qwen3_5_moe", kQwenHybrid | kSharedGate, kNextDefaults},
    Model{"qwen3_5_moe_text", kQwenHybrid | kSharedGate, kNextDefaults},
    Model{"deepseek"},
    Model{"deepseek_v2"},
    Model{"deepseek_v3", kRouterBias},
    Model{"deepseek_v32", kRouterBias},
    Model{"deepseek_v4", kRouterBias},
    Model{"deepseek_ref", kRouterBias},
    Model{"kimi_k2", kRouterBias},
    Model{"kimi_k25", kRouterBias},
    Model{"kimi_linear", kRouterBias},
    Model{"kimi_k3", kRouterBias},
    Model{"moonlight", kRouterBias},
    Model{"glm4", 0, "head_dim=128"},
    Model{"glm4_moe", kRouterBias, "first_k_dense_replace=1 n_shared_experts=1"},
    Model{"glm4v_moe_text", kRouterBias, "first_k_dense_replace=1 n_shared_experts=1"},
    Model{"glm4_moe_lite", kRouterBias, "first_k_dense_replace=1 n_shared_experts=1"},
    Model{"glm_moe_dsa", kRouterBias},
    Model{"gpt_oss", kAllBiases | kIntermediateIsExpert, "head_dim=64"},
    Model{"gemma", kTied, kGemmaDefaults},
    Model{"gemma2", kGemma, "head_dim=256 vocab_size=256000"},
    Model{"gemma3", kGemma | kQkNorm, kGemmaDefaults},
    Model{"gemma3_text", kGemma | kQkNorm, kGemmaDefaults},
    Model{"gemma4", kGemma | kQkNorm | kDenseBeside, kGemmaDefaults},
    Model{"gemma4_text", kGemma | kQkNorm | kDenseBeside, kGemmaDefaults},
    Model{"phi3"},
    Model{"phimoe", kIntermediateIsExpert | kLayerNorm},
    Model{"olmo2", kWideQkNorm},
    Model{"olmo3", kWideQkNorm},
    Model{"olmoe", kWideQkNorm | kIntermediateIsExpert},
    Model{"granite"},
    Model{"granitemoe", kIntermediateIsExpert},
    Model{"seed_oss", kQkvBias, kHead128},
    Model{"exaone4", kQkNorm},
    Model{"smollm3", kTied},
    Model{"internlm2"},
    Model{"internlm3"},
    Model{"dots1", kQkNorm | kRouterBias},
    Model{"bailing_moe"},
    Model{"minimax_m1", kIntermediateIsExpert | kLightning},
    Model{"minimax_text_01", kIntermediateIsExpert | kLightning},
    Model{"minimax_m2", kIntermediateIsExpert | kWideQkNorm},
    Model{"minimax_m3", kIntermediateIsExpert | kQkNorm},
    Model{"mimo", kQkvBias},
    Model{"mimo_v2_flash", kRouterBias},
    Model{"hunyuan", kTied | kIntermediateIsExpert},
    Model{"hunyuan_v1_moe", kTied | kIntermediateIsExpert | kQkNorm},
    Model{"hunyuan_v1_dense", kTied | kQkNorm},
    Model{"step3p5", kQkNorm | kDenseMtp},
    Model{"step3p7", kQkNorm | kDenseMtp},
    Model{"laguna", kQkNorm | kRouterBias},
    Model{"ernie4_5", kTied},
    Model{"ernie4_5_moe", kTied | kRouterBias, "moe_layer_start_index=1 moe_layer_interval=1"},
    Model{"longcat_flash", kRouterBias | kDoubleLayers},
    Model{"nemotron", kPlainMlp | kLayerNorm},
    Model{"nemotron_h", kPlainMlp | kRouterBias | kMamba},
    Model{"starcoder2", kTied | kPlainMlp | kLayerNorm | kAllBiases},
    Model{"gpt2", kTied | kPlainMlp | kLayerNorm | kAllBiases | kLearnedPositions},
    Model{"gpt_bigcode", kTied | kPlainMlp | kLayerNorm | kAllBiases | kLearnedPositions},
    Model{"gpt_neox", kPlainMlp | kLayerNorm | kAllBiases},
    Model{"opt", kTied | kPlainMlp | kLayerNorm | kAllBiases | kLearnedPositions},
    Model{"phi", kPlainMlp | kLayerNorm | kAllBiases},
    Model{"jamba", kMamba},
    Model{"bamba", kMamba},
    Model{"falcon_h1", kMamba},
    Model{"zamba2", kMamba},
    Model{"mamba", kMamba},
    Model{"mamba2", kMamba},
    Model{"granitemoehybrid", kMamba | kTied},
    // Not of transformers: hf_document.cpp tells these files by their keys.
    Model{"deepseek_native"},
    Model{"meta"},
};

char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

// "Qwen3Moe" and "qwen3_moe" are one name.
bool same_name(std::string_view camel, std::string_view type) {
    std::size_t at = 0;
    for (const char c : type) {
        if (c == '_' || c == '-') continue;
        if (at == camel.size() || lower(camel[at]) != c) return false;
        ++at;
    }
    return at == camel.size();
}

}  // namespace

const Model* find_model(std::string_view type) {
    for (const Model& model : kModels) {
        if (model.type == type) return &model;
    }
    return nullptr;
}

const Model* find_model_of_architecture(std::string_view architecture) {
    std::string_view name = architecture.substr(0, architecture.find("For"));
    if (name.ends_with("LMHeadModel")) name.remove_suffix(std::string_view("LMHeadModel").size());
    if (name.empty()) return nullptr;
    for (const Model& model : kModels) {
        if (same_name(name, model.type)) return &model;
    }
    return nullptr;
}

}  // namespace megamem::hf

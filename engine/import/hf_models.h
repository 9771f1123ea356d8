// What the class behind a config's model_type knows and the file doesn't say: transformers' and the models'
// own configuration and modelling classes.
#pragma once

#include <cstdint>
#include <string_view>

namespace megamem::hf {

using Traits = std::uint32_t;

// How the classes differ. Without any: RMSNorm, gated MLP, rotary positions, no biases, an output layer of
// its own, heads of hidden size / heads.
inline constexpr Traits kTied = 1u << 0;        // one table for embedding and output unless the file says
inline constexpr Traits kQkvBias = 1u << 1;     // biases on queries, keys and values unless the file says
inline constexpr Traits kAllBiases = 1u << 2;   // biases on every linear layer
inline constexpr Traits kQkNorm = 1u << 3;      // norms on each head of queries and keys
inline constexpr Traits kWideQkNorm = 1u << 4;  // norms on all heads of queries and keys together
inline constexpr Traits kLayerNorm = 1u << 5;
inline constexpr Traits kPlainMlp = 1u << 6;              // no gate
inline constexpr Traits kIntermediateIsExpert = 1u << 7;  // intermediate_size is the width of an expert
inline constexpr Traits kSharedGate = 1u << 8;
inline constexpr Traits kSharedIsIntermediate = 1u << 9;  // one shared expert of intermediate_size
inline constexpr Traits kDenseBeside = 1u << 10;          // every layer has a dense MLP beside the experts
inline constexpr Traits kRouterBias = 1u << 11;           // balanced by a bias
inline constexpr Traits kOutputGate = 1u << 12;
inline constexpr Traits kFourNorms = 1u << 13;  // norms before and after attention and MLP
inline constexpr Traits kLearnedPositions = 1u << 14;
inline constexpr Traits kDoubleLayers = 1u << 15;  // a layer has two attentions and two dense MLPs
inline constexpr Traits kDenseMtp = 1u << 16;      // MTP layers are dense where the last layer is MoE
inline constexpr Traits kDeltaNet = 1u << 17;      // gated delta nets in most layers
inline constexpr Traits kLightning = 1u << 18;     // lightning attention in most layers
inline constexpr Traits kMamba = 1u << 19;         // state-space layers

struct Model {
    std::string_view type;  // model_type
    Traits traits = 0;
    std::string_view defaults{};  // of the class, as "key=value key=value" in the file's own keys
};

// By model_type, or by the name of an architecture ("Qwen3MoeForCausalLM"). nullptr: not known here.
const Model* find_model(std::string_view type);
const Model* find_model_of_architecture(std::string_view architecture);

}  // namespace megamem::hf

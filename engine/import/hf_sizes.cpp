// Layers, widths, vocabulary, norms, MLP and types out of config.json.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "import/hf_parts.h"

namespace megamem::hf {

namespace {

void read_layers(Reader& r) {
    if (const std::string pattern = hybrid_pattern(r); !pattern.empty()) {
        // One of Megatron-LM's layers is an attention and an MLP; a hybrid model has them apart.
        const auto mlps =
            std::count_if(pattern.begin(), pattern.end(), [](char c) { return c != 'M' && c != '*'; });
        const Entry entry = r.find({"hybrid_override_pattern", "layers_block_type", "layer_types"});
        (void)r.find({"num_hidden_layers"});
        if (mlps > 0) r.take("num_layers", mlps, entry);
        return;
    }
    if (r.has(kDoubleLayers)) {
        const Entry entry = r.find({"num_layers"});
        const OptionalInt layers = r.number(entry);
        (void)r.find({"num_hidden_layers"});
        if (layers) r.take("num_layers", 2 * std::min<std::int64_t>(*layers, 1 << 20), entry);
        return;
    }
    r.copy("num_layers", {"num_hidden_layers", "n_layer", "n_layers", "num_layers"});
}

// Meta's params.json has a rule in place of a width (llama/model.py, FeedForward): 2/3 of 4h, times a factor,
// rounded up.
void read_meta_width(Reader& r) {
    const OptionalInt multiple = r.number(r.find({"multiple_of"}));
    const OptionalInt hidden = r.scenario().hidden_size;
    const Entry factor = r.find({"ffn_dim_multiplier"});
    if (!multiple || !hidden || *multiple <= 0 || *multiple > *hidden * 16) {
        return r.ask("ffn_hidden_size", "multiple_of",
                     "multiple_of is needed to derive the width of the MLP");
    }
    std::int64_t width = 4 * *hidden * 2 / 3;
    if (factor) {
        if (!factor.value->is_number())
            return r.ask("ffn_hidden_size", factor.source, "ffn_dim_multiplier is no number");
        const double scaled = factor.value->get<double>() * static_cast<double>(width);
        if (!(scaled >= 1 && scaled < 1e12))
            return r.ask("ffn_hidden_size", factor.source, "ffn_dim_multiplier is out of range");
        width = static_cast<std::int64_t>(scaled);
    }
    width = (width + *multiple - 1) / *multiple * *multiple;
    r.take("ffn_hidden_size", width,
           {nullptr, factor ? "multiple_of and ffn_dim_multiplier" : "multiple_of", factor.line, false});
}

// The width of a block in Nemotron-NAS: 2/3 of the multiple of h, in steps of 256
// (modeling_decilm.py, _ffn_mult_to_intermediate_size).
std::int64_t nas_width(double factor, std::int64_t hidden) {
    if (!(factor > 0 && factor < 1000)) return 0;
    const auto width = static_cast<std::int64_t>(2 * factor * static_cast<double>(hidden) / 3);
    return (width + 255) / 256 * 256;
}

// Blocks of different widths are shown with their mean, so that the total holds.
void read_nas_widths(Reader& r, const Entry& blocks) {
    const std::int64_t hidden = r.scenario().hidden_size.value_or(0);
    if (!blocks.value->is_array() || blocks.value->empty() || hidden == 0) return;
    std::int64_t sum = 0;
    for (const Json& block : *blocks.value) {
        if (!block.is_object()) continue;
        const auto ffn = block.find("ffn");
        if (ffn == block.end() || !ffn->is_object()) continue;
        const auto factor = ffn->find("ffn_mult");
        if (factor != ffn->end() && factor->is_number()) sum += nas_width(factor->get<double>(), hidden);
    }
    const auto count = static_cast<std::int64_t>(blocks.value->size());
    if (sum > 0) r.take("ffn_hidden_size", (sum + count / 2) / count, blocks);
}

void read_mlp_width(Reader& r) {
    if (r.name() == "meta") return read_meta_width(r);
    if (const Entry blocks = r.find({"block_configs"})) {
        (void)r.find({"intermediate_size"});
        return read_nas_widths(r, blocks);
    }
    const OptionalInt width =
        r.copy("ffn_hidden_size", {"intermediate_size_mlp", "dense_intermediate_size", "intermediate_size",
                                   "ffn_hidden_size", "n_inner", "ffn_dim", "inter_dim"});
    if (!width && r.mentions("n_inner") && r.scenario().hidden_size) {
        r.assume("ffn_hidden_size", 4 * *r.scenario().hidden_size);
    }
}

void read_norm(Reader& r) {
    const Entry rms = r.find({"rms_norm_eps", "rms_eps", "norm_eps"});
    const Entry layer = r.find({"layer_norm_eps", "layer_norm_epsilon", "layernorm_epsilon"});
    if (r.is_known()) {
        const Entry& entry = rms ? rms : layer;
        const std::string_view kind = r.has(kLayerNorm) ? "LayerNorm" : "RMSNorm";
        return entry ? (void)r.take("normalization", kind, entry) : r.assume("normalization", kind);
    }
    if (rms)
        r.take("normalization", "RMSNorm", rms);
    else if (layer)
        r.take("normalization", "LayerNorm", layer);
    else
        r.ask("normalization", "rms_norm_eps",
              "the file doesn't say whether the norms are RMSNorm or LayerNorm");
}

void read_gate(Reader& r) {
    const Entry entry = r.find({"hidden_act", "hidden_activation", "mlp_hidden_act", "activation_function",
                                "hidden_activation_function"});
    const std::string_view name = r.word(entry);
    if (r.is_known()) {
        const std::string_view value = r.has(kPlainMlp) ? "0" : "1";
        return entry ? (void)r.take("swiglu", value, entry) : r.assume("swiglu", value);
    }
    if (name == "silu" || name == "swish" || name == "swiglu")
        r.take("swiglu", "1", entry);
    else if (name.starts_with("relu"))
        r.take("swiglu", "0", entry);
    else
        r.ask("swiglu", entry ? entry.source : "hidden_act",
              "the file doesn't say whether the MLP is gated (SwiGLU)");
}

void read_tie(Reader& r) {
    // Of a model with several parts the root's word counts (transformers, PreTrainedConfig).
    const Entry root = r.find_in("", {"tie_word_embeddings"});
    const Entry own = r.find({"tie_word_embeddings"});
    const Entry& entry = root ? root : own;
    if (const auto tied = r.truth(entry)) {
        r.take("untie_embeddings_and_output_weights", *tied ? "0" : "1", entry);
    } else if (r.is_known()) {
        r.assume("untie_embeddings_and_output_weights", r.has(kTied) ? "0" : "1");
    } else {
        r.ask("untie_embeddings_and_output_weights", "tie_word_embeddings",
              "the file doesn't say whether the output layer shares the embedding (tie_word_embeddings)");
    }
}

void read_type(Reader& r) {
    const Entry entry = r.find_anywhere({"torch_dtype", "dtype"});
    std::string_view name = r.word(entry);
    if (name.starts_with("torch.")) name.remove_prefix(6);
    if (name == "bfloat16" || name == "bf16") r.take("precision", "bf16", entry);
    if (name == "float16" || name == "fp16" || name == "half") r.take("precision", "fp16", entry);
    if (name == "float32" || name == "fp32") r.take("precision", "fp32", entry);
    const bool quantised = name.starts_with("fp8") || name.starts_with("float8");
    if (!name.empty() && !quantised && !r.is_set("precision")) {
        r.ask(
            "precision", entry.source,
            fmt::format("{} is the type of the stored weights only: in which is the training?", quote(name)));
    }
}

void read_positions(Reader& r) {
    if (!r.has(kLearnedPositions)) return;
    r.assume("position_embedding_type", "learned_absolute");
    r.copy("max_position_embeddings", {"max_position_embeddings", "n_positions", "n_ctx"});
}

void ask_for_sequence(Reader& r) {
    const Entry limit = r.find({"max_position_embeddings", "n_positions", "max_seq_len", "seq_length"});
    const OptionalInt tokens = limit && limit.value->is_number_integer()
                                   ? OptionalInt(limit.value->get<std::int64_t>())
                                   : std::nullopt;
    r.ask("seq_length", limit ? limit.source : "",
          tokens ? fmt::format("the sequence length of the training: a config has only the model's limit, {}",
                               *tokens)
                 : std::string("the sequence length of the training: a config doesn't have it"));
}

}  // namespace

void read_sizes(Reader& r) {
    read_layers(r);
    r.copy("hidden_size", {"hidden_size", "n_embd", "d_model", "dim"});
    read_mlp_width(r);
    r.copy("vocab_size", {"vocab_size", "padded_vocab_size"});
    read_gate(r);
    read_norm(r);
    read_tie(r);
    read_type(r);
    read_positions(r);
    ask_for_sequence(r);
}

}  // namespace megamem::hf

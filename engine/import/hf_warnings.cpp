// Attention, residual streams and parts of a model that have no field: what is counted in their place.
#include <fmt/format.h>

#include <algorithm>

#include "base/integers.h"
#include "base/units.h"
#include "import/hf_parts.h"

namespace megamem::hf {

namespace {

std::int64_t size_of(Reader& r, Keys keys) {
    const OptionalInt value = r.number(r.find(keys));
    return value && *value > 0 && *value < (1 << 24) ? *value : 0;
}

std::int64_t layers_of(Reader& r) {
    return r.scenario().num_layers.value_or(0);
}

Wide hidden_of(Reader& r) {
    return r.scenario().hidden_size.value_or(0);
}

bool is_on(Reader& r, std::string_view key) {
    const Entry entry = r.find({key});
    return entry && entry.value->is_boolean() && entry.value->get<bool>();
}

std::int64_t count_in(const Entry& list, std::string_view word) {
    if (!list || !list.value->is_array()) return 0;
    return std::count_if(list.value->begin(), list.value->end(), [&](const Json& item) {
        return item.is_string() && item.get_ref<const std::string&>() == word;
    });
}

// DeepSeek's lightning indexer (DeepSeek-V3.2, inference/model.py, Indexer): queries from the compressed
// ones, one key a token with a LayerNorm, and a weight a head.
void warn_about_indexer(Reader& r) {
    const Entry heads_entry = r.find({"index_n_heads"});
    const Wide heads = size_of(r, {"index_n_heads"});
    const Wide width = size_of(r, {"index_head_dim"});
    if (heads == 0 || !r.scenario().multi_latent_attention) return;
    const Wide each =
        heads * width * r.scenario().q_lora_rank.value_or(0) + hidden_of(r) * (width + heads) + 2 * width;
    const Entry types = r.find({"indexer_types"});
    const std::int64_t indexers =
        (types && types.value->is_array() ? count_in(types, "full") : layers_of(r)) +
        r.scenario().mtp_num_layers;
    r.not_modelled(
        heads_entry.source,
        fmt::format("sparse attention isn't modelled: the {} indexers and what they keep are missing; "
                    "attention is counted as dense.{}",
                    indexers, tell_missing(indexers * each)));
}

std::int64_t child(const Json& object, std::string_view key) {
    const auto found = object.find(std::string(key));
    if (found == object.end() || !found->is_number_unsigned()) return 0;
    return static_cast<std::int64_t>(std::min<std::uint64_t>(found->get<std::uint64_t>(), 1 << 20));
}

// MiniMax-M3: index queries and one index key, each with a norm.
void warn_about_block_sparse(Reader& r) {
    const Entry config = r.find({"sparse_attention_config"});
    if (!config || !config.value->is_object()) return;
    const Wide width = child(*config.value, "sparse_index_dim");
    const Wide heads = child(*config.value, "sparse_num_index_heads");
    const auto frequency = config.value->find("sparse_attention_freq");
    std::int64_t layers = layers_of(r);
    if (frequency != config.value->end() && frequency->is_array()) {
        layers = std::count(frequency->begin(), frequency->end(), Json(1));
    }
    layers += r.scenario().mtp_num_layers;
    const Wide each = hidden_of(r) * (heads + 1) * width + 2 * width;
    r.not_modelled(config.source,
                   fmt::format("block-sparse attention isn't modelled: the {} indexers and what they "
                               "keep are missing; attention is counted as dense.{}",
                               layers, tell_missing(layers * each)));
}

// DeepSeek-V4's attention (inference/model.py): compressed queries, one key/value head, an output of low rank
// in groups, a sink a head. Layers that compress their keys have a compressor, which overlaps its windows
// when they are of four tokens; those layers have an indexer too.
class CompressedAttention {
  public:
    explicit CompressedAttention(Reader& r)
        : h_(hidden_of(r)),
          rank_(size_of(r, {"q_lora_rank"})),
          output_(size_of(r, {"o_lora_rank"})),
          groups_(std::max<std::int64_t>(size_of(r, {"o_groups"}), 1)),
          width_(r.scenario().kv_channels.value_or(0)),
          heads_(r.scenario().num_attention_heads.value_or(0)),
          index_heads_(size_of(r, {"index_n_heads"})),
          index_width_(size_of(r, {"index_head_dim"})) {}

    Wide layer(std::int64_t ratio) const {
        const Wide queries = h_ * rank_ + rank_ + rank_ * heads_ * width_;
        const Wide keys = h_ * width_ + width_;
        const Wide output = heads_ * width_ * output_ + output_ * groups_ * h_;
        Wide sum = queries + keys + output + heads_;
        if (ratio > 0) sum += compressor(ratio, width_);
        if (ratio == kOverlapping)
            sum += rank_ * index_heads_ * index_width_ + h_ * index_heads_ + compressor(ratio, index_width_);
        return sum;
    }

  private:
    static constexpr std::int64_t kOverlapping = 4;

    Wide compressor(std::int64_t ratio, Wide width) const {
        const Wide both = (ratio == kOverlapping ? 2 : 1) * width;
        return 2 * h_ * both + ratio * both + width;
    }

    Wide h_, rank_, output_, groups_, width_, heads_, index_heads_, index_width_;
};

void warn_about_v4(Reader& r) {
    const Entry rank = r.find({"o_lora_rank"});
    if (!rank) return;
    const CompressedAttention parts(r);
    const std::int64_t layers = layers_of(r) + r.scenario().mtp_num_layers;
    const Entry ratios = r.find({"compress_ratios"});
    Wide total = 0;
    for (std::int64_t layer = 0; layer < layers; ++layer) {
        const auto at = static_cast<std::size_t>(layer);
        const bool listed = ratios && ratios.value->is_array() && at < ratios.value->size() &&
                            (*ratios.value)[at].is_number_unsigned();
        const std::uint64_t ratio = listed ? (*ratios.value)[at].get<std::uint64_t>() : 0;
        total += parts.layer(static_cast<std::int64_t>(std::min<std::uint64_t>(ratio, 1 << 20)));
    }
    for (const std::string_view key : {"num_hash_layers", "compress_rope_theta", "qk_rope_head_dim"})
        (void)r.find({key});
    const auto attention = attention_parameters(r.scenario());
    r.not_modelled(
        rank.source,
        fmt::format("attention with compressed queries and keys and an output of low rank isn't modelled; "
                    "plain attention is counted in its place.{} What compressors and indexers keep is "
                    "missing.",
                    attention ? tell_missing(total - layers * *attention) : ""));
}

// DeepSeek-V4's hyper-connections: before attention and before the MLP a mixing matrix over all streams, and
// one at the end.
void warn_about_streams(Reader& r) {
    const Entry streams = r.find({"hc_mult"});
    if (!streams) return;
    const Wide n = size_of(r, {"hc_mult"});
    const Wide wide = n * hidden_of(r);
    const Wide mixes = (2 + n) * n;
    const std::int64_t layers = layers_of(r) + r.scenario().mtp_num_layers;
    const Wide total = layers * 2 * (wide * mixes + mixes + 3) + wide * n + n + 1;
    r.not_modelled(
        streams.source,
        fmt::format("hyper-connections aren't modelled: the residual stream is {} times as wide as "
                    "counted, so activations are too low.{}",
                    static_cast<std::int64_t>(n), tell_missing(total)));
}

// Laguna: more heads in some layers, and a gate for each head.
void warn_about_heads(Reader& r) {
    const Entry list = r.find({"num_attention_heads_per_layer"});
    if (!list || !list.value->is_array()) return;
    Wide heads = 0;
    for (const Json& item : *list.value)
        heads += item.is_number_unsigned() ? std::min<std::uint64_t>(item.get<std::uint64_t>(), 1 << 16) : 0;
    const Wide counted = Wide{r.scenario().num_attention_heads.value_or(0)} * layers_of(r);
    const bool gate = r.word(r.find({"gating"})) == "per-head";
    const Wide width = r.scenario().kv_channels.value_or(0);
    const Wide missing =
        (heads - counted) * 2 * width * hidden_of(r) + (gate ? heads * hidden_of(r) : Wide{0});
    if (missing == 0) return;
    r.not_modelled(list.source,
                   fmt::format("layers with other numbers of heads aren't modelled: all are counted with "
                               "{} heads{}.{}",
                               r.scenario().num_attention_heads.value_or(0), gate ? " and without gates" : "",
                               tell_missing(missing)));
}

// Gemma 4: layers of global attention have wider heads, fewer of them for keys, and values that are the keys.
void warn_about_global_layers(Reader& r) {
    const Entry width_entry = r.find({"global_head_dim"});
    const std::int64_t layers = count_in(r.find({"layer_types"}), "full_attention");
    const Wide width = size_of(r, {"global_head_dim"});
    const auto attention = attention_parameters(r.scenario());
    if (width == 0 || layers == 0) return;
    const Wide heads = r.scenario().num_attention_heads.value_or(0);
    const Wide groups = size_of(r, {"num_global_key_value_heads"});
    const Wide keys = is_on(r, "attention_k_eq_v") ? 1 : 2;
    const Wide each = hidden_of(r) * width * (2 * heads + keys * groups) + 2 * width;
    r.not_modelled(
        width_entry.source,
        fmt::format("the {} layers with heads of width {} aren't modelled: they are counted like the "
                    "others.{}",
                    layers, static_cast<std::int64_t>(width),
                    attention ? tell_missing(layers * (each - *attention)) : ""));
}

// MiMo-V2: values narrower than keys, and more key/value heads in layers with a window.
void warn_about_value_width(Reader& r) {
    const Entry entry = r.find({"v_head_dim"});
    if (!entry || r.scenario().multi_latent_attention) return;
    const auto attention = attention_parameters(r.scenario());
    const Wide heads = r.scenario().num_attention_heads.value_or(0);
    const Wide groups = r.scenario().num_query_groups.value_or(0);
    const Wide width = r.scenario().kv_channels.value_or(0);
    const Wide values = size_of(r, {"v_head_dim"});
    const OptionalInt window_groups = r.number(r.find({"swa_num_key_value_heads"}));
    const Entry pattern = r.find({"hybrid_layer_pattern"});
    const std::int64_t windows = window_groups && pattern && pattern.value->is_array()
                                     ? std::count(pattern.value->begin(), pattern.value->end(), Json(1))
                                     : 0;
    const auto parameters = [&](Wide kv) { return hidden_of(r) * (heads + kv) * (width + values); };
    const Wide total =
        (layers_of(r) - windows) * parameters(groups) + windows * parameters(window_groups.value_or(0));
    for (const std::string_view key : {"swa_num_attention_heads", "swa_head_dim", "swa_v_head_dim",
                                       "add_swa_attention_sink_bias", "add_full_attention_sink_bias"})
        (void)r.find({key});
    if (values == width && windows == 0) return;
    r.not_modelled(
        entry.source,
        fmt::format("values of another width than keys aren't modelled: heads are counted {} wide with {} "
                    "key/value heads in every layer.{}",
                    static_cast<std::int64_t>(width), static_cast<std::int64_t>(groups),
                    attention ? tell_missing(total - layers_of(r) * *attention) : ""));
}

// Nemotron-NAS: blocks without attention. A block without it has no norm for it either.
void warn_about_blocks(Reader& r) {
    const Entry blocks = r.find({"block_configs"});
    if (!blocks || !blocks.value->is_array()) return;
    std::int64_t without = 0;
    for (const Json& block : *blocks.value) {
        const auto attention = block.is_object() ? block.find("attention") : block.end();
        if (attention == block.end() || !attention->is_object()) continue;
        const auto none = attention->find("no_op");
        without += none != attention->end() && none->is_boolean() && none->get<bool>();
    }
    const auto attention = attention_parameters(r.scenario());
    r.not_modelled(
        blocks.source,
        fmt::format("layers that differ aren't modelled: every MLP has the mean width, and attention is "
                    "counted in all {} layers though {} have none.{} Shares of pipeline stages are wrong.",
                    layers_of(r), without,
                    attention ? tell_missing(-without * (*attention + hidden_of(r))) : ""));
}

void warn_about_latent_gate(Reader& r) {
    if (!is_on(r, "mla_use_output_gate")) return;
    const Entry linear = r.find({"linear_attn_config"});
    std::int64_t layers = layers_of(r);
    if (linear && linear.value->is_object()) {
        const auto full = linear.value->find("full_attn_layers");
        if (full != linear.value->end() && full->is_array()) layers = static_cast<std::int64_t>(full->size());
    }
    const Wide each = hidden_of(r) * r.scenario().num_attention_heads.value_or(0) * r.scenario().v_head_dim;
    r.not_modelled("mla_use_output_gate",
                   fmt::format("an output gate of multi-latent attention isn't modelled in {} "
                               "layers.{}",
                               layers, tell_missing(layers * each)));
}

// attention_bias is for every projection of the attention in these classes (transformers,
// models/*/modeling_*.py), and add_qkv_bias has none for the output; in others the output never has one.
void warn_about_output_bias(Reader& r) {
    constexpr std::string_view kClasses[] = {"cohere", "cohere2",     "deepseek_v2", "deepseek_v3", "gemma",
                                             "gemma2", "gemma3_text", "granite",     "granitemoe",  "kimi_k2",
                                             "llama",  "nemotron",    "olmo",        "olmo2",       "olmoe",
                                             "qwen3",  "qwen3_moe"};
    const Scenario& s = r.scenario();
    if (!is_on(r, "attention_bias") || s.add_bias_linear ||
        std::find(std::begin(kClasses), std::end(kClasses), r.name()) == std::end(kClasses))
        return;
    const Wide latent =
        s.multi_latent_attention ? s.q_lora_rank.value_or(0) + s.kv_lora_rank + s.qk_pos_emb_head_dim : 0;
    r.not_modelled(
        "attention_bias",
        fmt::format("the bias of the attention's output isn't modelled without those of the MLP.{}",
                    tell_missing((hidden_of(r) + latent) * layers_of(r))));
}

void warn_about_shape(Reader& r) {
    if (r.has(kFourNorms)) {
        r.not_modelled(
            "model_type",
            fmt::format("norms after attention and MLP aren't modelled: what two more norms keep in each "
                        "layer is missing, so activations are too low.{}",
                        tell_missing(2 * hidden_of(r) * layers_of(r))));
    }
    if (r.has(kDoubleLayers)) {
        const Entry zero = r.find({"zero_expert_num", "zero_expert_type"});
        r.not_modelled(
            "num_layers",
            fmt::format("layers of two attentions and two dense MLPs are counted as {} layers, every second "
                        "with experts beside its MLP. Experts that compute nothing hold no weights; all "
                        "tokens are counted as sent to real ones, so activations of experts are too high{}",
                        layers_of(r),
                        zero ? fmt::format(" ({} such experts)", size_of(r, {"zero_expert_num"})) : ""));
    }
}

void warn_about_parts(Reader& r) {
    struct Part {
        std::string_view key;
        std::string_view message;
    };
    for (const Part& part :
         {Part{"audio_config", "the audio tower isn't modelled; the figures are too low by it"},
          Part{"speech_config", "the speech tower isn't modelled; the figures are too low by it"},
          Part{"talker_config", "the talker isn't modelled; the figures are too low by it"}}) {
        std::string above =
            r.path().substr(0, r.path().rfind('.') == std::string::npos ? 0 : r.path().rfind('.'));
        Entry entry = r.find_in(above, {part.key});
        if (!entry) entry = r.find_in("", {part.key});
        if (entry && entry.value->is_object()) r.not_modelled(entry.source, std::string(part.message));
    }
    const Entry shared = r.find({"num_kv_shared_layers"});
    if (size_of(r, {"num_kv_shared_layers"}) > 0)
        r.not_modelled(shared.source,
                       "layers that share keys and values aren't modelled; their figures are too high");
    const Entry extra = r.find({"hidden_size_per_layer_input"});
    if (size_of(r, {"hidden_size_per_layer_input"}) > 0)
        r.not_modelled(extra.source, "embeddings for each layer aren't modelled; the figures are too low");
    (void)r.find({"cla_share_factor"});
    if (is_on(r, "use_cla"))
        r.not_modelled("use_cla",
                       "layers that share keys and values aren't modelled; their figures are too high");
    if (is_on(r, "latent_moe_use_norm"))
        r.note("latent_moe_use_norm", "the norm of the latent experts isn't counted");
    if (is_on(r, "is_encoder_decoder"))
        r.not_modelled("is_encoder_decoder",
                       "an encoder beside the decoder isn't modelled; the figures are too low");
}

}  // namespace

void warn_about_attention(Reader& r) {
    warn_about_indexer(r);
    warn_about_block_sparse(r);
    warn_about_v4(r);
    warn_about_streams(r);
    warn_about_heads(r);
    warn_about_global_layers(r);
    warn_about_value_width(r);
    warn_about_blocks(r);
    warn_about_latent_gate(r);
    warn_about_output_bias(r);
    warn_about_shape(r);
    warn_about_parts(r);
}

}  // namespace megamem::hf

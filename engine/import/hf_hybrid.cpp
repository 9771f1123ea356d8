// Models whose layers aren't all attention: state space, gated delta net, Kimi delta attention, lightning
// attention. They are counted as attention layers, and a warning says what that misses.
#include <fmt/format.h>

#include <algorithm>

#include "base/integers.h"
#include "base/units.h"
#include "import/hf_parts.h"
#include "model/inventory.h"

namespace megamem::hf {

namespace {

constexpr std::string_view kActivations =
    " What such layers keep for backward isn't counted either; that of attention is in its place.";

std::int64_t number_or_zero(Reader& r, Keys keys) {
    const OptionalInt value = r.number(r.find(keys));
    // Wide enough for every model and narrow enough for products.
    return value && *value > 0 && *value < (1 << 24) ? *value : 0;
}

std::int64_t child(const Entry& object, std::string_view key) {
    if (!object || !object.value->is_object()) return 0;
    const auto found = object.value->find(std::string(key));
    if (found == object.value->end() || !found->is_number_unsigned()) return 0;
    return static_cast<std::int64_t>(std::min<std::uint64_t>(found->get<std::uint64_t>(), 1 << 24));
}

std::int64_t list_size(const Entry& object, std::string_view key) {
    if (!object || !object.value->is_object()) return 0;
    const auto found = object.value->find(std::string(key));
    return found != object.value->end() && found->is_array() ? static_cast<std::int64_t>(found->size()) : 0;
}

// `each`: the parameters of one such layer; 0: unknown.
void tell(Reader& r, const Entry& entry, std::string_view kind, std::int64_t count, Wide each) {
    const auto attention = attention_parameters(r.scenario());
    const std::string figure =
        attention && each > 0 ? tell_missing(count * (each - *attention)) : std::string();
    r.not_modelled(entry.source,
                   fmt::format("{} of the {} layers are {}, which isn't modelled: they are counted "
                               "as attention layers.{}{}",
                               count, r.scenario().num_layers.value_or(0), kind, figure, kActivations));
}

// core/ssm/mamba_mixer.py:217-409@d98e8a64: input and output projections, a short convolution, A, D and the
// bias of dt of each head, a gated norm.
Wide mamba_parameters(Reader& r) {
    const Wide hidden = r.scenario().hidden_size.value_or(0);
    const Wide heads = number_or_zero(r, {"mamba_num_heads", "mamba_n_heads"});
    const Wide inner = heads * number_or_zero(r, {"mamba_head_dim", "mamba_d_head"});
    const Wide state = 2 * Wide{number_or_zero(r, {"n_groups", "mamba_n_groups"})} *
                       number_or_zero(r, {"ssm_state_size", "mamba_d_state"});
    const Wide kernel = number_or_zero(r, {"conv_kernel", "mamba_d_conv"});
    if (inner == 0 || state == 0 || kernel == 0) return 0;
    return hidden * (2 * inner + state + heads) + (inner + state) * (kernel + 1) + 3 * heads + inner +
           inner * hidden;
}

void warn_about_mamba(Reader& r, const std::string& pattern) {
    const Wide hidden = r.scenario().hidden_size.value_or(0);
    const auto count = [&](char kind) { return std::count(pattern.begin(), pattern.end(), kind); };
    const std::int64_t mambas = count('M');
    const std::int64_t attentions = count('*');
    const std::int64_t layers = r.scenario().num_layers.value_or(0);
    const Wide each = mamba_parameters(r);
    const auto attention = attention_parameters(r.scenario());
    std::string figure;
    if (attention && each > 0) {
        // A sublayer has one norm, a layer of the engine two.
        const Wide norms = (mambas + attentions - layers) * hidden;
        figure = tell_missing(mambas * each + norms + (attentions - layers) * *attention);
    }
    r.not_modelled(
        r.find({"hybrid_override_pattern", "layers_block_type"}).source,
        fmt::format("Mamba layers aren't modelled: the {} Mamba, {} attention and {} MLP or expert layers "
                    "are counted as {} layers of attention and MLP.{}{}",
                    mambas, attentions, layers, layers, figure, kActivations));
}

// core/ssm/gated_delta_net@d98e8a64: projections of queries, keys, values and gate, of beta and decay, a
// short convolution, decay parameters of each value head, a norm.
void warn_about_delta_net(Reader& r) {
    const Entry types = r.find({"layer_types"});
    const Entry interval = r.find({"full_attention_interval"});
    std::int64_t linear = 0;
    if (types && types.value->is_array()) {
        for (const Json& item : *types.value)
            linear += item.is_string() && item.get_ref<const std::string&>() == "linear_attention";
    } else if (r.has(kDeltaNet)) {
        const std::int64_t layers = r.scenario().num_layers.value_or(0);
        const OptionalInt every = r.number(interval);
        linear = every && *every > 0 ? layers - layers / *every : 0;
    }
    if (linear == 0 || r.has(kLightning)) return;
    const Wide hidden = r.scenario().hidden_size.value_or(0);
    const Wide value_heads = number_or_zero(r, {"linear_num_value_heads"});
    const Wide value_width = number_or_zero(r, {"linear_value_head_dim"});
    const Wide values = value_heads * value_width;
    const Wide keys =
        Wide{number_or_zero(r, {"linear_num_key_heads"})} * number_or_zero(r, {"linear_key_head_dim"});
    const Wide kernel = number_or_zero(r, {"linear_conv_kernel_dim"});
    const Wide each = values * keys * kernel == 0 ? 0
                                                  : hidden * (2 * keys + 2 * values + 2 * value_heads) +
                                                        (2 * keys + values) * kernel + 2 * value_heads +
                                                        value_width + values * hidden;
    tell(r, types ? types : interval, "gated delta nets", linear, each);
}

// Kimi Linear (modeling_kimi.py, KimiDeltaAttention): five square projections with a full-rank gate, low-rank
// decay, beta, three short convolutions. A gate of low rank has two factors of the head's width.
void warn_about_delta_attention(Reader& r) {
    const Entry config = r.find({"linear_attn_config"});
    const std::int64_t count = list_size(config, "kda_layers");
    if (count == 0) return;
    const Wide hidden = r.scenario().hidden_size.value_or(0);
    const Wide heads = child(config, "num_heads");
    const Wide width = child(config, "head_dim");
    const Wide kernel = child(config, "short_conv_kernel_size");
    const Wide inner = heads * width;
    const auto full = config.value->find("use_full_rank_gate");
    const bool full_rank = full != config.value->end() && full->is_boolean() && full->get<bool>();
    const Wide low = hidden * width + width * inner;
    const Wide each = 4 * hidden * inner + (full_rank ? hidden * inner : low) + low + hidden * heads +
                      3 * inner * kernel + heads + inner + width;
    tell(r, config, "Kimi delta attention", count, inner == 0 ? Wide{0} : each);
}

// MiniMax-Text-01 (modeling_minimax_m1.py, MiniMaxM1LightningAttention): queries, keys, values, output and an
// output gate over all heads, and a norm.
void warn_about_lightning(Reader& r) {
    const Entry types = r.find({"attn_type_list", "layer_types"});
    if (!r.has(kLightning) || !types || !types.value->is_array()) return;
    std::int64_t count = 0;
    for (const Json& item : *types.value)
        count += item == 0 || item == "linear_attention";
    const Wide hidden = r.scenario().hidden_size.value_or(0);
    const Wide inner =
        Wide{r.scenario().num_attention_heads.value_or(0)} * r.scenario().kv_channels.value_or(0);
    if (count > 0) tell(r, types, "lightning attention", count, 5 * hidden * inner + inner);
}

}  // namespace

std::string hybrid_pattern(Reader& r) {
    const Entry entry = r.find({"hybrid_override_pattern", "layers_block_type"});
    std::string pattern;
    if (!r.has(kMamba) || !entry) return pattern;
    if (entry.value->is_string()) {
        for (const char c : entry.value->get_ref<const std::string&>()) {
            if (c == 'M' || c == '*' || c == 'E' || c == '-') pattern += c;
        }
    } else if (entry.value->is_array()) {
        for (const Json& item : *entry.value) {
            const std::string_view kind =
                item.is_string() ? item.get_ref<const std::string&>() : std::string_view{};
            if (kind == "mamba") pattern += 'M';
            if (kind == "attention") pattern += '*';
            if (kind == "moe") pattern += 'E';
            if (kind == "mlp") pattern += '-';
        }
    }
    return pattern;
}

std::optional<Wide> attention_parameters(const Scenario& scenario) {
    Scenario s = scenario;
    s.seq_length = s.micro_batch_size = 1;
    s.vision_num_layers = 0;
    Problems problems;
    Assumptions assumptions;
    const auto resolved = resolve(s, problems, assumptions);
    if (!resolved) return std::nullopt;
    Wide sum = 0;
    for (const Tensor& tensor : decoder_layer(s, sizes_of(s, *resolved), false)) {
        if (tensor.module == "attention") sum += tensor.elements();
    }
    return sum;
}

std::string tell_missing(Wide missing) {
    if (missing == 0) return "";
    return fmt::format(" The parameters shown are {} too {}.",
                       grouped(narrow(missing < 0 ? -missing : missing)), missing < 0 ? "high" : "low");
}

void warn_about_layers(Reader& r) {
    if (const std::string pattern = hybrid_pattern(r); !pattern.empty()) {
        warn_about_mamba(r, pattern);
    } else if (r.has(kMamba)) {
        r.not_modelled("model_type",
                       fmt::format("{} has state-space layers, which aren't modelled: all its layers "
                                   "are counted as attention and MLP",
                                   r.name()));
    }
    warn_about_delta_net(r);
    warn_about_delta_attention(r);
    warn_about_lightning(r);
}

}  // namespace megamem::hf

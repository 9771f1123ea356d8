// Heads, multi-latent attention, biases and norms of attention out of config.json.
#include <fmt/format.h>

#include <algorithm>

#include "import/hf_parts.h"
#include "scenario/defaults.h"

namespace megamem::hf {

namespace {

bool is_latent(Reader& r) {
    if (const auto use = r.truth(r.find({"use_mla"})); use && !*use) return false;
    const Entry rank = r.find({"kv_lora_rank"});
    return rank && rank.value->is_number_integer() && rank.value->get<std::int64_t>() > 0;
}

void read_latent(Reader& r) {
    r.take("multi_latent_attention", "1", r.find({"kv_lora_rank"}));
    // DeepSeek's own files write 0 where queries aren't compressed.
    const Entry rank = r.find({"q_lora_rank"});
    if (rank && !(rank.value->is_number_integer() && rank.value->get<std::int64_t>() == 0))
        r.copy("q_lora_rank", {"q_lora_rank"});
    const auto need = [&](std::string_view field, std::string_view key) {
        if (r.copy(field, {key})) return;
        r.ask(field, std::string(key), fmt::format("{} is needed for multi-latent attention", key));
    };
    need("kv_lora_rank", "kv_lora_rank");
    need("qk_head_dim", "qk_nope_head_dim");
    need("qk_pos_emb_head_dim", "qk_rope_head_dim");
    need("v_head_dim", "v_head_dim");
    r.assume("qk_layernorm", "1");
    // Megatron-LM asks for kv_channels too, without using it here.
    r.copy("kv_channels", {"qk_nope_head_dim"});
    (void)r.find({"head_dim", "qk_head_dim"});
}

void read_head_width(Reader& r) {
    if (r.copy("kv_channels", {"head_dim", "attention_head_dim", "kv_channels"})) return;
    const OptionalInt hidden = r.scenario().hidden_size;
    const OptionalInt heads = r.scenario().num_attention_heads;
    const OptionalInt quotient = default_kv_channels(hidden, heads);
    // A head_dim of null, and a class that knows none, mean the quotient.
    if (quotient && (r.is_known() || r.mentions("head_dim"))) return r.assume("kv_channels", *quotient);
    if (!hidden || !heads) return;
    r.ask("kv_channels", "head_dim",
          quotient
              ? fmt::format("head_dim isn't in the file; hidden size {} / {} heads is {}, but many models "
                            "have heads of another width",
                            *hidden, *heads, *quotient)
              : fmt::format("head_dim isn't in the file and hidden size {} isn't divisible by {} heads",
                            *hidden, *heads));
}

// Nemotron-NAS gives heads per group, block by block; all blocks with attention have the same.
void read_block_groups(Reader& r, const Entry& blocks) {
    (void)r.find({"num_key_value_heads"});
    const OptionalInt heads = r.scenario().num_attention_heads;
    if (!heads || !blocks.value->is_array()) return;
    for (const Json& block : *blocks.value) {
        if (!block.is_object()) continue;
        const auto attention = block.find("attention");
        if (attention == block.end() || !attention->is_object()) continue;
        const auto share = attention->find("n_heads_in_group");
        if (share == attention->end() || !share->is_number_unsigned()) continue;
        const auto size = static_cast<std::int64_t>(share->get<std::uint64_t>());
        if (size > 0 && size <= *heads) r.take("num_query_groups", *heads / size, blocks);
        return;
    }
}

void read_groups(Reader& r) {
    const OptionalInt heads = r.scenario().num_attention_heads;
    if (const Entry blocks = r.find({"block_configs"})) return read_block_groups(r, blocks);
    const OptionalInt groups = r.copy(
        "num_query_groups", {"num_key_value_heads", "n_kv_heads", "num_kv_heads", "multi_query_group_num"});
    if (groups && heads && *groups > 0 && *heads % *groups != 0) {
        r.not_modelled(
            "num_key_value_heads",
            fmt::format("{} key/value heads don't divide {} heads: no model has that, so check the file",
                        *groups, *heads));
    }
    if (groups || !heads || r.is_asked("num_query_groups")) return;
    if (r.mentions("num_key_value_heads") || r.is_known() || r.scenario().multi_latent_attention) {
        return r.assume("num_query_groups", *heads);
    }
    r.ask("num_query_groups", "num_key_value_heads",
          fmt::format("num_key_value_heads isn't in the file; without grouped queries it is the {} heads",
                      *heads));
}

void read_biases(Reader& r) {
    const Entry all = r.find({"use_bias", "add_bias_linear"});
    const Entry mlp = r.find({"mlp_bias"});
    const Entry attention = r.find({"attention_bias", "qkv_bias", "use_qkv_bias", "add_qkv_bias"});
    const auto on = [&](const Entry& entry) { return r.truth(entry).value_or(false); };
    if (r.has(kAllBiases) && (!all || on(all))) return r.assume("add_bias_linear", "1");
    if (on(all) || on(mlp)) {
        if (!on(all) && !on(attention))
            r.note(mlp.source, "biases are on the MLP only; the engine counts those of attention too");
        r.take("add_bias_linear", "1", on(all) ? all : mlp);
        return;
    }
    if (all)
        r.take("add_bias_linear", "0", all);
    else
        r.assume("add_bias_linear", "0");
    if (attention)
        r.take("add_qkv_bias", on(attention) ? "1" : "0", attention);
    else
        r.assume("add_qkv_bias", r.has(kQkvBias) ? "1" : "0");
}

void read_query_norm(Reader& r) {
    const Entry entry = r.find({"use_qk_norm", "qk_layernorm", "qk_norm", "use_qk_layernorm"});
    const Entry kind = r.find({"qk_norm_type"});
    const auto use = r.truth(entry);
    const bool llama4 = r.name().starts_with("llama4");  // its norm has no weights
    if (use)
        r.take("qk_layernorm", *use && !llama4 ? "1" : "0", entry);
    else
        r.assume("qk_layernorm", r.has(kQkNorm | kWideQkNorm) ? "1" : "0");
    const bool wide = r.has(kWideQkNorm) || r.word(kind) == "per_layer";
    if (wide && r.scenario().qk_layernorm) {
        r.note(
            kind ? kind.source : std::string("qk_layernorm"),
            "the norms of queries and keys go over all heads together; the engine counts those of one head, "
            "a negligible difference");
    }
}

void read_rotary_share(Reader& r) {
    Entry share = r.find({"partial_rotary_factor", "rotary_pct"});
    for (const std::string_view parent : {"rope_parameters", "rope_scaling"}) {
        const std::string path =
            r.path().empty() ? std::string(parent) : fmt::format("{}.{}", r.path(), parent);
        if (!share) share = r.find_in(path, {"partial_rotary_factor"});
    }
    if (!share || !share.value->is_number()) return;
    const double factor = share.value->get<double>();
    if (factor > 0 && factor <= 1) {
        const Decimal4 rounded{static_cast<std::int64_t>(factor * Decimal4::kOne + 0.5)};
        r.take("rotary_percent", to_text(rounded), share);
    };
}

}  // namespace

void read_attention(Reader& r) {
    r.copy("num_attention_heads", {"num_attention_heads", "n_head", "n_heads", "num_heads"});
    const bool latent = is_latent(r);
    if (latent) read_latent(r);
    read_groups(r);
    if (!latent) {
        read_head_width(r);
        read_query_norm(r);
        read_rotary_share(r);
    }
    read_biases(r);
    const Entry gate = r.find({"attn_output_gate", "attention_output_gate"});
    if (const auto on = r.truth(gate))
        r.take("attention_output_gate", *on ? "1" : "0", gate);
    else if (r.has(kOutputGate))
        r.assume("attention_output_gate", "1");
}

}  // namespace megamem::hf

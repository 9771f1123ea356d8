#include "memory/explain_symbols.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace megamem {

namespace {

bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// The longest symbol that stands at a position as a whole word.
const Symbol* symbol_at(std::string_view text, std::size_t at, const Symbols& symbols) {
    // "stage's" is a word, not the sequence length.
    if (at > 0 && (is_word(text[at - 1]) || text[at - 1] == '\'')) return nullptr;
    const Symbol* longest = nullptr;
    for (const Symbol& symbol : symbols) {
        const std::size_t end = at + symbol.name.size();
        if (!text.substr(at).starts_with(symbol.name)) continue;
        if (end < text.size() && is_word(text[end])) continue;
        if (longest == nullptr || symbol.name.size() > longest->name.size()) longest = &symbol;
    }
    return longest;
}

class Table {
  public:
    void add(std::string_view name, Wide value, std::string_view meaning) {
        add(name, number(value), meaning);
    }
    void add(std::string_view name, Decimal4 value, std::string_view meaning) {
        add(name, to_text(value), meaning);
    }
    void add(std::string_view name, std::string text, std::string_view meaning) {
        add_symbol(symbols, name, std::move(text), meaning);
    }

    Symbols symbols;
};

void add_groups(const Sizes& z, Table& table) {
    table.add("TP", z.tp, "tensor parallel size");
    table.add("PP", z.pp, "pipeline parallel size");
    table.add("CP", z.cp, "context parallel size");
    table.add("EP", z.ep, "expert parallel size");
    table.add("ETP", z.etp, "tensor parallel size inside an expert");
    table.add("DP", z.dp, "data parallel size");
    table.add("EDP", z.edp, "data parallel size of experts");
}

}  // namespace

void add_symbol(Symbols& symbols, std::string_view name, std::string value, std::string_view meaning) {
    symbols.push_back({std::string(name), std::move(value), std::string(meaning)});
}

std::string number(Wide value) {
    return fmt::format("{}", narrow(value));
}

// In integers: the page is built without the weight of printing floating point.
std::string number(double value) {
    constexpr double kMost = 9e18;
    const double size = std::min(std::abs(value), kMost);
    if (!(size >= 0)) return "0";  // not a number
    auto whole = static_cast<std::int64_t>(size);
    // Shares of a byte have up to nine places; of large numbers so many would be noise.
    const int places = size < 1e6 ? 9 : 4;
    const std::int64_t one = places == 9 ? 1'000'000'000 : 10'000;
    auto rest = std::llround((size - static_cast<double>(whole)) * static_cast<double>(one));
    if (rest >= one) {
        ++whole;
        rest = 0;
    }
    std::string text = fmt::format("{}{}", value < 0 && (whole > 0 || rest > 0) ? "-" : "", whole);
    if (rest == 0) return text;
    text += fmt::format(".{:0{}}", rest, places);
    text.erase(text.find_last_not_of('0') + 1);
    return text;
}

Symbols symbols_in(std::string_view formula, const Symbols& symbols) {
    std::vector<bool> used(symbols.size(), false);
    for (std::size_t at = 0; at < formula.size();) {
        const Symbol* symbol = symbol_at(formula, at, symbols);
        if (symbol != nullptr) used[static_cast<std::size_t>(symbol - symbols.data())] = true;
        at += symbol == nullptr ? 1 : symbol->name.size();
    }
    Symbols found;
    for (std::size_t i = 0; i < symbols.size(); ++i) {
        if (used[i]) found.push_back(symbols[i]);
    }
    return found;
}

std::string substitute(std::string_view formula, const Symbols& symbols) {
    std::string text;
    for (std::size_t at = 0; at < formula.size();) {
        const Symbol* symbol = symbol_at(formula, at, symbols);
        if (symbol == nullptr) {
            text += formula[at++];
        } else {
            text += symbol->value;
            at += symbol->name.size();
        }
    }
    return text;
}

Symbols calculator_symbols(const Plan& plan, const LayerCounts& layers) {
    const Scenario& s = plan.scenario;
    const Resolved& r = plan.resolved;
    const calculator::Terms t = calculator::terms_of(s, r);
    const Groups groups = calculator::groups_of(s, r);
    const bool shares = !s.untie_embeddings_and_output_weights && layers.embedding > 0;
    Table table;
    table.add("tokens", t.tokens, "tokens of a micro-batch: sequence x micro-batch");
    table.add("hidden", t.hidden, "hidden size");
    table.add("vocab", t.vocab, "vocabulary");
    table.add("heads", r.heads, "query heads");
    table.add("groups", r.groups, "key/value heads");
    table.add("kv_channels", r.head_width, "width of a head");
    table.add("output_gate", s.attention_output_gate ? 1 : 0, "1 with an attention output gate");
    table.add("ffn", t.ffn, "width of an expert, or of a dense model's MLP");
    table.add("topk", t.topk, "experts that a token visits");
    table.add("experts", s.num_experts, "routed experts of a layer");
    table.add("shared", t.shared, "width of the shared expert");
    table.add("linear_bytes", t.linear_bytes, "bytes an element of a linear layer: 1 in FP8");
    table.add("droprate", s.droprate, "share of the routed tokens that are kept");
    table.add("layers", layers.dense + layers.moe, "layers of this rank");
    table.add("MoE layers", layers.moe, "MoE layers of this rank");
    table.add("dense layers", layers.dense, "dense layers of this rank");
    table.add("E", layers.embedding, "embeddings on this rank");
    table.add("L", shares ? 0 : layers.output, "output layers with weights of their own on this rank");
    table.add("TP", t.tp, "tensor parallel size");
    table.add("CP", t.cp, "context parallel size");
    table.add("EP", s.expert_model_parallel_size, "expert parallel size");
    table.add("DP", groups.data_parallel_size, "data parallel size");
    table.add("EDP", groups.expert_data_parallel_size, "world / PP / EP");
    table.add("SEDP", groups.shared_expert_data_parallel_size, "world / PP");
    table.add("VDP", groups.vision_data_parallel_size, "world");
    table.add("nccl_buffer_gib", s.nccl_buffer_gib, "what you set aside for NCCL and the like");
    const VisionTower& v = r.vision;
    table.add("vit_layers", v.layers, "layers of the vision tower");
    table.add("vit_hidden", v.hidden, "width of the vision tower");
    table.add("vit_ffn", v.ffn, "width of its MLP");
    table.add("vit_heads", v.heads, "its query heads");
    table.add("vit_groups", v.groups, "its key/value heads");
    table.add("vit_kv", v.head_width, "width of its heads");
    table.add("patch_dim", v.patch_side, "side of a patch");
    table.add("projector_ffn", v.projector_ffn, "width of the projector and the merger");
    table.add("merge", v.merge_side, "side of the square of patches merged into a token");
    table.add("patches", v.patches, "patches of a micro-batch");
    return std::move(table.symbols);
}

Symbols report_symbols(const megatron_report::Context& c, bool most_loaded) {
    const Scenario& s = c.s;
    const std::int64_t mtp = most_loaded ? s.mtp_num_layers : 0;
    const bool sp = c.with_sequence_parallel();
    Table table;
    add_groups(c.z, table);
    table.add("hidden", c.z.h, "hidden size");
    table.add("kv_channels", c.z.head, "width of a head");
    table.add("heads", c.z.heads, "query heads");
    table.add("groups", c.z.groups, "key/value heads");
    table.add("ffn", c.z.ffn, "width of a dense MLP");
    table.add("gated", std::string(s.swiglu ? "1.5" : "1"), "1.5 with SwiGLU: a third matrix");
    table.add("layers", c.dense_layers + c.moe_layers, "layers of the model");
    table.add("dense layers", c.dense_layers, "dense layers of the model");
    table.add("MoE layers", c.moe_layers, "MoE layers of the model");
    table.add("MTP layers", mtp, "multi-token prediction layers of this shard");
    table.add("dense MTP layers", c.last_is_moe ? 0 : mtp, "those that are dense, as the last layer is");
    table.add("MoE MTP layers", c.last_is_moe ? mtp : 0, "those that are MoE, as the last layer is");
    table.add("norm", c.rules.norms_by_kind ? c.z.norm : 2, "vectors of a norm; before v0.16 always 2");
    table.add("mla_norm", c.rules.norms_by_kind ? c.z.norm : 1,
              "vectors of a norm inside MLA; before v0.16 always 1");
    table.add("TP_r", c.rules.split_by_kind ? 1 : c.z.tp, "1 for what TP replicates; before v0.18 TP");
    table.add("TP_a", sp ? c.z.tp : 1, "TP with sequence_parallel and selective recompute, else 1");
    table.add("padded vocab", c.z.vocab_local * c.z.tp, "vocabulary, padded");
    table.add("seq", c.r.sequence, "sequence length");
    table.add("batch", c.r.micro_batch, "micro-batch size");
    // As a quotient, which four decimals couldn't hold.
    const std::string in_flight =
        c.virtual_stages > 1
            ? fmt::format("(1 + ({0} - 1) / ({0} × {1}))", c.z.pp, c.virtual_stages)
            : (c.z.pp > 1 && c.z.micro_batches < c.z.pp ? fmt::format("({} / {})", c.z.micro_batches, c.z.pp)
                                                        : "1");
    table.add("in flight", in_flight, "micro-batches in flight, as a share of PP");
    if (s.multi_latent_attention) {
        if (s.q_lora_rank) table.add("q_lora", *s.q_lora_rank, "rank of the compressed queries");
        table.add("kv_lora", s.kv_lora_rank, "rank of the compressed keys and values");
        table.add("qk", s.qk_head_dim, "width of a query or key head without its rotary part");
        table.add("rope", s.qk_pos_emb_head_dim, "rotary part of a query or key head");
        table.add("v", s.v_head_dim, "width of a value head");
    }
    if (s.num_experts > 0) {
        const bool latent = c.rules.latent && s.moe_latent_size;
        table.add("experts", s.num_experts, "routed experts of a layer");
        table.add("moe_ffn", c.z.moe_ffn, "width of an expert");
        table.add("shared", c.z.shared, "width of the shared expert");
        table.add("expert_hidden", latent ? *s.moe_latent_size : c.z.h,
                  "width that experts work on: latent or hidden size");
        table.add("expert_split", c.rules.split_by_kind ? c.z.etp * c.z.ep : c.z.tp,
                  "ETP × EP; before v0.18 TP");
        table.add("router_bias", s.add_bias_linear ? s.num_experts : 0, "a bias an expert, if there are any");
        if (latent) table.add("latent", *s.moe_latent_size, "width that experts work on");
    }
    return std::move(table.symbols);
}

}  // namespace megamem

// Experts, shared experts and MTP out of config.json.
#include <fmt/format.h>

#include <algorithm>

#include "import/hf_layers.h"
#include "import/hf_parts.h"

namespace megamem::hf {

namespace {

std::int64_t read_count(Reader& r) {
    const Entry entry = r.find({"num_local_experts", "n_routed_experts", "num_experts", "moe_num_experts"});
    if (const auto on = r.truth(r.find({"enable_moe_block"})); on && !*on) return 0;
    if (!entry) return 0;
    const OptionalInt count = r.number(entry);
    if (count && *count > 0 && r.take("num_experts", *count, entry)) return *count;
    if (!count) r.ask("num_experts", entry.source, "the number of experts is needed");
    return 0;
}

void read_width(Reader& r) {
    Entry entry = r.find({"moe_intermediate_size", "expert_ffn_hidden_size", "moe_inter_dim",
                          "expert_intermediate_size", "moe_ffn_hidden_size"});
    if (!entry && r.has(kIntermediateIsExpert)) entry = r.find({"intermediate_size"});
    const OptionalInt width = r.number(entry);
    if (width && r.take("moe_ffn_hidden_size", *width, entry)) return;
    r.ask("moe_ffn_hidden_size", entry ? entry.source : "moe_intermediate_size",
          "the width of an expert (moe_intermediate_size) isn't in the file");
}

void read_topk(Reader& r) {
    if (r.copy("moe_router_topk", {"num_experts_per_tok", "num_experts_per_token", "experts_per_token",
                                   "moe_topk", "moe_k", "top_k_experts", "n_activated_experts", "moe_top_k"}))
        return;
    r.ask("moe_router_topk", "num_experts_per_tok",
          "the experts that a token visits (num_experts_per_tok) aren't in the file");
}

void read_shared(Reader& r) {
    const Entry count = r.find({"n_shared_experts", "num_shared_experts", "moe_num_shared_experts",
                                "num_shared_expert", "n_shared_expert"});
    const Entry width = r.find({"shared_expert_intermediate_size", "moe_shared_expert_intermediate_size",
                                "share_expert_dim", "shared_intermediate_size"});
    constexpr std::string_view kField = "moe_shared_expert_intermediate_size";
    if (r.has(kDenseBeside))
        return (void)r.take(kField, r.number(r.find({"intermediate_size"})).value_or(0),
                            r.find({"intermediate_size"}));
    if (r.has(kDoubleLayers))
        return (void)r.take(kField, r.number(r.find({"ffn_hidden_size"})).value_or(0),
                            r.find({"ffn_hidden_size"}));
    if (const auto mixed = r.truth(r.find({"use_mixed_mlp_moe"})); mixed && !*mixed) return;
    if (width) {
        if (const OptionalInt size = r.number(width)) r.take(kField, *size, width);
    } else if (count) {
        const OptionalInt experts = r.number(count);
        const OptionalInt each = r.scenario().moe_ffn_hidden_size;
        if (experts && each && *experts >= 0 && *experts < 1 << 16) r.take(kField, *experts * *each, count);
    } else if (r.has(kSharedIsIntermediate) && r.scenario().moe_ffn_hidden_size) {
        r.assume(kField, *r.scenario().moe_ffn_hidden_size);
    }
    if (r.has(kSharedGate) && r.scenario().moe_shared_expert_intermediate_size > 0)
        r.assume("moe_shared_expert_gate", "1");
}

void read_router(Reader& r) {
    const Entry method = r.find({"topk_method"});
    const Entry use = r.find({"use_routing_bias", "use_moe_router_bias", "moe_router_enable_expert_bias"});
    const Entry score = r.find({"score_func"});
    if (r.word(method) == "noaux_tc")
        r.take("moe_router_enable_expert_bias", "1", method);
    else if (const auto on = r.truth(use))
        r.take("moe_router_enable_expert_bias", *on ? "1" : "0", use);
    else if (r.word(score) == "sigmoid")
        r.take("moe_router_enable_expert_bias", "1", score);
    else if (r.has(kRouterBias))
        r.assume("moe_router_enable_expert_bias", "1");
    const Entry type = r.find({"moe_router_dtype"});
    if (r.word(type) == "float32") r.take("moe_router_dtype", "fp32", type);
}

void read_mtp(Reader& r) {
    const Entry depth = r.find({"num_nextn_predict_layers", "mtp_num_hidden_layers", "num_mtp_modules",
                                "mtp_num_layers", "n_mtp_layers"});
    (void)r.find({"mtp_transformer_layers", "mtp_hybrid_override_pattern", "mtp_layers_block_type"});
    if (const auto use = r.truth(r.find({"use_mtp"})); use && !*use) return;
    if (r.has(kDenseMtp) && r.scenario().num_experts > 0 && depth) {
        r.not_modelled(
            depth.source,
            "this model's MTP layers are dense though its last layer has experts, which isn't modelled: "
            "they are left out, so training with them needs more than is shown");
        return;
    }
    if (const OptionalInt layers = r.number(depth)) r.take("mtp_num_layers", *layers, depth);
}

}  // namespace

void read_experts(Reader& r) {
    if (read_count(r) > 0) {
        read_width(r);
        read_topk(r);
        read_shared(r);
        read_router(r);
        r.copy("moe_latent_size", {"moe_latent_size", "routed_expert_hidden_size"});
        read_layer_kinds(r);
    }
    read_mtp(r);
}

}  // namespace megamem::hf

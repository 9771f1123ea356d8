// What theoretical_memory_usage.py counts as parameters (12-183).
#include "memory/megatron_report.h"

namespace megamem::megatron_report {

namespace {

// Gathers modules: a count for one layer, in the layers that have it.
class Census {
  public:
    explicit Census(const Context& c) : c_(c) {}

    void in_every_layer(Module module, double of_layer) {
        count(module, of_layer, of_layer, c_.dense_layers + c_.moe_layers, c_.s.mtp_num_layers);
    }
    void in_dense_layers(Module module, double of_layer) {
        count(module, of_layer, of_layer, c_.dense_layers, c_.last_is_moe ? 0 : c_.s.mtp_num_layers);
    }
    void in_moe_layers(Module module, double of_layer, double active) {
        count(module, of_layer, active, c_.moe_layers, c_.last_is_moe ? c_.s.mtp_num_layers : 0);
    }
    void in_moe_layers(Module module, double of_layer) { in_moe_layers(module, of_layer, of_layer); }
    void once(Module module, double parameters) { count(module, parameters, parameters, 1, 0); }

    std::vector<Module> modules;

  private:
    void count(Module module, double of_layer, double active, std::int64_t layers, std::int64_t mtp) {
        if (!c_.rules.split_by_kind) module.split = Split::tensor;
        module.block = of_layer * real(layers);
        module.active_block = active * real(layers);
        module.mtp = of_layer * real(mtp);
        if (module.block + module.mtp > 0) modules.push_back(module);
    }

    const Context& c_;
};

// 62-80; before v0.16 the norms inside are one vector whatever their kind.
double latent_attention(const Context& c) {
    const Scenario& s = c.s;
    const double h = real(c.z.h);
    const double n = real(c.z.heads);
    const double norm = c.rules.norms_by_kind ? real(c.z.norm) : 1;
    const double query_head = real(Wide{s.qk_head_dim} + s.qk_pos_emb_head_dim);
    const double query =
        s.q_lora_rank ? real(*s.q_lora_rank) * (h + n * query_head + norm) : h * n * query_head;
    const double key_value = real(s.kv_lora_rank) * (h + n * real(Wide{s.qk_head_dim} + s.v_head_dim) + norm);
    return query + key_value + h * real(s.qk_pos_emb_head_dim) + n * real(s.v_head_dim) * h;
}

// 81-93: queries and output are kv_channels x heads wide, keys and values kv_channels x groups.
double attention(const Context& c) {
    if (c.s.multi_latent_attention) return latent_attention(c);
    return 2 * real(c.z.h) * real(c.z.head) * real(c.z.heads + c.z.groups);
}

}  // namespace

std::vector<Module> modules_of(const Context& c) {
    const Scenario& s = c.s;
    const double h = real(c.z.h);
    const double gated = s.swiglu ? 1.5 : 1;  // of 2 h f: a gated MLP has a third matrix (21)
    const double norm = c.rules.norms_by_kind ? real(c.z.norm) : 2;
    const double experts = real(s.num_experts);
    const bool latent = c.rules.latent && s.moe_latent_size;
    const double expert = 2 * (latent ? real(*s.moe_latent_size) : h) * real(c.z.moe_ffn) * gated;

    Census census(c);
    const std::string_view formula = !s.multi_latent_attention ? "megatron_report.attention"
                                     : s.q_lora_rank           ? "megatron_report.mla"
                                                               : "megatron_report.mla_whole_query";
    census.in_every_layer({"attention", formula, Split::tensor}, attention(c));
    census.in_dense_layers({"mlp", "megatron_report.mlp", Split::tensor}, 2 * h * real(c.z.ffn) * gated);
    census.in_moe_layers({"shared_experts", "megatron_report.shared_experts", Split::tensor},
                         2 * h * real(c.z.shared) * gated);
    census.in_moe_layers({"experts", "megatron_report.experts", Split::expert}, expert * experts,
                         expert * real(s.moe_router_topk));
    if (latent) {
        census.in_moe_layers({"latent_projections", "megatron_report.latent", Split::replicated},
                             2 * h * real(*s.moe_latent_size));
    }
    if (c.rules.split_by_kind) {
        census.in_moe_layers({"router", "megatron_report.router", Split::replicated},
                             h * experts + (s.add_bias_linear ? experts : 0));
        census.in_moe_layers({"shared_expert_gate", "megatron_report.shared_expert_gate", Split::replicated},
                             c.z.shared > 0 && s.moe_shared_expert_gate ? h : 0);
    }
    census.in_every_layer({"norms", "megatron_report.norms", Split::replicated}, 2 * h * norm);
    census.once({"final_norm", "megatron_report.final_norm", Split::replicated}, norm * h);
    return std::move(census.modules);
}

}  // namespace megamem::megatron_report

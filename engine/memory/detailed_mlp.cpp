// What dense and MoE blocks keep for backward, and the most that their passes hold beside it.
#include <algorithm>

#include "memory/detailed.h"

namespace megamem::detailed {

namespace {

constexpr Date kEfficientPermutation = {2025, 4, 9};  // 26596307: probabilities go before FC2
constexpr Date kIndexAdd = {2025, 10, 16};            // 56818f9e: deterministic un-permute by index_add_

void save_norm(const Context& c, bool quantized, LayerMemory& layer) {
    const Sizes& z = c.z;
    layer.save("norms", "mlp_norm_input", norm_input_formula(c), norm_input_bytes(c));
    layer.save("norms", "mlp_norm_output", norm_output_formula(quantized),
               quantized ? low_bytes(c, z.local_tokens * z.h) : z.hidden_bytes());
    layer.save("norms", "mlp_norm_stats", "detailed.act.norm_stats", 4 * z.norm * z.local_tokens);
}

// HybridEP keeps a handle instead (DeepEP hybrid-ep@94a9f8f, csrc/hybrid_ep/executor/executor.cu:95-127).
Wide permutation_bytes(const Context& c) {
    if (c.hybrid_ep()) return hybrid_ep_handle(c);
    const Wide experts = c.s.num_experts;
    return c.s.moe_permute_fusion ? c.z.local_tokens * (2 * experts + 1) * 4 : c.z.routed * 8;
}

std::string_view permutation_formula(const Context& c) {
    if (c.hybrid_ep()) return "detailed.act.permutation_hybrid_ep";
    return c.s.moe_permute_fusion ? "detailed.act.permutation" : "detailed.act.permutation_unfused";
}

void save_dropout(const Context& c, LayerMemory& layer) {
    if (c.s.hidden_dropout.ten_thousandths > 0) {
        layer.save("mlp", "mlp_dropout_mask", "detailed.act.dropout_mask", c.z.local_tokens * c.z.h);
    }
}

}  // namespace

void save_mlp(const Context& c, LayerMemory& layer, Transients& transients) {
    layer.half = Half::block;
    const Sizes& z = c.z;
    save_norm(c, c.low_precision(), layer);
    const Wide fc1 = z.element * z.tokens * z.ffn * z.gate / z.tp;
    const Wide fc2_input = z.element * z.tokens * z.ffn / z.tp;
    layer.save("mlp", "fc1_output", "detailed.act.fc1_output", fc1);
    const bool low = c.low_precision();
    layer.save("mlp", "fc2_input", low ? "detailed.act.fc2_input_fp8" : "detailed.act.fc2_input",
               low ? low_bytes(c, fc2_input / z.element) : fc2_input);
    if (c.s.swiglu && !c.s.bias_swiglu_fusion) {
        layer.save("mlp", "activation", "detailed.act.activation",
                   fc2_input);  // the gate's factor of the product
    }
    save_dropout(c, layer);

    const Wide hidden = z.hidden_bytes();
    const Wide gathered = z.sp ? z.element * z.tokens * z.h : 0;
    const Wide unfused = c.s.gradient_accumulation_fusion ? 0 : 1;  // a bf16 gradient of the weight
    // FC2: its output's gradient, gathered, and its input's; the activation: FC1's gradient, FC2's input
    // being freed; FC1: that gradient less what is freed, and its input's gradient.
    const Wide fc2 = hidden + gathered + fc2_input + unfused * z.element * z.h * z.ffn / z.tp;
    const Wide activation = hidden + fc1;
    const Wide fc1_backward = hidden - fc2_input + z.element * z.tokens * z.h * (z.sp ? 2 : 1) +
                              (z.sp ? hidden : 0) + unfused * z.element * z.h * z.ffn * z.gate / z.tp;
    transients.block_backward = std::max({fc2, activation, fc1_backward});
}

namespace {

// shared_experts.py:127-145, 199-207@d98e8a64
void save_shared_expert(const Context& c, LayerMemory& layer) {
    const Sizes& z = c.z;
    const bool low = c.low_precision();
    const Wide fc2_input = z.tokens * z.shared / z.tp;  // elements
    layer.save("shared_expert", "shared_fc1_output", "detailed.act.shared_fc1_output",
               z.element * z.tokens * z.shared * z.gate / z.tp);
    layer.save("shared_expert", "shared_fc2_input",
               low ? "detailed.act.shared_fc2_input_fp8" : "detailed.act.shared_fc2_input",
               low ? low_bytes(c, fc2_input) : z.element * fc2_input);
    if (c.s.swiglu && !c.s.bias_swiglu_fusion) {
        layer.save("shared_expert", "shared_activation", "detailed.act.shared_activation",
                   z.element * fc2_input);
    }
    if (low && !saves_original_input(c)) {
        layer.save("shared_expert", "shared_fc1_input", "detailed.act.shared_fc1_input",
                   low_bytes(c, z.local_tokens * z.h));
    }
    if (c.s.moe_shared_expert_overlap) {
        layer.save("shared_expert", "shared_gathered_input", "detailed.act.shared_gathered_input",
                   z.element * z.tokens * z.h);
    }
    if (c.s.moe_shared_expert_gate) {
        layer.save("shared_expert", "shared_ungated_output", "detailed.act.shared_ungated_output",
                   z.hidden_bytes() + z.element * z.local_tokens);
    }
}

// moe_layer.py:590@d98e8a64: the projection back to the hidden size keeps what the experts combine to; in
// FP8 or FP4 the first one has a copy of the router's input.
void save_latent_projections(const Context& c, LayerMemory& layer) {
    const Wide latent = c.z.local_tokens * c.z.expert_h;
    const bool low = c.low_precision();
    layer.save("experts", "latent_output",
               low ? "detailed.act.latent_output_fp8" : "detailed.act.latent_output",
               low ? low_bytes(c, latent) : c.z.element * latent);
    if (low) {
        layer.save("experts", "latent_input", "detailed.act.shared_fc1_input",
                   low_bytes(c, c.z.local_tokens * c.z.h));
    }
}

}  // namespace

void save_mixture(const Context& c, LayerMemory& layer, Transients& transients) {
    layer.half = Half::block;
    const Sizes& z = c.z;
    const Scenario& s = c.s;
    const Wide n = z.routed;
    const Wide f = z.moe_ffn / z.etp;
    const Wide hr = z.expert_h;
    const Wide experts = s.num_experts;
    const Wide prob = s.moe_router_dtype == RouterDtype::none ? z.element : 4;
    const bool alltoall = c.dispatcher != Dispatcher::allgather;
    const bool low = c.low_precision();
    save_norm(c, false, layer);
    layer.save("router", "router", "detailed.act.router", z.local_tokens * experts * (4 + 4 + 1 + prob));
    layer.save("router", "permutation", permutation_formula(c), permutation_bytes(c));
    const Wide dispatched = z.element * n * hr;
    const Wide fc1 = z.element * n * f * z.gate;
    const Wide fc2_input = z.element * n * f;
    layer.save("experts", "dispatched_tokens",
               low ? "detailed.act.dispatched_tokens_fp8" : "detailed.act.dispatched_tokens",
               low ? low_bytes(c, n * hr) : dispatched);
    layer.save("experts", "expert_fc1_output", "detailed.act.expert_fc1_output", fc1);
    layer.save("experts", "expert_fc2_input",
               low ? "detailed.act.expert_fc2_input_fp8" : "detailed.act.expert_fc2_input",
               low ? low_bytes(c, n * f) : fc2_input);
    layer.save("experts", "probabilities", "detailed.act.probabilities", n * prob);
    // Older containers have no grouped linear layer; Megatron's own compiles the activation and saves nothing
    // more (moe_module_specs.py:36-56@23e2e09e).
    const bool legacy_grouped = s.moe_grouped_gemm && !has_grouped_linear(c.software);
    const bool fused_activation = (s.swiglu && s.bias_swiglu_fusion) || legacy_grouped;
    const bool efficient = c.software.megatron >= kEfficientPermutation;
    if (efficient && !fused_activation) {
        layer.save("experts", "expert_activation", "detailed.act.expert_activation", z.element * n * f);
    }
    if (!efficient) {
        layer.save("experts", "unpermute_input",
                   alltoall ? "detailed.act.unpermute" : "detailed.act.unpermute_gathered",
                   z.element * z.sent * hr * (alltoall ? 1 : z.etp));
    }
    if (s.deterministic_mode && !s.moe_permute_fusion && c.software.megatron >= kIndexAdd) {
        layer.save("experts", "unpermute_source",
                   alltoall ? "detailed.act.unpermute" : "detailed.act.unpermute_routed",
                   z.element * hr * (alltoall ? z.sent : n));
    }
    if (z.shared > 0) save_shared_expert(c, layer);
    if (s.moe_latent_size) save_latent_projections(c, layer);
    save_dropout(c, layer);

    const Wide hidden = z.hidden_bytes();
    const Wide d = dispatched;
    const Wide unfused_gradient = s.gradient_accumulation_fusion ? 0 : z.element * z.h * f;
    Wide backward =
        std::max({hidden + 2 * d,                             // un-permute, all-to-all, sort
                  hidden + d + fc2_input + unfused_gradient,  // FC2
                  hidden + fc1 + (fused_activation ? 0 : 2 * z.element * n * f), hidden + d - fc2_input});

    // Python names keep the permuted tokens and the all-to-all's result until the combine ends
    // (moe_layer.py:658@d98e8a64, since 8333bd5b of 2025-06-16).
    const Wide p = z.element * z.sent * hr;
    const Wide shared_hold = z.shared > 0 ? hidden : 0;
    const bool several = z.experts_local > 1;
    if (alltoall) {
        const Wide held = p + (z.ep > 1 ? p : 0);
        const Wide sorted = held + d + (several ? d : 0);
        if (z.etp > 1) {  // the combine casts to the probabilities' type before its reduce-scatter
            const Wide cast = prob == 4 ? 2 * d : 0;
            transients.moe_forward =
                std::max({sorted, held + d + cast + p * (prob == 4 ? 2 : 1), held + 2 * p + hidden});
        } else {
            transients.moe_forward = std::max(sorted, held + d + (z.ep > 1 ? p : 0) + hidden);
        }
    } else {
        const Wide gathered = z.element * z.local_tokens * hr * z.etp * z.ep;
        const Wide cast = prob == 4 ? 2 * gathered : 0;
        transients.moe_forward = std::max(d + gathered, gathered + cast + hidden * (prob == 4 ? 3 : 1));
        backward = std::max(backward, hidden + cast + gathered + d);
    }
    transients.moe_forward += shared_hold;
    transients.block_backward = backward;
}

Wide hybrid_ep_handle(const Context& c) {
    return c.z.local_tokens * (4 * Wide{c.z.ep} * c.z.etp + 5 * c.s.num_experts);
}

}  // namespace megamem::detailed

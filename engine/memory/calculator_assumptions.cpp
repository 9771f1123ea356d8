// Where the `calculator` method differs from Megatron-LM, said for the scenario at hand (section S of the
// project's memory notes gives the source of each).
#include <fmt/format.h>

#include <algorithm>

#include "memory/calculator.h"

namespace megamem::calculator {

void add_assumptions(const Plan& plan, const Terms& t, Assumptions& assumptions) {
    const Scenario& s = plan.scenario;
    const Resolved& r = plan.resolved;
    const bool moe = s.num_experts > 0;
    const auto dense_layers = std::count(plan.moe.begin(), plan.moe.end(), false);
    const auto say = [&](std::string_view id, std::string message) {
        assumptions.push_back({id, std::move(message)});
    };

    say("calculator.optimizer_state",
        "Optimizer state counts 4 bytes a parameter; Adam keeps two fp32 moments, 8 bytes.");
    say("calculator.shards",
        "Dense MLP and router optimizer shards are world / PP, attention's are DP; Megatron shards both over "
        "DP x CP.");
    if (t.tp > 1 && dense_layers > 0) {
        say("calculator.dense_tp",
            fmt::format("Dense MLP weights are not divided by TP {}; Megatron divides them.", t.tp));
    }
    if (moe && dense_layers > 0) {
        say("calculator.dense_width",
            fmt::format(
                "The {} dense layers are moe_ffn_hidden_size x top-k = {} wide here; ffn_hidden_size is {}.",
                dense_layers, static_cast<std::int64_t>(t.dense_ffn()), r.ffn));
    }
    if (moe && r.etp > 1) {
        say("calculator.no_etp", fmt::format("Routed experts are not divided by ETP {}, and EDP is world / "
                                             "PP / EP; Megatron divides both by ETP.",
                                             r.etp));
    }
    if (!s.swiglu) {
        say("calculator.gated", "FC1 is counted with a gate (x 2) though swiglu is off.");
    }
    if (s.multi_latent_attention) {
        say("calculator.mla",
            "MLA is counted as plain attention with kv_channels, heads and groups as given.");
    }
    if (s.mtp_num_layers > 0) {
        say("calculator.mtp",
            fmt::format("The {} MTP layers add no memory here: the method has no formula for them.",
                        s.mtp_num_layers));
    }
    if (!s.untie_embeddings_and_output_weights) {
        say("calculator.tied",
            "Embedding and output layer share one matrix where they are on the same rank.");
    }
    if (t.fp8) {
        say("calculator.fp8_cache", "Every linear layer keeps a transposed FP8 copy as large as its weight.");
    }
    if (s.recompute_granularity != RecomputeGranularity::none &&
        !(t.recompute_moe_act && s.recompute_modules.size() == 1)) {
        say("calculator.recompute", "Of all recompute settings only selective moe_act changes this method.");
    }
    if (t.recompute_moe_act) {
        say("calculator.moe_act",
            "moe_act recompute drops clamp, activation and FC2 input; Megatron keeps the FC1 output and "
            "frees the FC2 input only.");
    }
    if (plan.pipeline.chunks > 1) {
        say("calculator.vpp", fmt::format("Activations of all layers of a rank are multiplied by VPP {}; "
                                          "Megatron keeps as many chunks as the "
                                          "schedule has in flight.",
                                          plan.pipeline.chunks));
    } else if (plan.pipeline.ranks > 1) {
        say("calculator.in_flight",
            "Activations of one micro-batch are counted; 1F1B keeps up to PP - rank micro-batches in "
            "flight.");
    }
    if (t.tp > 1 && !s.sequence_parallel) {
        say("calculator.sequence_parallel",
            "Norms and residuals are divided by TP as if sequence_parallel were on.");
    }
    say("calculator.left_out", "Norms, biases, position embeddings and vocabulary padding are not counted.");
    if (r.vision.layers > 0) {
        say("calculator.vision",
            "The vision tower is on every rank, undivided; its activations are our reading, the method gives "
            "no formula.");
    }
    say("calculator.nccl",
        fmt::format("NCCL buffers of {} GiB a rank are your setting, not a computed value.",
                    to_text(s.nccl_buffer_gib)));
}

}  // namespace megamem::calculator

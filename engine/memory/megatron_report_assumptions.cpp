// What theoretical_memory_usage.py leaves out or takes for granted, said for the scenario at hand.
#include <fmt/format.h>

#include "memory/megatron_report.h"

namespace megamem::megatron_report {

namespace {

class Teller {
  public:
    Teller(const Context& c, Assumptions& assumptions) : c_(c), assumptions_(assumptions) {}

    void tell() {
        version();
        parameters();
        optimizer();
        pipeline();
        activations();
        rest();
    }

  private:
    void say(std::string_view id, std::string message) { assumptions_.push_back({id, std::move(message)}); }

    void version() {
        const Rules& rules = c_.rules;
        const std::string_view releases = rules.latent          ? "v0.19 and main"
                                          : rules.split_by_kind ? "v0.18"
                                          : rules.norms_by_kind ? "v0.16 and v0.17"
                                                                : "v0.15";
        say("megatron_report.version",
            fmt::format("The rules are of theoretical_memory_usage.py in Megatron-LM {}.", releases));
        // a6c6250f9c, in v0.15: before, there was no formula without sequence parallelism.
        if (c_.software.megatron < Date{2025, 8, 26}) {
            say("megatron_report.older",
                "Megatron-LM before v0.15 has an older report; it gives activations only with "
                "sequence_parallel and selective recompute, and before v0.12 it doesn't know MLA.");
        }
    }

    void parameters() {
        const Scenario& s = c_.s;
        const bool moe = s.num_experts > 0;
        if (moe && !c_.rules.split_by_kind) {
            say("megatron_report.experts",
                fmt::format("Experts are divided by TP {} only, not by EP {} or ETP {}, and the router isn't "
                            "counted: so Megatron-LM did before v0.18.",
                            c_.z.tp, c_.z.ep, c_.z.etp));
        }
        if (!c_.rules.norms_by_kind && s.normalization == Normalization::rms_norm) {
            say("megatron_report.norms",
                "An RMSNorm counts as a LayerNorm: so Megatron-LM did before v0.16.");
        }
        if (moe && s.moe_latent_size && !c_.rules.latent) {
            say("megatron_report.latent", "moe_latent_size counts in Megatron-LM from v0.19 on only.");
        }
        if (s.multi_latent_attention && c_.z.tp > 1) {
            say("megatron_report.mla",
                fmt::format("All of MLA is divided by TP {}; the down-projections are really on every GPU.",
                            c_.z.tp));
        }
        if (moe && s.mtp_num_layers > 0 && c_.last_is_moe) {
            say("megatron_report.mtp_active", "All experts of the MTP layers count as active parameters.");
        }
        say("megatron_report.left_out",
            "Biases of linear layers, q/k norms, the attention output gate, position embeddings, and of MTP "
            "the projection, norms and embedding copy are not counted.");
        if (r().vision.layers > 0) say("megatron_report.vision", "The vision tower isn't counted.");
        const auto padded = static_cast<std::int64_t>(c_.z.vocab_local) * c_.z.tp;
        if (padded != r().vocab) {
            say("megatron_report.vocabulary",
                fmt::format("The vocabulary is padded from {} to {}, a multiple of {} x TP {}.", r().vocab,
                            padded, s.make_vocab_size_divisible_by, c_.z.tp));
        }
    }

    void optimizer() {
        const Scenario& s = c_.s;
        say("megatron_report.bytes",
            s.use_distributed_optimizer
                ? fmt::format(
                      "A parameter takes 6 + 12 / DP {} bytes: bf16 weight, fp32 gradient, and fp32 main "
                      "parameter and Adam moments shared out.",
                      c_.z.dp)
                : std::string(
                      "A parameter takes 18 bytes: bf16 weight, fp32 gradient, fp32 main parameter and "
                      "Adam moments."));
        if (s.use_distributed_optimizer && (c_.z.cp > 1 || s.num_distributed_optimizer_instances > 1)) {
            say("megatron_report.optimizer_shards",
                fmt::format("Optimizer shards are DP {}; Megatron shards over DP x CP, within an instance.",
                            c_.z.dp));
        }
        const bool other_precision = s.precision != Precision::bf16 || s.fp8_format != Fp8Format::none;
        const bool other_optimizer = s.optimizer != Optimizer::adam || s.use_precision_aware_optimizer ||
                                     s.optimizer_cpu_offload || s.use_megatron_fsdp;
        if (other_precision || other_optimizer || s.grad_reduce_in_bf16) {
            say("megatron_report.ignored_states",
                "Precision, optimizer, FSDP, offload and gradient type change nothing: bf16 with Adam is "
                "taken "
                "for granted.");
        }
    }

    void pipeline() {
        const Scenario& s = c_.s;
        if (c_.z.pp == 1) return;
        say("megatron_report.even_split",
            fmt::format(
                "Layers are divided by PP {} evenly, whatever the layout, and the most loaded shard has "
                "an embedding and all MTP layers; a real rank has the one or the other.",
                c_.z.pp));
        if (!s.untie_embeddings_and_output_weights) {
            say("megatron_report.tied", "The last stage's copy of the tied embedding isn't counted.");
        }
        say("megatron_report.other",
            "Of the other shards Megatron gives the parameters only; their bytes here are by the same rule, "
            "and they have no activations.");
        if (!s.global_batch_size && c_.virtual_stages == 1) {
            say("megatron_report.micro_batches",
                "global_batch_size is not given; enough micro-batches to fill the pipeline are assumed.");
        }
    }

    void activations() {
        const Scenario& s = c_.s;
        if (c_.with_sequence_parallel()) {
            say("megatron_report.activations",
                "Activations are by the formula for sequence_parallel with selective recompute, which takes "
                "core_attn for recomputed.");
        } else {
            say("megatron_report.activations",
                "Activations are by the formula without sequence_parallel, which Megatron takes unless both "
                "sequence_parallel and selective recompute are on; it takes ffn_hidden_size for 4 x hidden.");
        }
        if (s.num_experts > 0) {
            say("megatron_report.moe_activations",
                fmt::format("Every layer's activations are a dense layer's{}; experts and routing have none.",
                            c_.with_sequence_parallel() ? fmt::format(" with ffn_hidden_size {}", r().ffn)
                                                        : std::string()));
        }
        if (c_.z.groups != c_.z.heads || c_.z.head * c_.z.heads != c_.z.h || s.multi_latent_attention) {
            say("megatron_report.attention_activations",
                "Queries, keys and values count as wide as hidden_size each: GQA, kv_channels and MLA don't "
                "change activations.");
        }
        if (c_.z.cp > 1) {
            say("megatron_report.cp",
                fmt::format("Activations are not divided by CP {}: Megatron's report ignores it.", c_.z.cp));
        }
        if (s.recompute_granularity == RecomputeGranularity::full || s.fine_grained_activation_offloading) {
            say("megatron_report.recompute",
                "Full recompute and activation offloading change nothing in Megatron's report.");
        }
        say("megatron_report.dropout", "Dropout masks are always counted.");
    }

    void rest() {
        say("megatron_report.runtime",
            "CUDA context, NCCL buffers, workspaces, fragmentation and the logits of a pipeline's last stage "
            "are not counted.");
    }

    const Resolved& r() const { return c_.r; }

    const Context& c_;
    Assumptions& assumptions_;
};

}  // namespace

void add_assumptions(const Context& context, Assumptions& assumptions) {
    Teller(context, assumptions).tell();
}

}  // namespace megamem::megatron_report

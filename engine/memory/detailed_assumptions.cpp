#include "memory/detailed_assumptions.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/units.h"
#include "memory/detailed_chunk.h"
#include "memory/detailed_muon.h"
#include "model/vision.h"

namespace megamem::detailed {

namespace {

class Teller {
  public:
    Teller(const Context& c, Report& report) : c_(c), s_(c.s), report_(report) {}

    void tell() {
        versions();
        attention();
        context_parallel();
        batch();
        if (s_.num_experts > 0) experts();
        recompute();
        states();
        workspaces();
        rest();
    }

  private:
    void say(std::string_view id, std::string message) {
        report_.assumptions.push_back({id, std::move(message)});
    }

    void versions() {
        const Software& w = c_.software;
        const auto given = [](const std::string& text) { return text.empty() ? " (not set)" : ""; };
        say("detailed.software",
            fmt::format("Software: Megatron-LM of {:04}-{:02}-{:02}{}, TransformerEngine {}.{}{}, NGC image "
                        "{:02}.{:02}{}, compute capability {}.{}.",
                        w.megatron.year, w.megatron.month, w.megatron.day, given(s_.framework_version),
                        w.transformer_engine.major, w.transformer_engine.minor,
                        given(s_.transformer_engine_version), w.container.major, w.container.minor,
                        given(s_.container_version), w.sm / 10, w.sm % 10));
    }

    std::string attention_reason() const {
        if (!c_.software.te) return "transformer_impl is local";
        if (s_.attention_backend != AttentionBackend::automatic) return "as attention_backend says";
        const bool deterministic = s_.deterministic_mode || !s_.nvte_allow_nondeterministic_algo;
        if (c_.attention == Attention::unfused)
            return "TransformerEngine 1.2 has no deterministic fast kernel";
        if (c_.software.sm >= 100 && deterministic)
            return "TransformerEngine's choice for deterministic kernels on Blackwell";
        return fmt::format("TransformerEngine's choice for compute capability {}.{}", c_.software.sm / 10,
                           c_.software.sm % 10);
    }

    void attention() {
        const std::string_view name = c_.attention == Attention::flash   ? "FlashAttention"
                                      : c_.attention == Attention::fused ? "cuDNN fused"
                                                                         : "unfused";
        say("detailed.attention", fmt::format("Attention is {}: {}.", name, attention_reason()));
        if (s_.multi_latent_attention && !s_.apply_rope_fusion) {
            say("detailed.mla_rope",
                "MLA without rope fusion: copies that its cat and split may keep alive are not counted.");
        }
    }

    void context_parallel() {
        if (!c_.p2p() || !c_.flash() || s_.multi_latent_attention || c_.r.micro_batch == 1) return;
        if (!c_.grouped_query() && !c_.rope()) return;  // as measured
        say("detailed.cp_p2p",
            fmt::format(
                "CP {}: p2p exchange is taken to keep what TransformerEngine's source says; measured runs "
                "with FlashAttention, plain attention and no rotary embedding keep {} MiB a layer and "
                "micro-batch more.",
                c_.z.cp, narrow(c_.z.element * c_.z.tokens * c_.z.g_local * c_.z.head) / kMiB));
    }

    void batch() {
        const std::int64_t step = c_.r.micro_batch * c_.z.dp;
        if (!s_.global_batch_size) {
            say("detailed.full_pipeline",
                fmt::format(
                    "global_batch_size is not set: {} micro-batches, enough to fill the pipeline, are "
                    "assumed.",
                    c_.z.micro_batches));
        } else if (c_.z.micro_batches < c_.z.pp) {
            say("detailed.short_pipeline",
                fmt::format("{} micro-batches ({} / {}) don't fill a pipeline of {} ranks.",
                            c_.z.micro_batches, *s_.global_batch_size, step, c_.z.pp));
        }
        if (s_.first_iteration) {
            say("detailed.first_iteration",
                "The peak is iteration 1's: Adam's moments are made at its end and come on top from "
                "iteration 2 "
                "on.");
        }
    }

    // The worst rank's bytes with another load of its experts.
    Bytes total_with(std::int64_t ten_thousandths, std::int64_t rank) const {
        Scenario loaded = s_;
        loaded.moe_load_factor = {ten_thousandths};
        const Context c{.s = loaded,
                        .r = c_.r,
                        .pipeline = c_.pipeline,
                        .moe = c_.moe,
                        .z = sizes_of(loaded, c_.r),
                        .software = c_.software,
                        .attention = c_.attention,
                        .dispatcher = c_.dispatcher,
                        .last_is_moe = c_.last_is_moe,
                        .inventory = c_.inventory};  // the load moves no parameter
        const Layers layers = layers_of_every_kind(c);
        return rank_report(c, rank, layers, rank_kind(c, rank, layers)).totals.total;
    }

    void experts() {
        const Wide capacity = s_.moe_expert_capacity_factor.ten_thousandths;
        const auto routed = number_of(c_.z.routed);
        if (capacity > 0) {
            say("detailed.capacity",
                fmt::format("Capacity factor {}: a GPU's experts get {} {} tokens a micro-batch.",
                            to_text(s_.moe_expert_capacity_factor),
                            s_.moe_pad_expert_input_to_capacity ? "exactly" : "at most", routed));
        }
        if (capacity > 0 && s_.moe_pad_expert_input_to_capacity) return;
        const std::int64_t rank = worst_rank_of(report_.ranks);
        std::string bands;
        if (s_.moe_load_factor.ten_thousandths == Decimal4::kOne && capacity == 0 && rank >= 0) {
            bands = fmt::format(" With 1.1 the worst rank needs {} GiB, with 1.4 {} GiB.",
                                gib(total_with(11'000, rank)), gib(total_with(14'000, rank)));
        }
        say("detailed.routing",
            fmt::format("Routing: a GPU's experts get {} tokens a micro-batch, moe_load_factor {} times the "
                        "balanced share{}.{}",
                        routed, to_text(s_.moe_load_factor), capacity > 0 ? "" : ", and none are dropped",
                        bands));
        if (s_.overlap_moe_expert_parallel_comm) {
            say("detailed.a2a_overlap",
                "Overlapped expert communication: measured runs keep 50 to 60 MiB more between steps, which "
                "is "
                "not explained.");
        }
    }

    static std::int64_t number_of(Wide value) { return narrow(value); }

    // Why a module of selective recompute changes nothing here; empty: it does.
    std::string_view idle_reason(std::string_view module) const {
        const bool dense = std::find(c_.moe.begin(), c_.moe.end(), false) != c_.moe.end();
        const bool moe = std::find(c_.moe.begin(), c_.moe.end(), true) != c_.moe.end();
        if (module == "gdn_norm_out" || module == "gdp_in_proj" || module == "gdp_qkv" || module == "mhc")
            return "its layers are not modelled";
        if (module == "mla_up_proj") return s_.multi_latent_attention ? "" : "there is no MLA";
        if (module == "layernorm") {
            const bool own = s_.multi_latent_attention || !c_.software.te || moe;
            return own ? "" : "TransformerEngine fuses every norm into a linear layer";
        }
        if (module == "mlp") return dense ? "" : "no layer is dense";
        if (module == "moe") return moe ? "" : "no layer is MoE";
        if (module == "moe_act" || module == "shared_experts") {
            if (!moe) return "no layer is MoE";
            if (c_.recomputes("moe")) return "moe recomputes it already";
            if (module == "moe_act") return "";
            if (c_.z.shared == 0) return "there is no shared expert";
            return s_.moe_shared_expert_overlap ? "moe_shared_expert_overlap excludes it" : "";
        }
        return "";
    }

    void recompute() {
        if (s_.recompute_granularity == RecomputeGranularity::selective) {
            for (const std::string& module : s_.recompute_modules) {
                const std::string_view reason = idle_reason(module);
                if (!reason.empty()) {
                    say("detailed.recompute_idle",
                        fmt::format("Recompute of {} saves nothing here: {}.", module, reason));
                }
            }
        }
        if (c_.full_recompute() && s_.recompute_method == RecomputeMethod::none) {
            say("detailed.recompute_method",
                "Full recompute without a method is counted as uniform; Megatron asks for a method.");
        }
    }

    void states() {
        if (s_.optimizer == Optimizer::sgd)
            say("detailed.sgd", "SGD is counted with momentum: one state of 4 bytes a parameter.");
        if (s_.optimizer_cpu_offload) {
            say("detailed.optimizer_offload",
                fmt::format(
                    "Masters and states of {} of every tensor are in host memory; Megatron offloads whole "
                    "tensors, and its staging copies are not counted.",
                    to_text(s_.optimizer_offload_fraction)));
        }
        const bool muon = s_.optimizer == Optimizer::muon || s_.optimizer == Optimizer::dist_muon;
        if (muon && muon_mode(c_) != MuonMode::whole) muon_owner();
        if (c_.low_precision() && s_.num_experts > 0) {
            say("detailed.token_padding",
                "Experts' tokens are padded for low precision: half of the most that can be missing, on "
                "average.");
        }
        if (s_.use_torch_fsdp2) {
            say("detailed.fsdp2",
                "No measured run has PyTorch's FSDP2: its gathered weights and gradients rest on the source "
                "alone.");
        }
    }

    void muon_owner() {
        const std::int64_t rank = worst_rank_of(report_.ranks);
        if (rank < 0) return;
        const MuonOwned owned = muon_owned(c_, rank);
        const Wide shown = owned.muon + owned.adam;
        say("detailed.muon",
            fmt::format(
                "Muon: each data-parallel rank owns whole parameters. The last one is shown, with {} of "
                "pipeline rank {}; the one that owns most has {}, about {} GiB of masters and states more.",
                short_count(number_of(shown)), rank, short_count(number_of(owned.most)),
                gib(narrow(8 * std::max<Wide>(owned.most - shown, 0)))));
    }

    void workspaces() {
        Bytes most = 0;
        for (const RankReport& rank : report_.ranks) {
            for (const LineItem& item : rank.items)
                if (item.component == "dummy_gradients") most = std::max(most, item.bytes);
        }
        if (most > 0) {
            say("detailed.dummy_gradients",
                fmt::format(
                    "Gradient accumulation is fused, so up to {} GiB of dummy gradients stay, one for each "
                    "weight shape; --no-gradient-accumulation-fusion has none.",
                    gib(most)));
        }
        if (s_.cuda_graph_impl == CudaGraphImpl::transformer_engine) {
            say("detailed.cuda_graphs",
                "Of CUDA graphs the inputs are counted, between steps; their private pools are not.");
        }
        if (s_.cuda_graph_impl == CudaGraphImpl::full_iteration) {
            say("detailed.full_iteration_graph",
                "The graph of a whole iteration has a pool of its own, as large as the first iterations' "
                "tensors, which are given back before: the peak is the same.");
        }
        if (s_.use_megatron_fsdp) say("detailed.fsdp", "Megatron-FSDP gathers into buffers of its own.");
    }

    void rest() {
        if (c_.r.vision.layers > 0) {
            say("detailed.vision",
                "No measured run has a vision tower: its numbers rest on the formulas alone.");
        }
        if (c_.r.vision.kind != nullptr) tower(*c_.r.vision.kind);
        if (s_.frozen != Frozen::nothing) {
            say("detailed.frozen",
                "Frozen parameters keep their weights only; the layers of a frozen language model save what "
                "trained ones do.");
        }
        const Fragmentation f = c_.fragmentation();
        say("detailed.fragmentation",
            fmt::format("torch's allocator is taken to hold {} % more than it has given out, as published "
                        "runs do in the "
                        "middle; a tenth of them lie below {} %, a tenth above {} %.",
                        f.middle, f.low, f.high));
        const ExpertBuffers buffers = expert_buffers(c_);
        if (buffers.bytes > 0) {
            say("detailed.expert_buffers",
                fmt::format("{} has {} MiB of buffers on each GPU outside torch: its device sees them, torch "
                            "doesn't.",
                            c_.hybrid_ep() ? "HybridEP" : "DeepEP", number_of(buffers.bytes / kMiB)));
        }
        say("detailed.outside_torch", fmt::format("The CUDA context, NCCL, NVSHMEM and the like lie outside "
                                                  "torch: {} GiB a rank are set aside by you.",
                                                  to_text(s_.nccl_buffer_gib)));
    }

    void tower(const VisionKind& kind) {
        const VisionSizes v = vision_sizes(s_, c_.r);
        std::string text = fmt::format(
            "The encoder is built as in {}: {} images or tiles with {} patches and class tokens together.",
            kind.source, number_of(v.images), number_of(v.tokens));
        if (kind.hugging_face)
            text +=
                " It is transformers' own module, so every TP rank has it whole, and attention is "
                "PyTorch's, window by window.";
        if (v.n != c_.r.vision.heads) {
            text += fmt::format(" Its {} heads are padded to {} for TP {}.", c_.r.vision.heads,
                                number_of(v.n), c_.z.tp);
        }
        if (!kind.merger && s_.vision_projection_type == VisionProjection::mlp) {
            text +=
                " The projector has a norm of the language model's kind and no biases; "
                "examples/multimodal has either for some language models.";
        }
        say("detailed.vision_model_type", std::move(text));
    }

    const Context& c_;
    const Scenario& s_;
    Report& report_;
};

}  // namespace

void add_assumptions(const Context& context, Report& report) {
    Teller(context, report).tell();
    add_not_modelled(context, report.problems);
}

}  // namespace megamem::detailed

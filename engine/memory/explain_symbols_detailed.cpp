// Symbols of the `detailed` method. Values that depend on the rank are counted as the method counts them.
#include <fmt/format.h>

#include <algorithm>

#include "memory/detailed_muon.h"
#include "memory/detailed_tower.h"
#include "memory/explain_symbols.h"
#include "model/vision.h"

namespace megamem {

namespace {

using detailed::Context;

class Table {
  public:
    Table(const Context& c, std::int64_t rank) : c_(c), rank_(rank) {}

    Symbols all() {
        sizes();
        attention();
        if (c_.s.num_experts > 0) experts();
        parallelism();
        rank();
        if (c_.r.vision.kind != nullptr) tower();
        software();
        return std::move(symbols_);
    }

  private:
    void add(std::string_view name, Wide value, std::string_view meaning) {
        add_symbol(symbols_, name, number(value), meaning);
    }

    void add_fraction(std::string_view name, Wide share, std::string_view meaning) {
        add_symbol(symbols_, name,
                   number(static_cast<double>(share) / static_cast<double>(detailed::kByteUnit)), meaning);
    }

    void sizes() {
        const Sizes& z = c_.z;
        add("element", z.element, "bytes of an activation or weight: 2, in fp32 4");
        add("T", z.tokens, "tokens of a GPU: s × b / CP");
        add("Ts", z.local_tokens, "tokens outside attention and MLP: T / TP with sequence_parallel, else T");
        add("s", c_.r.sequence, "sequence length");
        add("b", c_.r.micro_batch, "micro-batch size");
        add("h", z.h, "hidden size");
        add("f", z.ffn, "width of a dense MLP");
        add("gm", z.gate, "2 for a gated MLP, else 1");
        add("ns", z.norm, "vectors of a norm: 1 RMSNorm, 2 LayerNorm");
        add("V", z.vocab_local * z.tp, "vocabulary, padded");
        add("L", c_.r.layers, "layers of the model");
        add("H", z.hidden_bytes(), "bytes of a hidden tensor: element × Ts × h");
        add("H_r", detailed::stream_bytes(c_),
            "bytes of the residual stream: H, or 4 × Ts × h with fp32_residual_connection");
        add("e_l", detailed::fp32_logits(c_.s) ? 4 : z.element, "bytes of a logit");
        if (c_.low_precision())
            add_fraction("e_8", detailed::low_byte_share(c_),
                         "bytes of an element in FP8 or FP4, with scales");
        add("mask", detailed::mask_bytes(c_), "bytes of the attention mask");
        add("B_l", loss_bytes(),
            "bytes a logit at the loss: 6 unfused, 10 fused by Megatron, 2 by "
            "TransformerEngine, 4 in fp32");
    }

    void attention() {
        const Sizes& z = c_.z;
        const Scenario& s = c_.s;
        const bool latent = s.multi_latent_attention;
        add("n", z.heads, "query heads");
        add("g", z.groups, "key/value heads");
        add("g_l", latent ? z.n_local : z.g_local,
            "key/value heads of a GPU: g / TP, at least 1; with MLA n / TP");
        add("d", z.head, "width of a head");
        add("d_q", latent ? s.qk_head_dim + s.qk_pos_emb_head_dim : z.head,
            "width of a query or key head; with MLA qk_head_dim + qk_pos_emb_head_dim");
        add("d_v", latent ? s.v_head_dim : z.head, "width of a value head");
        add("d_rot", detailed::rotary_width(c_), "rotated width of a head");
        add("e_s", detailed::score_bytes(c_), "bytes kept of an attention score");
        if (!latent) return;
        add("q_lora", s.q_lora_rank.value_or(0), "rank of the compressed queries");
        add("kv_lora", s.kv_lora_rank, "rank of the compressed keys and values");
        add("d_rope", s.qk_pos_emb_head_dim, "rotary part of a query or key head");
        const bool kept_once = c_.recomputes("mla_up_proj") && s.qk_layernorm;
        const Wide norm = s.qk_layernorm ? z.element : 0;
        add("e_c", kept_once ? z.element : z.element + norm,
            "bytes an element of a compressed tensor: the up projection's input and, with qk_layernorm, the "
            "norm's, which alone stays under mla_up_proj recompute");
        if (c_.low_precision()) {
            add_fraction(
                "e_c8", detailed::low_byte_share(c_) + norm * detailed::kByteUnit,
                "bytes an element of a compressed tensor in FP8 or FP4: the up projection's input and, "
                "with qk_layernorm, the norm's");
        }
        add("s_rot", detailed::rotary_positions(c_), "positions in the tables of cos and sin");
    }

    void experts() {
        const Sizes& z = c_.z;
        add("E", c_.s.num_experts, "routed experts of a layer");
        add("k", c_.s.moe_router_topk, "experts that a token visits");
        add("N", z.routed,
            "token copies that a GPU's experts get: Ts × k × ETP × moe_load_factor, or by capacity or "
            "budget; in FP8 "
            "and FP4 with padding");
        add("f_e", z.moe_ffn, "width of an expert");
        add("f_s", z.shared, "width of the shared expert");
        add("h_e", z.expert_h, "width that experts work on: latent or hidden size");
        add("e_p", c_.s.moe_router_dtype == RouterDtype::none ? z.element : 4,
            "bytes of a routing probability");
    }

    void parallelism() {
        const Sizes& z = c_.z;
        add("TP", z.tp, "tensor parallel size");
        add("TP_s", z.sp ? z.tp : 1, "TP with sequence_parallel, else 1");
        add("TP_c", c_.s.distribute_saved_activations && !z.sp ? z.tp : 1,
            "TP with distribute_saved_activations, else 1");
        add("PP", z.pp, "pipeline parallel size");
        add("VPP", c_.pipeline.chunks, "model chunks of a rank");
        add("CP", z.cp, "context parallel size");
        add("EP", z.ep, "expert parallel size");
        add("ETP", z.etp, "tensor parallel size inside an expert");
        add("DP", z.dp, "data parallel size");
        add("EDP", z.edp, "data parallel size of experts");
        add("M", z.micro_batches, "micro-batches of a step");
    }

    void rank() {
        const detailed::Counts layers = detailed::layers_of(c_, rank_);
        add("L_r", layers.dense + layers.moe, "layers of this rank, with MTP's");
        add("L_moe", layers.moe, "MoE layers of this rank, with MTP's");
        std::int64_t received = 0;
        std::int64_t depths = 0;
        for (std::int64_t chunk = 0; chunk < c_.pipeline.chunks; ++chunk) {
            const Stage& stage = c_.pipeline.stage(rank_, chunk);
            received += stage.embedding ? 0 : 1;
            depths += stage.mtp;
        }
        add("C_in", received, "chunks of this rank that receive their input");
        add("mtp", std::max<std::int64_t>(depths, 1), "MTP depths of this rank");
        add("leaves", detailed::retained_leaf_count(c_, rank_),
            "retained inputs of MoE graphs or checkpoints");
        add("B_b", detailed::kept_batch_bytes(c_, rank_), "bytes a token of a batch that this rank keeps");
        std::string shapes;
        for (const auto& [rows, cols] : detailed::dummy_gradient_shapes(c_, rank_))
            shapes += fmt::format("{}{} × {}", shapes.empty() ? "" : " + ", rows, cols);
        symbols_.push_back({"R", shapes.empty() ? "0" : fmt::format("({})", shapes),
                            "rows × columns of each distinct weight shape"});
        if (c_.s.optimizer != Optimizer::muon && c_.s.optimizer != Optimizer::dist_muon) return;
        if (detailed::muon_mode(c_) == detailed::MuonMode::whole) return;
        const detailed::MuonOwned owned = detailed::muon_owned(c_, rank_);
        add("P_muon", owned.muon, "elements of Muon's matrices that the last data-parallel rank owns");
        add("P_adam", owned.adam, "elements of Adam's parameters that it owns");
        add("P_pad", owned.padding, "elements that pad the buffers");
        add("B_g", detailed::grad_bytes(c_.s), "bytes of a gradient");
    }

    void tower() {
        const VisionSizes v = vision_sizes(c_.s, c_.r);
        const detailed::TowerBytes bytes = detailed::tower_bytes(c_);
        add("v_P", v.patches, "patches of a micro-batch");
        add("v_T", v.tokens, "tokens of the vision tower: patches, and class tokens of each image");
        add("v_S", v.sequence, "tokens of an image");
        add("v_M", v.merged, "tokens that reach the projector");
        add("v_h", v.h, "width of the vision tower");
        add("v_f", v.f, "width of its MLP");
        add("v_n", v.n, "its query heads, with padding to a multiple of TP");
        add("v_g", v.g, "its key/value heads");
        add("v_d", v.d, "width of its heads");
        add("v_p", v.patch, "side of a patch");
        add("v_t", v.temporal, "frames of a patch");
        add("v_q", v.merge, "patches merged into a token");
        add("v_i", v.input, "width of the projector's input: v_h × v_q");
        add("v_w", v.wide, "inner width of the projector or merger");
        add("v_TP", v.tp, "GPUs that share its linear layers: TP; transformers' modules: 1");
        add("v_e", bytes.linear_input, "bytes an element of a linear layer's input: 1 in FP8");
        add("v_x", bytes.norm,
            "bytes an element that a norm keeps of its input: an fp32 copy and the "
            "normalised input where it is written in PyTorch's operators");
        add("v_y", bytes.norm_frozen, "likewise, of a frozen norm");
        add("v_s", bytes.norm_stats, "bytes of a norm's factors of a token");
    }

    void software() {
        add("W_te", detailed::te_workspace(c_),
            "TransformerEngine's workspace: 32 MiB from compute capability 9.0, else 4 MiB");
        add("W_cublas", detailed::cublas_workspace(c_), "cuBLAS's workspace of a thread");
        symbols_.push_back(
            {"nccl_buffer_gib", to_text(c_.s.nccl_buffer_gib), "what you set aside for NCCL and the like"});
    }

    Wide loss_bytes() const { return detailed::loss_bytes(c_.s); }

    const Context& c_;
    std::int64_t rank_;
    Symbols symbols_;
};

}  // namespace

Symbols detailed_symbols(const Context& context, std::int64_t rank) {
    return Table(context, rank).all();
}

}  // namespace megamem

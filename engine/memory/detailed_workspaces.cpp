// What stays allocated beside the states: library workspaces, TransformerEngine's dummy gradients, the global
// gather buffer, and the inputs that pipeline stages hold between steps.
#include <algorithm>
#include <set>

#include "base/text.h"
#include "memory/detailed.h"
#include "memory/detailed_fsdp.h"
#include "pipeline/schedule.h"
#include "scenario/vision_kinds.h"

namespace megamem::detailed {

namespace {

constexpr Date kExpertsUseTeGemm = {2025, 6,
                                    1};  // moe_utils.py: the router's GEMM is TE's, also with local layers
constexpr Date kOutputLayerDummy = {2025, 8, 1};       // e7c55de9: tensor_parallel/layers.py:574-594
constexpr Version kLinearDummy = {2, 3};               // TE module/linear.py:953-963
constexpr Version kGroupedDummy = {2, 10};             // TE module/grouped_linear.py:480-506
constexpr Version kBlackwellLargeWorkspace = {26, 4};  // NGC image with cuBLAS 32 MiB by default on sm100

bool uses_te(const Context& c) {
    return c.software.te || (c.s.num_experts > 0 && c.software.megatron >= kExpertsUseTeGemm);
}

bool captures(const Context& c, std::string_view module) {
    const std::vector<std::string>& modules = c.s.cuda_graph_modules;
    return modules.empty() || std::find(modules.begin(), modules.end(), module) != modules.end();
}

}  // namespace

// TE cpp_extensions/gemm.py:31-36
Bytes te_workspace(const Context& c) {
    return (c.software.sm >= 90 ? 32 : 4) * kMiB;
}

// Sum of the pairs of CUBLAS_WORKSPACE_CONFIG, ":SIZE:COUNT" in KiB; cuBLAS's default without it.
Bytes cublas_workspace(const Context& c) {
    Bytes sum = 0;
    const auto parts = split(c.s.cublas_workspace_config, ':');
    for (std::size_t i = 1; i + 1 < parts.size(); i += 2) {
        const auto size = parse_unsigned(parts[i]);
        const auto count = parse_unsigned(parts[i + 1]);
        constexpr std::int64_t kMost = 1 << 24;
        if (size && count && *size <= kMost && *count <= kMost) sum += *size * *count * 1024;
    }
    if (sum > 0) return sum;
    const bool large =
        c.software.sm == 90 || (c.software.sm >= 100 && c.software.container >= kBlackwellLargeWorkspace);
    return large ? 32 * kMiB : 8320 * 1024;
}

// TE keeps one bf16 dummy gradient for each distinct weight shape of the process, made in the first backward
// pass (TE module/base.py:64, 79-92), where gradients accumulate in fused kernels.
std::vector<Shape> dummy_gradient_shapes(const Context& c, std::int64_t rank) {
    // Megatron's own linear layers take them too, as the output layer does (layers.py:595-618, e7c55de9).
    const bool local = !c.software.te;
    if (!c.s.gradient_accumulation_fusion || (local && c.software.megatron < kOutputLayerDummy)) return {};
    std::set<Shape> shapes;
    for (const auto& [tensors, count, low] : rank_tensors(c, rank)) {
        for (const Tensor& tensor : tensors) {
            const Version& te = c.software.transformer_engine;
            const bool linear =
                tensor.holder == Holder::te_linear || tensor.holder == Holder::te_linear_unquantized;
            const bool dummy = (linear && (local || te >= kLinearDummy)) ||
                               (tensor.holder == Holder::te_grouped && te >= kGroupedDummy) ||
                               (tensor.holder == Holder::output_layer && te >= kLinearDummy &&
                                c.software.megatron >= kOutputLayerDummy);
            if (dummy && tensor.is_matrix() && !tensor.frozen) shapes.insert({tensor.rows, tensor.cols});
        }
    }
    // A tied output layer has no tensor of its own here and still its gradient's shape.
    bool has_output = false;
    for (std::int64_t chunk = 0; chunk < c.pipeline.chunks; ++chunk) {
        has_output = has_output || c.pipeline.stage(rank, chunk).output;
    }
    if (has_output && !freezes_language(c.s) && c.software.transformer_engine >= kLinearDummy &&
        c.software.megatron >= kOutputLayerDummy) {
        shapes.insert({narrow(c.z.vocab_local), narrow(c.z.h)});
    }
    return {shapes.begin(), shapes.end()};
}

// Layers of the rank by kind, MTP's counted with the last layer's.
Counts layers_of(const Context& c, std::int64_t rank) {
    Counts sum;
    for (std::int64_t chunk = 0; chunk < c.pipeline.chunks; ++chunk) {
        const Stage& stage = c.pipeline.stage(rank, chunk);
        const Counts here = counts_of(c, stage);
        sum.dense += here.dense + (c.last_is_moe ? 0 : stage.mtp);
        sum.moe += here.moe + (c.last_is_moe ? stage.mtp : 0);
    }
    return sum;
}

std::int64_t rotary_positions(const Context& c) {
    constexpr std::int64_t kOriginalPositions = 4096;  // --original-max-position-embeddings
    return c.s.apply_rope_fusion ? std::max(kOriginalPositions, c.r.sequence) : kOriginalPositions;
}

Wide graph_input_bytes(const Context& c) {
    const Wide mask = Wide{c.r.micro_batch} * c.r.sequence * c.r.sequence / c.z.cp;
    return c.z.hidden_bytes() + (captures(c, "attn") ? mask : 0);
}

namespace {

Wide dummy_gradients(const Context& c, std::int64_t rank) {
    Wide sum = 0;
    for (const auto& [rows, cols] : dummy_gradient_shapes(c, rank))
        sum += c.z.element * Wide{rows} * cols;
    return sum;
}

struct Sized {
    std::string_view formula;
    Wide bytes = 0;
};

// The "mpu" buffer, one for a data type, as large as its largest use (core/utils.py:727-753@d98e8a64).
Sized global_buffer(const Context& c, std::int64_t rank) {
    Sized most;
    const auto use = [&](std::string_view formula, Wide bytes) {
        if (bytes > most.bytes) most = {formula, bytes};
    };
    for (std::int64_t chunk = 0; chunk < c.pipeline.chunks; ++chunk) {
        // The output layer's gathered input: tensor_parallel/layers.py:627
        if (c.z.sp && c.pipeline.stage(rank, chunk).output)
            use("detailed.global_buffer", c.z.element * c.z.tokens * c.z.h);
    }
    // The allgather dispatcher's tokens of all TP x EP ranks: token_dispatcher.py:300@d98e8a64
    if (c.s.num_experts > 0 && c.dispatcher == Dispatcher::allgather) {
        use("detailed.global_buffer_tokens", c.z.element * c.z.local_tokens * c.z.h * c.z.etp * c.z.ep);
    }
    // The local attention's scores: dot_product_attention.py:189@d98e8a64
    if (!c.software.te) {
        use("detailed.global_buffer_scores",
            c.z.element * Wide{c.r.micro_batch} * c.z.n_local * c.r.sequence * c.r.sequence / c.z.cp);
    }
    return most;
}

// Each chunk keeps its last received input, and that input's gradient: decoder.input_tensor
// (transformer_block.py:463, pipeline_parallel/schedules.py:561@d98e8a64). Replaced in the next pass.
Wide stage_inputs(const Context& c, std::int64_t rank) {
    if (c.z.pp == 1) return 0;
    Wide chunks = 0;
    for (std::int64_t chunk = 0; chunk < c.pipeline.chunks; ++chunk) {
        if (!c.pipeline.stage(rank, chunk).embedding) ++chunks;
    }
    return 2 * chunks * stream_bytes(c);
}

// Whether something of such a layer is captured: cuda_graphs.py:2134-2173@d98e8a64.
bool is_graphed(const Context& c, bool moe) {
    if (captures(c, "attn")) return true;
    if (!moe) return captures(c, "mlp");
    return captures(c, "moe") || captures(c, "moe_router") || captures(c, "moe_preprocess");
}

// Inputs of captured graphs: a hidden tensor and, with attention, its mask for each layer and micro-batch
// alive at a time (module.py:237, transformer_layer.py:1087@cd4afffa64); since 94b47593f9 those of finished
// ones are used again.
Wide graph_inputs(const Context& c, std::int64_t rank) {
    if (c.s.cuda_graph_impl != CudaGraphImpl::transformer_engine) return 0;
    constexpr Date kReuse = {2025, 12, 18};
    const auto alive = in_flight(c.s, c.pipeline, rank, c.z.micro_batches, c.overlaps_experts());
    const bool mtp = is_graphed(c, c.last_is_moe);
    Wide layers = 0;
    for (std::int64_t chunk = 0; chunk < c.pipeline.chunks; ++chunk) {
        const Stage& stage = c.pipeline.stage(rank, chunk);
        const Counts counts = counts_of(c, stage);
        const bool reused = c.software.megatron >= kReuse;
        const std::int64_t graphed = (is_graphed(c, false) ? counts.dense : 0) +
                                     (is_graphed(c, true) ? counts.moe : 0) + (mtp ? stage.mtp : 0);
        layers += graphed * (reused ? alive[static_cast<std::size_t>(chunk)] : c.z.micro_batches);
    }
    return layers * graph_input_bytes(c);
}

// A full-iteration graph reads every micro-batch of the step from tensors of its own
// (full_cuda_graph.py:98-136@d98e8a64).
Wide static_batches(const Context& c) {
    if (c.s.cuda_graph_impl != CudaGraphImpl::full_iteration) return 0;
    return c.z.micro_batches * batch_bytes(c);
}

// What a token dispatcher object keeps of its last micro-batch (token_dispatcher.py:615-640@01eb7e87).
Wide dispatcher_tensors(const Context& c) {
    const Wide experts = c.s.num_experts;
    const Wide prob = c.s.moe_router_dtype == RouterDtype::none ? c.z.element : 4;
    const Wide ts = c.z.local_tokens;
    switch (c.dispatcher) {
        case Dispatcher::alltoall:
            return ts * experts * (prob + 1) +
                   (c.s.moe_permute_fusion ? 4 * ts * (2 * experts + 1) : 8 * c.z.sent);
        case Dispatcher::flex:
            // HybridEP's handle lives on through the probabilities' gradient function (fused_a2a.py:386).
            return 5 * ts * experts + 4 * c.z.routed + (c.hybrid_ep() ? hybrid_ep_handle(c) : 0);
        case Dispatcher::allgather:
            return ts * c.z.etp * c.z.ep * c.z.experts_local + c.z.routed * (prob + 8);
    }
    return 0;
}

std::string_view dispatcher_formula(const Context& c) {
    switch (c.dispatcher) {
        case Dispatcher::alltoall:
            return c.s.moe_permute_fusion ? "detailed.dispatcher_alltoall"
                                          : "detailed.dispatcher_alltoall_unfused";
        case Dispatcher::flex:
            return c.hybrid_ep() ? "detailed.dispatcher_hybrid_ep" : "detailed.dispatcher_flex";
        case Dispatcher::allgather:
            return "detailed.dispatcher_allgather";
    }
    return "";
}

}  // namespace

// The probabilities' gradient function also holds the leaf that its graph starts from, with its gradient: a
// detached input of each MoE layer with overlapped expert communication
// (pipeline_parallel/utils.py:212@01eb7e87) or with the moe module recomputed, and of each checkpoint that
// has a MoE layer.
std::int64_t retained_leaf_count(const Context& c, std::int64_t rank) {
    const std::int64_t moe_layers = layers_of(c, rank).moe;
    if (c.overlaps_experts() || c.recomputes("moe")) return moe_layers;
    if (!c.full_recompute()) return 0;
    const std::int64_t piece = c.s.recompute_method == RecomputeMethod::block
                                   ? 1
                                   : std::max<std::int64_t>(c.s.recompute_num_layers.value_or(1), 1);
    return (moe_layers + piece - 1) / piece;
}

// From 5e4fc931ba of 2026-05-21 get_batch put a batch's GPU tensors into the very dictionary that the data
// iterator keeps for reruns, until bf32f4415e of 2026-07-06 gave that one a copy
// (rerun_state_machine.py:1143-1156, pretrain_gpt.py:94-98@6e091e1b; goldens of 2026-07-08 still have it). It
// befalls TP rank 0; the other TP ranks, and so what is shown here for TP > 1, receive into tensors of their
// own.
std::int64_t kept_batch_bytes(const Context& c, std::int64_t rank) {
    constexpr Date kShared = {2026, 5, 21};
    constexpr Date kCopied = {2026, 7, 9};
    if (c.z.tp > 1 || c.software.megatron < kShared || c.software.megatron >= kCopied) return 0;
    constexpr std::int64_t kInputs = 16;  // ids and positions
    constexpr std::int64_t kLabels = 12;  // labels and the loss mask
    std::int64_t bytes = 0;
    for (std::int64_t chunk = 0; chunk < c.pipeline.chunks; ++chunk) {
        const Stage& stage = c.pipeline.stage(rank, chunk);
        if (stage.mtp > 0) return kInputs + kLabels;
        bytes += (stage.embedding ? kInputs : 0) + (stage.output ? kLabels : 0);
    }
    return bytes;
}

namespace {

Wide kept_batch(const Context& c, std::int64_t rank) {
    const Wide bytes = kept_batch_bytes(c, rank);
    if (bytes == 0) return 0;
    return bytes * c.z.tokens + mask_bytes(c);
}

Wide retained_leaves(const Context& c, std::int64_t rank) {
    return 2 * stream_bytes(c) * retained_leaf_count(c, rank);
}

// Tables of the rotary embedding: one for a model chunk (rotary_pos_embedding.py:177@01eb7e87), or one for
// each MLA layer, which keeps cos and sin apart as well (yarn_rotary_pos_embedding.py:118-190).
Wide rotary_tables(const Context& c, std::int64_t rank) {
    const Wide width = rotary_width(c);
    if (c.s.multi_latent_attention) {
        const Counts layers = layers_of(c, rank);
        const Wide longest = rotary_positions(c);
        return (layers.dense + layers.moe) * (4 * Wide{c.r.sequence} * width + 4 * longest * width);
    }
    return c.rope() ? c.pipeline.chunks * 4 * (Wide{c.r.sequence} / c.z.cp) * width : 0;
}

}  // namespace

void add_workspaces(const Context& c, std::int64_t rank, std::vector<LineItem>& items) {
    const auto add = [&](std::string_view name, std::string_view formula, Kind kind, Wide bytes) {
        if (bytes > 0)
            items.push_back({.component = name, .kind = kind, .bytes = narrow(bytes), .formula = formula});
    };
    constexpr Wide kGroupedStreams = 4;     // TE cpp_extensions/gemm.py:51-56
    constexpr Wide kUserBufferStreams = 3;  // :28, 44-49
    if (uses_te(c)) {
        add("te_workspace", "detailed.te_workspace", Kind::workspace, te_workspace(c));
        if (c.s.num_experts > 0 && c.s.moe_grouped_gemm && has_grouped_linear(c.software)) {
            add("grouped_gemm_workspace", "detailed.grouped_workspace", Kind::workspace,
                kGroupedStreams * te_workspace(c));
        }
    }
    // One for the forward thread, one for autograd's.
    add("cublas_workspace", "detailed.cublas_workspace", Kind::workspace, 2 * Wide{cublas_workspace(c)});
    if (c.s.tp_comm_overlap) {
        add("user_buffer_workspace", "detailed.user_buffer_workspace", Kind::workspace,
            kUserBufferStreams * te_workspace(c));
    }
    const Sized buffer = global_buffer(c, rank);
    add("global_buffer", buffer.formula, Kind::workspace, buffer.bytes);
    add("rotary_tables", c.s.multi_latent_attention ? "detailed.rotary_tables_mla" : "detailed.rotary_tables",
        Kind::workspace, rotary_tables(c, rank));
    if (c.s.num_experts > 0) {
        add("dispatcher_tensors", dispatcher_formula(c), Kind::held,
            layers_of(c, rank).moe * dispatcher_tensors(c));
        add("retained_leaves", "detailed.retained_leaves", Kind::held, retained_leaves(c, rank));
    }
    add("dummy_gradients", "detailed.dummy_gradients", Kind::workspace, dummy_gradients(c, rank));
    // The first iterations run without graphs and have the peak.
    add("graph_inputs", "detailed.graph_inputs", Kind::held, graph_inputs(c, rank));
    add("static_batches", "detailed.static_batches", Kind::workspace, static_batches(c));
    if (c.s.use_megatron_fsdp) {
        const FsdpGathered gathered = fsdp_gathered(c, rank);
        if (gathered.root_stays)
            add("fsdp_root_weights", "detailed.fsdp_root", Kind::workspace, gathered.root_weights);
        add("fsdp_double_buffers", "detailed.fsdp_double_buffers", Kind::workspace, gathered.pool);
    }
    // The last one is the batch of the peak.
    const Wide batch = kept_batch(c, rank);
    add("kept_batches", "detailed.kept_batches", Kind::workspace, batch * (c.z.micro_batches - 1));
    add("kept_batch", "detailed.kept_batch", Kind::held, batch);
    add("stage_inputs", "detailed.stage_inputs", Kind::held, stage_inputs(c, rank));
}

}  // namespace megamem::detailed

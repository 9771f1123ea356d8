// The `detailed` method: what torch's allocator holds between steps and at its peak, on every pipeline rank.
// The rules are from the sources of Megatron-LM (@d98e8a64 unless said otherwise) and TransformerEngine (TE,
// @v2.11), with the version from which each holds; they are held against measured runs by the accuracy tests.
#pragma once

#include <array>
#include <compare>
#include <string_view>
#include <vector>

#include "memory/plan.h"
#include "memory/report.h"
#include "model/inventory.h"
#include "model/sizes.h"
#include "model/software.h"

namespace megamem {

void estimate_detailed(const Plan& plan, Report& report);

namespace detailed {

// Reserved over allocated memory at the peak, less 1, in hundredths: the middle and the range from a tenth to
// nine tenths of the published pairs of current NVIDIA stacks, 22 dense and 10 MoE stages
// (MooreThreads/SimuMax docs/b200, NVIDIA-NeMo/Megatron-Bridge model cards, public reports). None says
// whether segments were expandable.
struct Fragmentation {
    int low;
    int middle;
    int high;
};
inline constexpr Fragmentation kDenseFragmentation = {2, 4, 8};
inline constexpr Fragmentation kMoeFragmentation = {5, 12, 15};

// The tensors of each part of the model on one GPU: made once, as every rank is put together of them.
struct Inventory {
    Tensors embedding;
    Tensors dense_layer;
    Tensors moe_layer;
    Tensors mtp_layer;
    Tensors final_norm;
    Tensors output_layer;
    // Of a tower with a vision_model_type
    Tensors vision_ends;
    Tensors vision_layer;
    Tensors vision_merger;  // one of deepstack's
};

// A scenario, ready for formulas.
struct Context {
    const Scenario& s;
    const Resolved& r;
    const Pipeline& pipeline;
    const std::vector<bool>& moe;
    Sizes z;
    Software software;
    Attention attention;
    Dispatcher dispatcher;
    bool last_is_moe;  // type of the last decoder layer, which MTP layers take
    Inventory inventory;

    bool flash() const { return attention == Attention::flash; }
    bool rope() const {
        return s.position_embedding_type == PositionEmbedding::rope ||
               s.position_embedding_type == PositionEmbedding::yarn ||
               s.position_embedding_type == PositionEmbedding::mrope;
    }
    Fragmentation fragmentation() const {
        return s.num_experts > 0 ? kMoeFragmentation : kDenseFragmentation;
    }
    bool grouped_query() const { return !s.multi_latent_attention && r.groups != r.heads; }
    bool hybrid_ep() const {
        return s.num_experts > 0 && dispatcher == Dispatcher::flex &&
               s.moe_flex_dispatcher_backend == FlexBackend::hybridep;
    }
    // Refused with PP > 1 before d7bf5aaa of 2025-08-26: then it isn't in force
    // (transformer_config.py:1238@ae1c8829).
    bool overlaps_experts() const {
        return s.overlap_moe_expert_parallel_comm && (z.pp == 1 || software.megatron >= Date{2025, 8, 26});
    }
    bool full_recompute() const { return s.recompute_granularity == RecomputeGranularity::full; }
    bool fp8() const { return s.fp8_format != Fp8Format::none; }
    bool fp4() const { return s.fp4_format != Fp4Format::none; }
    bool low_precision() const { return fp8() || fp4(); }  // linear layers run in FP8 or FP4
    bool a2a() const { return z.cp > 1 && s.cp_comm_type == CpCommType::a2a; }
    // Keys and values go round a ring (between groups of a2a+p2p, too).
    bool p2p() const {
        return z.cp > 1 && (s.cp_comm_type == CpCommType::p2p || s.cp_comm_type == CpCommType::a2a_p2p);
    }
    bool gathers_keys() const { return z.cp > 1 && s.cp_comm_type == CpCommType::allgather; }
    bool recomputes(std::string_view module) const;
};

Context context_of(const Plan& plan, Problems& problems);

// How many layers of each kind a stage or rank has.
struct Counts {
    std::int64_t dense = 0;
    std::int64_t moe = 0;
    std::int64_t mtp = 0;
};

enum class Half { attention, block };

// A tensor that one layer keeps for backward.
struct Saved {
    std::string_view module;
    std::string_view term;
    std::string_view formula;
    Wide bytes = 0;
    Half half = Half::attention;
};

// The most that a half's passes hold beside what the layer saves.
struct Transients {
    Wide attention_backward = 0;
    Wide attention_forward = 0;
    Wide block_backward = 0;
    Wide moe_forward = 0;  // at the combine
};

// One decoder layer for one micro-batch.
struct LayerMemory {
    std::vector<Saved> saved;  // what stays until its backward pass
    Wide total = 0;            // of saved
    Wide raw = 0;              // the same without recompute
    Wide backward =
        0;  // the most that its backward pass holds beside what is saved, recomputed tensors included
    Wide raw_backward = 0;  // likewise for a layer that full recompute has just rebuilt
    Wide attention_forward = 0;
    Wide moe_forward = 0;

    void save(std::string_view module, std::string_view term, std::string_view formula, Wide bytes);
    Wide bytes_of(std::string_view term) const;
    Wide half_total(Half half) const;
    // Takes a tensor off the list and gives its bytes; 0 where there is none.
    Wide drop(std::string_view term);
    // Changes a tensor's bytes, adding it where there is none; gives the bytes before.
    Wide replace(const Saved& tensor);
    Half half = Half::attention;  // which `save` is adding to
};

// A layer's kinds: dense and MoE, and both again as they are in bf16 while the rest runs in FP8 or FP4.
inline constexpr std::size_t kLayerKinds = 4;
using Layers = std::array<LayerMemory, kLayerKinds>;
Layers layers_of_every_kind(const Context& context);
std::size_t kind_of(const Context& context, std::int64_t layer);  // of a decoder layer
std::size_t mtp_kind(const Context& context);
// Whether a decoder layer is one of the first or last that first_last_layers_bf16 leaves in bf16.
bool stays_in_bf16(const Context& context, std::int64_t layer);

// Without recompute: everything that the layer saves.
Transients save_layer(const Context& context, bool moe, LayerMemory& layer);
void save_attention(const Context& context, LayerMemory& layer, Transients& transients);
void save_mlp(const Context& context, LayerMemory& layer, Transients& transients);
void save_mixture(const Context& context, LayerMemory& layer, Transients& transients);

// Bytes of so many elements in FP8 or FP4, with the scales of their blocks; an element's share of them in
// units of 1 / kByteUnit, and that of a weight.
Wide low_bytes(const Context& context, Wide elements);
inline constexpr std::int64_t kByteUnit =
    10'240'000;  // of ten-thousandths, and of scales of 16 to 16384 elements
Wide low_byte_share(const Context& context);
Wide low_weight_share(const Context& context);

// Of a norm's input: PyTorch's own RMSNorm, in the local spec, kept an fp32 copy and the normalised one
// before torch 2.9.
Wide norm_input_bytes(const Context& context);
std::string_view norm_input_formula(const Context& context);
std::string_view norm_output_formula(bool quantized);
Wide rotary_width(const Context& context);
// Whether linear layers whose input others keep as well save it itself, and no FP8 or FP4 copy.
bool saves_original_input(const Context& context);
// Bytes kept of an entry of unfused attention's scores.
Wide score_bytes(const Context& context);
// Bytes a logit at the peak of the loss.
Wide loss_bytes(const Scenario& scenario);
bool fp32_logits(const Scenario& scenario);
// Of one micro-batch's inputs, and of the attention mask among them.
Wide batch_bytes(const Context& context);
Wide mask_bytes(const Context& context);
// Bytes of a gradient, without FSDP.
Wide grad_bytes(const Scenario& scenario);
Wide hybrid_ep_handle(const Context& context);

// With the scenario's selective recompute applied.
LayerMemory layer_memory(const Context& context, bool moe);
// Bytes of the residual stream: what stages send and checkpoints keep.
Wide stream_bytes(const Context& context);

// Shapes of the dummy gradients that TransformerEngine keeps on a rank.
struct Shape {
    std::int64_t rows;
    std::int64_t cols;
    friend constexpr auto operator<=>(const Shape&, const Shape&) = default;
};
std::vector<Shape> dummy_gradient_shapes(const Context& context, std::int64_t rank);
// Layers of a rank by kind, MTP's counted with the last layer's.
Counts layers_of(const Context& context, std::int64_t rank);
// Inputs that MoE graphs or checkpoints hold between steps.
std::int64_t retained_leaf_count(const Context& context, std::int64_t rank);
// Bytes a token of a batch that a rank keeps for reruns; 0: it keeps none.
std::int64_t kept_batch_bytes(const Context& context, std::int64_t rank);
// Positions in an MLA layer's table of cos and sin.
std::int64_t rotary_positions(const Context& context);
Wide graph_input_bytes(const Context& context);  // of one captured layer
Bytes te_workspace(const Context& context);
Bytes cublas_workspace(const Context& context);

// One kind of state of one tensor: elements x bytes / shards.
struct TensorState {
    Wide bytes = 0;  // of an element, in units of 1 / kByteUnit: an offloaded share is a fraction
    Wide shards = 1;
};
// In the order weight, FP8 copies, gradient, master, optimizer; then the fp32 copy of a 2-byte gradient.
std::array<TensorState, 6> states_of(const Context& context, const Tensor& tensor, bool low_precision);

// Static memory of a rank.
void add_states(const Context& context, std::int64_t rank, std::vector<LineItem>& items);
void add_workspaces(const Context& context, std::int64_t rank, std::vector<LineItem>& items);
// Activations in flight and the event that makes the peak. Gives the event's name, and the micro-batches of
// each chunk that are alive then.
struct RankKind;  // detailed_chunk.h
std::string_view add_peak(const Context& context, std::int64_t rank, const Layers& layers,
                          const RankKind& kind, std::vector<std::int64_t>& in_flight,
                          std::vector<LineItem>& items);

// What the vision tower holds for the passes, and a generic one's states too; on the first rank.
void add_vision(const Context& context, const RankReport& rank, std::vector<LineItem>& items);
// Memory of expert-parallel libraries outside torch's allocator, by formula; nothing without them.
struct ExpertBuffers {
    std::string_view formula;
    Wide bytes = 0;
    Wide peers = 0;        // ranks of the group in one NVLink domain
    Wide domains = 1;      // NVLink domains of the group
    Wide far = 0;          // HybridEP: bytes a token for other domains
    Wide tokens = 0;       // HybridEP: of a rank, aligned
    Wide near_tokens = 0;  // DeepEP: that a channel receives into, over NVLink
    Wide far_tokens = 0;   // ... and over RDMA
};
ExpertBuffers expert_buffers(const Context& context);
RankReport rank_report(const Context& context, std::int64_t rank, const Layers& layers, const RankKind& kind);

Counts counts_of(const Context& context, const Stage& stage);
// The tensors of a rank with how often they stand there: {tensors of one layer or part, count}.
struct TensorGroup {
    const Tensors& tensors;
    std::int64_t count;
    bool low_precision = false;  // its linear layers run in FP8 or FP4
};
std::vector<TensorGroup> rank_tensors(const Context& context, std::int64_t rank);
// The bytes of a group's tensor, in all layers that have it, in the order of states_of.
std::array<Wide, 6> state_bytes(const Context& context, const Tensor& tensor, const TensorGroup& group);
// The kind of the first five. Adam's moments are made at the end of step 1: there after it, not at its peak.
Kind state_kind(const Scenario& scenario, std::size_t state);

}  // namespace detailed

}  // namespace megamem

// Weights, gradients, masters and optimizer states of a rank (docs/user-guide/features/dist_optimizer.md and
// core/distributed/param_and_grad_buffer.py@d98e8a64).
#include <algorithm>

#include "memory/detailed.h"
#include "memory/detailed_fsdp.h"
#include "memory/detailed_muon.h"

namespace megamem::detailed {

namespace {

// In units of 1 / kByteUnit.
struct BytesPerElement {
    Wide weight = 2 * kByteUnit;
    Wide fp8_cache = 0;
    Wide grad = 4 * kByteUnit;
    Wide master = 4 * kByteUnit;
    Wide moments = 8 * kByteUnit;
    Wide offload_share = 0;  // ten-thousandths of 12 bytes that stay with a CPU-offloaded optimizer
};

Wide bytes_of(StateDtype type) {
    switch (type) {
        case StateDtype::fp32:
            return 4;
        case StateDtype::fp16:
        case StateDtype::bf16:
            return 2;
        case StateDtype::fp8:
            return 1;
    }
    return 4;
}

}  // namespace

// arguments.py:1204-1217@d98e8a64: bf16 accumulates in fp32 unless told otherwise, fp16 only when told.
Wide grad_bytes(const Scenario& s) {
    if (s.precision == Precision::fp32) return 4;
    if (s.precision == Precision::fp16) return s.accumulate_allreduce_grads_in_fp32 ? 4 : 2;
    return s.grad_reduce_in_bf16 || s.main_grads_dtype == StateDtype::bf16 ? 2 : 4;
}

namespace {

bool is_muon_run(const Scenario& s) {
    return s.optimizer == Optimizer::muon || s.optimizer == Optimizer::dist_muon;
}

// Adam has two states, SGD with momentum and Lion one; Muon one for its matrices and Adam's two for the rest.
bool keeps_two_moments(const Scenario& s, const Tensor& tensor) {
    return s.optimizer == Optimizer::adam || (is_muon_run(s) && !is_muon(tensor));
}

// Delayed and tensorwise scaling need no transposed copy where the GPU multiplies any layout
// (TE pytorch/utils.py:658-664@d0067d0d: compute capability 10.x); the others keep both copies everywhere.
bool blocks_have_scales(const Context& c) {
    return c.fp4() || c.s.fp8_recipe == Fp8Recipe::mxfp8 || c.s.fp8_recipe == Fp8Recipe::blockwise;
}

bool keeps_transpose(const Context& c) {
    const bool any_layout = c.software.sm >= 100 && c.software.sm < 120;
    return !any_layout || blocks_have_scales(c);
}

bool keeps_low_weights(const Context& c) {
    if (c.s.use_torch_fsdp2) return false;  // arguments.py:1050-1058@d98e8a64 turns it off
    return c.fp4() ? c.s.fp4_param_gather : c.s.fp8_param_gather;
}

// Copies of a weight in FP8 or FP4: a row-wise one and, where needed, its transpose; as the weight itself,
// the row-wise one is no copy (TE module/base.py:792-887@d0067d0d).
void set_low_weight(const Context& c, BytesPerElement& b) {
    const Wide copy = low_weight_share(c);
    const bool primary = keeps_low_weights(c);
    if (primary) b.weight = copy;
    bool transpose = keeps_transpose(c);
    // Megatron-FSDP drops transposes with the gathered weights, unless told to keep them; those with scales
    // have a sharded buffer of their own (megatron_fsdp.py:627, param_and_grad_buffer.py:2749@d98e8a64).
    if (c.s.use_megatron_fsdp && primary && !blocks_have_scales(c))
        transpose = transpose && c.s.keep_fp8_transpose_cache;
    b.fp8_cache = (primary ? 0 : copy) + (transpose ? copy : 0);
}

BytesPerElement bytes_for(const Context& c, const Tensor& tensor, bool low_precision) {
    const Scenario& s = c.s;
    BytesPerElement b;
    if (tensor.buffer == Buffer::none)
        return {.weight = 4 * kByteUnit, .fp8_cache = 0, .grad = 0, .master = 0, .moments = 0};
    if (s.precision == Precision::fp32) {
        b.weight = 4 * kByteUnit;
        // The parameter is its own master, except under FSDP.
        b.master = s.use_megatron_fsdp ? 4 * kByteUnit : 0;
    }
    b.grad = (s.use_megatron_fsdp ? fsdp_grad_bytes(c) : grad_bytes(s)) * kByteUnit;
    const bool two = keeps_two_moments(s, tensor);
    if (!two) b.moments = 4 * kByteUnit;
    if (s.use_precision_aware_optimizer && s.use_distributed_optimizer) {
        // bf16 with an fp32 master: only the low 16 bits are stored (TE optimizers/fused_adam.py:98-100,
        // 213-215).
        const bool remainder = s.precision == Precision::bf16 && s.main_params_dtype == StateDtype::fp32 &&
                               (!c.fp8() || s.fp8_recipe == Fp8Recipe::delayed);
        b.master = (remainder ? 2 : bytes_of(s.main_params_dtype)) * kByteUnit;
        b.moments = (bytes_of(s.exp_avg_dtype) + (two ? bytes_of(s.exp_avg_sq_dtype) : 0)) * kByteUnit;
    }
    if (s.optimizer_cpu_offload) {  // the offloaded share's masters and states live in host memory
        const Wide kept = Decimal4::kOne - s.optimizer_offload_fraction.ten_thousandths;
        b.master = 0;
        b.moments = 0;
        b.offload_share = kept;
    }
    const bool linear = tensor.holder == Holder::te_linear || tensor.holder == Holder::te_grouped;
    if (low_precision && linear && tensor.is_matrix()) set_low_weight(c, b);
    // No gradient, and so no place in a gradient buffer nor in the optimizer
    // (distributed/distributed_data_parallel.py:180@d98e8a64: parameters that require a gradient).
    if (tensor.frozen) b.grad = b.master = b.moments = b.offload_share = 0;
    return b;
}

// How many ranks share weights, gradients and states of a tensor.
FsdpShards shards_of(const Context& c, const Tensor& tensor) {
    const bool expert = tensor.buffer == Buffer::expert;
    if (c.s.use_torch_fsdp2) return {c.z.dense_shards, c.z.dense_shards, c.z.dense_shards};
    if (c.s.use_megatron_fsdp) return fsdp_shards(c, expert);
    if (!c.s.use_distributed_optimizer) return {};
    return {1, 1, expert ? c.z.expert_shards : c.z.dense_shards};
}

struct ModuleStates {
    std::string_view module;
    Wide elements = 0;
    std::array<Wide, 5> bytes{};
    Wide fp32_grad_copy = 0;
};

// With layer-wise Muon the masters and states are whole parameters of one rank: counted apart.
bool owned_apart(const Context& c, const Tensor& tensor) {
    if (!is_muon_run(c.s)) return false;
    const MuonMode mode = muon_mode(c);
    return mode == MuonMode::dealt || (mode == MuonMode::balanced && is_muon(tensor));
}

void accumulate(const Context& c, const Tensor& tensor, const TensorGroup& group, ModuleStates& states) {
    const auto bytes = state_bytes(c, tensor, group);
    states.elements += tensor.buffer == Buffer::none ? 0 : tensor.elements() * group.count;
    for (std::size_t i = 0; i < states.bytes.size(); ++i)
        states.bytes[i] += bytes[i];
    states.fp32_grad_copy += bytes.back();
}

void add_muon(const Context& c, std::int64_t rank, std::vector<LineItem>& items) {
    if (!is_muon_run(c.s) || muon_mode(c) == MuonMode::whole) return;
    const MuonOwned owned = muon_owned(c, rank);
    const auto add = [&](Kind kind, Wide bytes, std::string_view formula) {
        items.push_back({.component = "owned_parameters",
                         .kind = kind,
                         .bytes = narrow(bytes),
                         .formula = formula,
                         .module = "owned_parameters"});
    };
    add(Kind::weight, owned.padding * 2, "detailed.muon_padding");
    add(Kind::grad, owned.padding * grad_bytes(c.s), "detailed.muon_padding_grad");
    add(Kind::master, 4 * (owned.muon + owned.adam), "detailed.muon_owned_master");
    add(Kind::optimizer, 4 * owned.muon + 8 * owned.adam, "detailed.muon_owned");
}

}  // namespace

Wide low_byte_share(const Context& c) {
    if (c.fp4()) return kByteUnit / 2 + kByteUnit / 16;  // an FP8 scale for 16 elements: TE NVFP4BlockScaling
    return blocks_have_scales(c) ? kByteUnit + kByteUnit / 32 : Wide{kByteUnit};
}

Wide low_bytes(const Context& c, Wide elements) {
    return elements * low_byte_share(c) / kByteUnit;
}

// MXFP8 has a byte for 32 elements, blockwise scaling an fp32 number for 128 of an activation and for 128 x
// 128 of a weight (TE tensor/mxfp8_tensor.py, tensor/float8_blockwise_tensor.py@v2.11).
Wide low_weight_share(const Context& c) {
    const bool squares = c.fp8() && c.s.fp8_recipe == Fp8Recipe::blockwise;
    return squares ? kByteUnit + kByteUnit / 4096 : low_byte_share(c);
}

std::array<TensorState, 6> states_of(const Context& c, const Tensor& tensor, bool low_precision) {
    const BytesPerElement b = bytes_for(c, tensor, low_precision);
    const FsdpShards shards = shards_of(c, tensor);
    // FSDP shards FP8 copies where they are buffers of its own; TransformerEngine's are whole.
    const bool fsdp = c.s.use_megatron_fsdp || c.s.use_torch_fsdp2;
    const bool own_buffers = keeps_low_weights(c) && blocks_have_scales(c);
    const Wide copies_shards = fsdp && !own_buffers ? 1 : shards.weight;
    std::array<TensorState, 6> states = {
        TensorState{b.weight, shards.weight},  TensorState{b.fp8_cache, copies_shards},
        TensorState{b.grad, shards.grad},      TensorState{b.master, shards.states},
        TensorState{b.moments, shards.states}, TensorState{0, shards.states}};
    // hybrid_optimizer.py:83-96@d98e8a64: what isn't offloaded keeps an fp32 clone and two fp32 moments.
    const Wide kept = b.offload_share * kByteUnit / Decimal4::kOne;
    states[3].bytes += 4 * kept;
    states[4].bytes += 8 * kept;
    if (owned_apart(c, tensor)) states[3].bytes = states[4].bytes = 0;
    // 2-byte gradients of fp32 masters are copied to fp32 for the step, which stays until the next forward
    // pass (optimizer/distrib_optimizer.py:2784-2792@d98e8a64); the precision-aware path needs no copy.
    const bool copies =
        b.grad == 2 * kByteUnit && b.master > 0 && !c.s.use_precision_aware_optimizer && !is_muon_run(c.s);
    if (copies) states[5].bytes = 4 * kByteUnit;
    return states;
}

std::array<Wide, 6> state_bytes(const Context& c, const Tensor& tensor, const TensorGroup& group) {
    const Wide n = tensor.elements() * group.count;
    const auto states = states_of(c, tensor, group.low_precision);
    std::array<Wide, 6> bytes{};
    for (std::size_t i = 0; i < states.size(); ++i) {
        if (states[i].bytes == 0) continue;
        bytes[i] = quotient(n * states[i].bytes, kByteUnit * static_cast<std::int64_t>(states[i].shards));
    }
    return bytes;
}

Kind state_kind(const Scenario& s, std::size_t state) {
    constexpr std::array kKinds = {Kind::weight, Kind::fp8_cache, Kind::grad, Kind::master, Kind::optimizer};
    return kKinds[state] == Kind::optimizer && s.first_iteration ? Kind::held : kKinds[state];
}

Counts counts_of(const Context& c, const Stage& stage) {
    const auto first = c.moe.begin() + static_cast<std::ptrdiff_t>(stage.first_layer);
    const auto moe = std::count(first, first + static_cast<std::ptrdiff_t>(stage.layers), true);
    return {stage.layers - moe, moe, stage.mtp};
}

std::vector<TensorGroup> rank_tensors(const Context& c, std::int64_t rank) {
    std::array<std::int64_t, kLayerKinds> layers{};
    std::int64_t depths = 0;
    std::int64_t embeddings = 0;
    std::int64_t outputs = 0;
    bool has_embedding = false;
    for (std::int64_t chunk = 0; chunk < c.pipeline.chunks; ++chunk) {
        const Stage& stage = c.pipeline.stage(rank, chunk);
        for (std::int64_t i = 0; i < stage.layers; ++i)
            ++layers[kind_of(c, stage.first_layer + i)];
        // gpt_layer_specs.py:779@d98e8a64: one layer for all depths.
        depths += c.s.mtp_use_repeated_layer ? std::min<std::int64_t>(stage.mtp, 1) : stage.mtp;
        // gpt_model.py:173@d98e8a64: a stage with MTP that isn't the first builds an embedding of its own.
        if (stage.embedding || stage.mtp > 0) ++embeddings;
        has_embedding = has_embedding || stage.embedding;
        outputs += stage.output ? 1 : 0;
    }
    // gpt_model.py:255-295@d98e8a64: a tied output layer has no weight of its own only where the embedding
    // is.
    const bool shares = has_embedding && !c.s.untie_embeddings_and_output_weights && c.pipeline.ranks == 1;
    std::vector<TensorGroup> all;
    constexpr std::size_t kMostGroups = 11;
    all.reserve(kMostGroups);
    const auto add = [&](const Tensors& tensors, std::int64_t count, bool low_precision = false) {
        if (count > 0) all.push_back({tensors, count, low_precision});
    };
    const bool low = c.low_precision();
    add(c.inventory.embedding, embeddings);
    add(c.inventory.dense_layer, layers[0], low);
    add(c.inventory.moe_layer, layers[1], low);
    add(c.inventory.dense_layer, layers[2]);
    add(c.inventory.moe_layer, layers[3]);
    add(c.inventory.mtp_layer, depths, c.fp8());  // multi_token_prediction.py:1394@d98e8a64: no FP4
    add(c.inventory.final_norm, outputs);
    if (!shares) add(c.inventory.output_layer, outputs);
    if (rank == 0 && !c.inventory.vision_layer.empty()) {
        add(c.inventory.vision_ends, 1, c.fp8());
        add(c.inventory.vision_layer, c.r.vision.layers, c.fp8());
        if (!c.inventory.vision_merger.empty()) add(c.inventory.vision_merger, c.r.vision.deepstack);
    }
    return all;
}

void add_states(const Context& c, std::int64_t rank, std::vector<LineItem>& items) {
    std::vector<ModuleStates> modules;
    constexpr std::size_t kModules = 8;  // of a MoE model
    modules.reserve(kModules);
    Wide grad_copy = 0;
    for (const TensorGroup& group : rank_tensors(c, rank)) {
        for (const Tensor& tensor : group.tensors) {
            auto found = std::find_if(modules.begin(), modules.end(),
                                      [&](const ModuleStates& m) { return m.module == tensor.module; });
            if (found == modules.end()) found = modules.insert(modules.end(), {tensor.module});
            accumulate(c, tensor, group, *found);
        }
    }
    constexpr std::array<std::string_view, 5> kFormulas = {
        "detailed.weight", "detailed.fp8_cache", "detailed.grad", "detailed.master", "detailed.optimizer"};
    for (const ModuleStates& m : modules) {
        grad_copy += m.fp32_grad_copy;
        for (std::size_t i = 0; i < m.bytes.size(); ++i) {
            items.push_back({.component = m.module,
                             .part = m.module.starts_with("vision/") ? Part::vision : Part::language,
                             .kind = state_kind(c.s, i),
                             .bytes = narrow(m.bytes[i]),
                             .elements = narrow(m.elements),
                             .formula = kFormulas[i],
                             .module = m.module});
        }
    }
    add_muon(c, rank, items);
    // FSDP keeps the copy as its main gradient (param_and_grad_buffer.py:3373@64bee49c).
    if (grad_copy > 0) {
        items.push_back({.component = "fp32_gradient_copy",
                         .kind = c.s.use_megatron_fsdp ? Kind::workspace : Kind::held,
                         .bytes = narrow(grad_copy),
                         .formula = "detailed.fp32_gradient_copy"});
    }
}

}  // namespace megamem::detailed

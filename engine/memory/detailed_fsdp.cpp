#include "memory/detailed_fsdp.h"

#include <algorithm>

namespace megamem::detailed {

namespace {

constexpr Date kLargeUnits = {2025, 8, 21};  // af28b5a559: at least 1e9 elements are fetched ahead
constexpr Date kRootStays = {2026, 5, 30};   // 378d81fbd3

struct Unit {
    Wide elements = 0;
    Wide weights = 0;
    Wide gradients = 0;
    friend bool operator==(const Unit&, const Unit&) = default;
};

Unit unit_of(const Context& c, const Tensors& tensors, Buffer buffer, bool low_precision) {
    Unit unit;
    for (const Tensor& tensor : tensors) {
        if (tensor.buffer != buffer) continue;
        const Wide n = tensor.elements();
        unit.elements += n;
        unit.weights += n * states_of(c, tensor, low_precision)[0].bytes / kByteUnit;
        unit.gradients += n * fsdp_grad_bytes(c);
    }
    return unit;
}

// Dense group, then expert group of every layer, in forward order.
std::vector<Unit> units_of(const Context& c, std::int64_t rank) {
    std::vector<Unit> units;
    const auto add = [&](const Tensors& tensors, std::int64_t count, bool low_precision) {
        const Unit dense = unit_of(c, tensors, Buffer::dense, low_precision);
        const Unit expert = unit_of(c, tensors, Buffer::expert, low_precision);
        for (std::int64_t i = 0; i < count; ++i) {
            units.push_back(dense);
            if (expert.elements > 0) units.push_back(expert);
        }
    };
    const Tensors dense_layer = decoder_layer(c.s, c.z, false);
    const Tensors moe_layer = c.s.num_experts > 0 ? decoder_layer(c.s, c.z, true) : Tensors{};
    for (std::int64_t chunk = 0; chunk < c.pipeline.chunks; ++chunk) {
        const Stage& stage = c.pipeline.stage(rank, chunk);
        for (std::int64_t i = 0; i < stage.layers; ++i) {
            const std::int64_t layer = stage.first_layer + i;
            add(c.moe[static_cast<std::size_t>(layer)] ? moe_layer : dense_layer, 1,
                c.low_precision() && !stays_in_bf16(c, layer));
        }
        if (stage.mtp > 0) add(mtp_layer(c.s, c.z, c.last_is_moe), stage.mtp, c.fp8());
    }
    return units;
}

// fsdp_double_buffer: two buffers as large as the most common layer, its dense and its expert group
// (FixedPoolAllocator, param_and_grad_buffer.py:648-745@d98e8a64).
struct Pooled {
    std::vector<Unit> groups;
    Wide weights = 0;
    Wide gradients = 0;

    bool holds(const Unit& unit) const {
        return std::any_of(groups.begin(), groups.end(), [&](const Unit& group) { return group == unit; });
    }
};

Pooled pooled_units(const std::vector<Unit>& units) {
    Pooled pooled;
    std::int64_t most = 0;
    for (const Unit& unit : units) {
        const auto same = std::count(units.begin(), units.end(), unit);
        if (same < most) continue;
        if (same > most) pooled.groups.clear();
        most = same;
        if (!pooled.holds(unit)) pooled.groups.push_back(unit);
    }
    for (const Unit& group : pooled.groups) {
        pooled.weights += group.weights;
        pooled.gradients += group.gradients;
    }
    return pooled;
}

Wide root_elements(const Context& c, std::int64_t rank) {
    Wide sum = 0;
    for (const auto& [tensors, count, low] : rank_tensors(c, rank)) {
        const std::string_view module = tensors.front().module;
        const bool root = module == "embedding" || module == "output_layer" ||
                          tensors.front().name == "decoder.final_layernorm.weight";
        if (root) sum += elements_of(tensors) * count;
    }
    return sum;
}

}  // namespace

FsdpShards fsdp_shards(const Context& c, bool expert) {
    const Wide shards = expert ? c.z.expert_shards : c.z.dense_shards;
    // With optim outside, masters and states are shared by all data-parallel ranks, weights and gradients by
    // an instance's (param_and_grad_buffer.py:2402-2440@d98e8a64).
    const bool outer = c.s.outer_dp_sharding_strategy == OuterSharding::optim &&
                       c.s.data_parallel_sharding_strategy == ShardingStrategy::optim_grads_params;
    if (outer) return {shards, shards, shards * c.s.num_distributed_optimizer_instances};
    switch (c.s.data_parallel_sharding_strategy) {
        case ShardingStrategy::no_shard:
            return {};
        case ShardingStrategy::optim:
            return {1, 1, shards};
        case ShardingStrategy::optim_grads:
            return {1, shards, shards};
        case ShardingStrategy::optim_grads_params:
            return {shards, shards, shards};
    }
    return {};
}

Wide fsdp_grad_bytes(const Context& c) {
    const Scenario& s = c.s;
    const bool fp32_by_default =
        s.precision == Precision::bf16 && !s.grad_reduce_in_bf16 && s.main_grads_dtype == StateDtype::fp32;
    if (s.accumulate_allreduce_grads_in_fp32 || fp32_by_default || s.precision == Precision::fp32) return 4;
    return s.megatron_fsdp_main_grads_dtype == StateDtype::fp32 ? 4 : 2;
}

FsdpGathered fsdp_gathered(const Context& c, std::int64_t rank) {
    FsdpGathered gathered;
    const ShardingStrategy strategy = c.s.data_parallel_sharding_strategy;
    const std::vector<Unit> units = units_of(c, rank);
    const bool shards_weights = strategy == ShardingStrategy::optim_grads_params;
    if (shards_weights) {
        gathered.root_weights = c.z.element * root_elements(c, rank);
        gathered.root_stays = c.software.megatron >= kRootStays;
    }
    if (units.empty()) return gathered;

    // megatron_fsdp.py:404-408@febd25e3fb; before,
    // custom_fsdp/fully_sharded_data_parallel.py:254-259@23e2e09e.
    Wide all = 0;
    std::int64_t layers = 0;
    for (const Unit& unit : units)
        all += unit.elements;
    for (std::int64_t chunk = 0; chunk < c.pipeline.chunks; ++chunk)
        layers += c.pipeline.stage(rank, chunk).layers + c.pipeline.stage(rank, chunk).mtp;
    const Wide two_layers = all / std::max<std::int64_t>(layers, 1) * 2;
    const bool large = c.software.megatron >= kLargeUnits;
    const Wide limit = large ? std::max<Wide>(1'000'000'000, two_layers) : two_layers;
    const Wide ahead = large ? limit / 2 : limit;

    Wide fetched = 0;
    Wide queued = 0;
    const bool shards_gradients = shards_weights || strategy == ShardingStrategy::optim_grads;
    const Pooled pooled = c.s.fsdp_double_buffer ? pooled_units(units) : Pooled{};
    gathered.pool = 2 * ((shards_weights ? pooled.weights : 0) + (shards_gradients ? pooled.gradients : 0));
    for (const Unit& unit : units) {
        if (pooled.holds(unit)) continue;
        if (shards_weights && fetched < ahead) {
            fetched += unit.elements;
            gathered.forward_weights += unit.weights;
        }
        if (shards_gradients && queued <= limit) {
            queued += unit.elements;
            gathered.queued_gradients += unit.gradients;
        }
    }
    if (shards_gradients) gathered.queued_gradients += fsdp_grad_bytes(c) * root_elements(c, rank);
    return gathered;
}

// A layer is gathered with the next one ahead; after its backward pass its gradients stand whole beside the
// flat copy that is scattered (torch/distributed/fsdp/_fully_shard/_fsdp_param_group.py, _fsdp_collectives.py
// @v2.7; wrapped modules: torch_fully_sharded_data_parallel.py:58-145@d98e8a64).
Fsdp2Gathered fsdp2_gathered(const Context& c, std::int64_t rank, const Stage& last) {
    Fsdp2Gathered gathered;
    Wide all = 0;
    for (const auto& [tensors, count, low] : rank_tensors(c, rank))
        all += c.z.element * elements_of(tensors) * count;
    const Wide output = last.output ? c.z.element * elements_of(c.inventory.output_layer) : 0;
    Wide layer = 0;
    if (last.layers > 0) {
        const bool moe = c.moe[static_cast<std::size_t>(last.first_layer + last.layers - 1)];
        layer = c.z.element * elements_of(moe ? c.inventory.moe_layer : c.inventory.dense_layer);
    }
    if (!c.s.torch_fsdp2_reshard_after_forward) {
        gathered.kept = all;
        gathered.layer_backward = 2 * layer;
        gathered.output_backward = output;
        return gathered;
    }
    gathered.layer_forward = 2 * layer;
    gathered.layer_backward = 4 * layer;
    gathered.output_backward = 2 * output + layer;
    return gathered;
}

}  // namespace megamem::detailed

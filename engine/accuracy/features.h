// What of a scenario decides how well its memory is known, as bits: measured runs carry the same.
#pragma once

#include <cstdint>
#include <string_view>

#include "scenario/scenario.h"

namespace megamem {

// The first ones decide the kind (accuracy.h), the least known first. The table of measured runs holds them
// as bits: whoever changes the order makes it anew.
enum class Feature : std::uint8_t {
    fsdp,
    muon,
    cuda_graphs,
    fp8,
    offload,
    recompute_full,
    recompute_selective,
    local,
    moe,
    mla,
    mtp,
    vision,
    layers_offloaded,
    optimizer_offloaded,
    other_optimizer,
    precision_aware,
    not_bf16,
    context_parallel,
    pipeline_parallel,
    virtual_pipeline,
    tensor_parallel,
    sequence_parallel,
    expert_parallel,
    expert_tensor_parallel,
    distributed_optimizer,
    fused_loss,
    unfused_attention,
    shared_experts,
    flex_dispatcher,
    dropout,
    amd,
    count
};
static_assert(static_cast<int>(Feature::count) <= 32);

using Features = std::uint32_t;

constexpr Features bit(Feature feature) {
    return Features{1} << static_cast<unsigned>(feature);
}

// virtual_stages: of a rank, since a layout may imply them.
Features features_of(const Scenario& scenario, std::int64_t virtual_stages);

// As people read it: "full recompute".
std::string_view name_of(Feature feature);

// What one run with it and one without are apart, in 64ths (see evidence.h).
int weight_of(Feature feature);

// The kind that accuracy.h gives a scenario with these features.
std::string_view kind_of(Features features);

}  // namespace megamem

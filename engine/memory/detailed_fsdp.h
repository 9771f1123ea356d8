// Megatron-FSDP: what each strategy shards, and what is gathered at the peak.
#pragma once

#include "memory/detailed.h"

namespace megamem::detailed {

struct FsdpShards {
    Wide weight = 1;
    Wide grad = 1;
    Wide states = 1;
};

// Of the dense or the expert group (param_and_grad_buffer.py:2317-2760@64bee49c).
FsdpShards fsdp_shards(const Context& context, bool expert);

// Bytes of a main gradient (_resolve_group_grad_dtype:2306).
Wide fsdp_grad_bytes(const Context& context);

struct FsdpGathered {
    Wide root_weights = 0;      // embeddings, final norm, output layer: whole
    bool root_stays = false;    // ... also between steps
    Wide forward_weights = 0;   // layers fetched ahead at the end of the forward pass
    Wide queued_gradients = 0;  // whole gradients that wait at the end of the backward pass
    Wide pool = 0;              // double buffers, which stay
};

FsdpGathered fsdp_gathered(const Context& context, std::int64_t rank);

// PyTorch's FSDP2 (torch.distributed.fsdp.fully_shard): bytes of whole weights and gradients by event.
struct Fsdp2Gathered {
    Wide kept = 0;  // in every event: without resharding after the forward pass
    Wide layer_forward = 0;
    Wide layer_backward = 0;
    Wide output_backward = 0;
};

Fsdp2Gathered fsdp2_gathered(const Context& context, std::int64_t rank, const Stage& last);

}  // namespace megamem::detailed

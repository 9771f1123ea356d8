// The `detailed` method: what torch's allocator holds between steps and at its peak, on every pipeline rank.
// The rules are from the sources of Megatron-LM (@d98e8a64 unless said otherwise) and TransformerEngine (TE,
// @v2.11), with the version from which each holds; they are held against measured runs by the accuracy tests.
#pragma once

#include <array>
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

    bool flash() const { return attention == Attention::flash; }
    bool fp8() const { return s.fp8_format != Fp8Format::none; }
    bool a2a() const {
        return z.cp > 1 && (s.cp_comm_type == CpCommType::a2a || s.cp_comm_type == CpCommType::a2a_p2p);
    }
    bool recomputes(std::string_view module) const;
};

// How many layers of each kind a stage or rank has.
struct Counts {
    std::int64_t dense = 0;
    std::int64_t moe = 0;
    std::int64_t mtp = 0;
};

// A tensor that one layer keeps for backward.
struct Saved {
    std::string_view module;
    std::string_view term;
    std::string_view formula;
    Wide bytes = 0;
};

// One decoder layer for one micro-batch.
struct LayerMemory {
    std::vector<Saved> saved;
    Wide total = 0;
    Wide backward = 0;      // the most that its backward pass holds beside what all layers save
    Wide forward_hold = 0;  // MoE: what its forward pass holds at the combine, likewise

    void save(std::string_view module, std::string_view term, std::string_view formula, Wide bytes);
};

LayerMemory layer_memory(const Context& context, bool moe);
// What a layer keeps under full recompute: its input.
Wide checkpoint_bytes(const Context& context);

// Parts of a layer, each with its backward transient.
Wide save_attention(const Context& context, LayerMemory& layer);
Wide save_mlp(const Context& context, LayerMemory& layer);
Wide save_mixture(const Context& context, LayerMemory& layer);

// Static memory of a rank.
void add_states(const Context& context, std::int64_t rank, std::vector<LineItem>& items);
void add_workspaces(const Context& context, std::int64_t rank, std::vector<LineItem>& items);
// Activations in flight and the event that makes the peak. Gives the event's name.
std::string_view add_peak(const Context& context, std::int64_t rank, const std::array<LayerMemory, 2>& layers,
                          const std::vector<std::int64_t>& in_flight, std::vector<LineItem>& items);

Counts counts_of(const Context& context, const Stage& stage);
// The tensors of a rank with how often they stand there: {tensors of one layer or part, count}.
std::vector<std::pair<Tensors, std::int64_t>> rank_tensors(const Context& context, std::int64_t rank);

}  // namespace detailed

}  // namespace megamem

// One model chunk of a rank: what its micro-batches keep, and the most that its backward pass holds.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "memory/detailed.h"

namespace megamem::detailed {

// Multiplicities of saved tensors: how often each stands in memory.
struct KeptTensors {
    // Of each kind of layer, in the order of LayerMemory::saved.
    std::array<std::vector<std::int64_t>, kLayerKinds> layers;
    Wide checkpoints = 0;  // bytes of checkpointed inputs
    std::int64_t checkpoint_count = 0;
    Wide mtp = 0;  // bytes of MTP's own tensors
    std::int64_t mtp_count = 0;

    void add(const KeptTensors& other, std::int64_t times);
};

class Chunk {
  public:
    Chunk(const Context& context, const Stage& stage, const Layers& layers);

    // What one micro-batch keeps. `current`: its backward pass comes next, so that the last offloaded groups
    // stay.
    KeptTensors kept_tensors(bool current) const;

    // The most that the backward pass holds beyond what is kept.
    Wide backward() const;

    bool offloads() const { return offloads_; }

    // Bytes of the groups of one micro-batch that go to host memory, in the order of the forward pass.
    std::vector<Wide> offloaded_groups(bool current) const;

    bool ends_in_moe() const;
    const LayerMemory* last() const;  // null without layers

  private:
    struct Layer {
        const LayerMemory* memory;
        std::size_t kind;
        bool moe;
        bool mtp;
    };
    struct Group {  // of full recompute: layers from .. to
        std::size_t from;
        std::size_t to;
        bool checkpointed;
    };

    Wide kept(bool current) const;  // bytes of kept_tensors
    struct OffloadGroup {           // what one module of a layer sends to host memory
        std::size_t layer;
        std::string_view module;
        Wide bytes;
    };

    void make_groups();
    std::vector<bool> staying(bool current) const;
    std::vector<Group> groups() const;
    Wide checkpoint_bytes() const;
    Wide mtp_own() const;
    bool leaves(std::size_t layer, const Saved& saved, bool current) const;
    std::string_view offload_group(std::size_t layer, const Saved& saved) const;
    Wide kept_of(std::size_t layer, bool current) const;
    Wide offloaded_last(std::size_t layer) const;
    Wide backward_full() const;

    const Context& c_;
    const Stage& stage_;
    const Layers& all_layers_;
    bool offloads_;
    std::vector<Layer> layers_;
    std::size_t decoder_layers_ = 0;
    std::map<std::string_view, std::size_t> last_of_group_;
    std::vector<OffloadGroup> offload_groups_;
    std::array<std::vector<bool>, 2> stays_;  // by group; with `current`
};

// What ranks whose stages hold the same have in common: all but what depends on the micro-batches in flight.
struct RankKind {
    std::vector<LineItem> items;      // static memory
    std::vector<KeptTensors> chunks;  // what a micro-batch keeps in each while passes of others come first
    // What it keeps in the last chunk when its backward pass comes next, where that is something else.
    std::optional<KeptTensors> current;
    // A layout may leave chunks empty: their passes hold nothing, and the one before makes the peak.
    std::int64_t last_filled = 0;  // chunk
    Wide backward = 0;             // of that one: the most that its backward pass holds beyond what is kept
    const LayerMemory* last_layer = nullptr;  // of that one; null without layers
    bool ends_in_moe = false;
};

// `layers` has to outlive it.
RankKind rank_kind(const Context& context, std::int64_t rank, const Layers& layers);
// Whether the kind of one rank is that of the other.
bool same_kind(const Context& context, std::int64_t rank, std::int64_t other);

}  // namespace megamem::detailed

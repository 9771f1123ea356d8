// One model chunk of a rank: what its micro-batches keep, and the most that its backward pass holds.
#pragma once

#include <array>
#include <cstdint>
#include <map>
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

// Where the offloaded groups of a micro-batch are. Those of its last layer are on the GPU when its backward
// pass comes next: never sent away by the first chunk to run backward and by a pass that turns around at
// once (fine_grained_activation_offload.py:524-540, 932-944@4e85d74a), else fetched back while the chunk
// before ran backward, as each of its groups brings one (:970-986).
enum class Residence { away, stays, reloaded };

class Chunk {
  public:
    Chunk(const Context& context, const Stage& stage, const Layers& layers);

    // What one micro-batch keeps.
    KeptTensors kept_tensors(Residence residence) const;
    Wide bytes_of(const KeptTensors& tensors) const;

    // The most that the backward pass holds beyond what is kept; `rest`: bytes of that.
    Wide backward(Residence residence, Wide rest) const;

    // Likewise the forward pass of unfused attention in the last layer; 0 with another attention.
    Wide attention_forward() const;

    bool offloads() const { return offloads_ && !last_of_group_.empty(); }

    // Bytes of the groups of one micro-batch that go to host memory, in the order of the forward pass.
    std::vector<Wide> offloaded_groups(Residence residence) const;

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

    struct OffloadGroup {  // what one module of a layer sends to host memory
        std::size_t layer;
        std::string_view module;
        Wide bytes;
    };

    void make_groups();
    std::vector<bool> staying(bool current) const;
    bool never_sent(std::size_t layer, std::string_view module, Residence residence) const;
    std::vector<Group> groups() const;
    Wide checkpoint_bytes() const;
    Wide mtp_own() const;
    // How often the tensor is on the GPU.
    std::int64_t copies(std::size_t layer, const Saved& saved, Residence residence) const;
    std::int64_t copies_in_backward(std::size_t layer, const Saved& saved, Residence residence) const;
    bool saved_twice(const Saved& saved) const;
    std::string_view offload_group(std::size_t layer, const Saved& saved) const;
    Wide kept_of(std::size_t layer, Residence residence) const;
    Wide alive_of(std::size_t layer, Residence residence) const;
    Wide backward_full(Wide rest) const;

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

// What a micro-batch keeps in a chunk and what its passes hold; by Residence, all alike without offloading.
struct ChunkMemory {
    struct Kept {
        KeptTensors tensors;
        Wide bytes = 0;
        Wide backward = 0;  // the most that the backward pass holds beyond what is kept
    };
    std::array<Kept, 3> by_residence;  // only the first without offloading
    bool offloads = false;
    Wide attention_forward = 0;
    const LayerMemory* last_layer = nullptr;  // null without layers
    bool ends_in_moe = false;

    const Kept& kept(Residence residence) const {
        return by_residence[offloads ? static_cast<std::size_t>(residence) : 0];
    }
};

// What ranks whose stages hold the same have in common: all but what depends on the micro-batches in flight.
struct RankKind {
    std::vector<LineItem> items;  // static memory
    std::vector<ChunkMemory> chunks;
    // A layout may leave chunks empty: their passes hold nothing, and the one before makes the peak.
    std::int64_t last_filled = 0;  // chunk
};

// `layers` has to outlive it.
RankKind rank_kind(const Context& context, std::int64_t rank, const Layers& layers);
// Whether the kind of one rank is that of the other.
bool same_kind(const Context& context, std::int64_t rank, std::int64_t other);

}  // namespace megamem::detailed

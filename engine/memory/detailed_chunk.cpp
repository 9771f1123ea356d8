#include "memory/detailed_chunk.h"

#include <algorithm>

namespace megamem::detailed {

namespace {

constexpr Date kDetachedLeavesOffload = {2026, 8, 17};  // 7cdba422, bd72caf8

// What TransformerEngine's own offloading moves: tensors of its modules (TE cpu_offload_v1.py).
constexpr std::array<std::string_view, 19> kCpuOffloaded = {"attention_norm_input",
                                                            "attention_norm_output",
                                                            "q",
                                                            "k",
                                                            "v",
                                                            "attention_output",
                                                            "attention_output_copy",
                                                            "compressed_q",
                                                            "kv_combined",
                                                            "compressed_kv",
                                                            "mlp_norm_input",
                                                            "mlp_norm_output",
                                                            "fc1_output",
                                                            "fc2_input",
                                                            "expert_fc1_output",
                                                            "expert_fc2_input",
                                                            "dispatched_tokens",
                                                            "shared_fc1_output",
                                                            "shared_fc2_input"};
constexpr Wide kSmallestCpuOffloaded = 256 * 1024;  // elements

// The module whose --offload-modules entry moves a tensor (fine_grained_activation_offload.py@b97184db).
std::string_view module_of(const Context& c, std::string_view term, bool moe, bool fused_group) {
    const bool latent = c.s.multi_latent_attention;
    if (term == "attention_norm_input") return latent || !c.software.te ? "attn_norm" : "qkv_linear";
    if (term == "attention_norm_output") return "qkv_linear";
    if (term == "qk_norm_inputs") return latent ? "" : "qkv_linear";
    if (term == "compressed_q" || term == "kv_combined" || term == "compressed_kv" ||
        term == "gathered_k_position") {
        const bool pinned = c.recomputes("mla_up_proj") && c.software.megatron < kDetachedLeavesOffload;
        return pinned ? "" : "qkv_linear";
    }
    if (term == "q" || term == "k" || term == "v" || term == "scores" || term == "attention_output_a2a" ||
        term == "kv_concatenation" || term == "attention_output_copy") {
        return "core_attn";
    }
    if (term == "attention_output") return "attn_proj";
    if (!moe) return "";
    if (term == "mlp_norm_input") return "mlp_norm";
    if (fused_group && (term == "dispatched_tokens" || term == "expert_fc1_output" ||
                        term == "expert_activation" || term == "expert_fc2_input")) {
        return "fused_group_mlp";
    }
    if (term == "dispatched_tokens") return "expert_fc1";
    if (term == "expert_fc1_output" || term == "expert_activation") return "moe_act";
    return "";
}

constexpr std::array<std::string_view, 8> kForwardOrder = {"attn_norm", "qkv_linear",     "core_attn",
                                                           "attn_proj", "mlp_norm",       "expert_fc1",
                                                           "moe_act",   "fused_group_mlp"};

bool names(const std::vector<std::string>& modules, std::string_view module) {
    return std::find(modules.begin(), modules.end(), module) != modules.end();
}

}  // namespace

Chunk::Chunk(const Context& c, const Stage& stage, const Layers& layers)
    : c_(c),
      stage_(stage),
      all_layers_(layers),
      offloads_(c.s.fine_grained_activation_offloading || c.s.cpu_offloading_num_layers > 0) {
    layers_.reserve(static_cast<std::size_t>(stage.layers + stage.mtp));
    for (std::int64_t i = 0; i < stage.layers; ++i) {
        const std::size_t kind = kind_of(c, stage.first_layer + i);
        const bool moe = c.moe[static_cast<std::size_t>(stage.first_layer + i)];
        layers_.push_back({&layers[kind], kind, moe, false});
    }
    decoder_layers_ = layers_.size();
    for (std::int64_t i = 0; i < stage.mtp; ++i)
        layers_.push_back({&layers[mtp_kind(c)], mtp_kind(c), c.last_is_moe, true});
    if (c.s.fine_grained_activation_offloading) make_groups();
}

bool Chunk::ends_in_moe() const {
    return !layers_.empty() && layers_.back().moe;
}

const LayerMemory* Chunk::last() const {
    return layers_.empty() ? nullptr : layers_.back().memory;
}

std::string_view Chunk::offload_group(std::size_t layer, const Saved& saved) const {
    if (!c_.s.fine_grained_activation_offloading) return {};
    const bool fused = names(c_.s.offload_modules, "fused_group_mlp");
    const std::string_view module = module_of(c_, saved.term, layers_[layer].moe, fused);
    if (module.empty() || !names(c_.s.offload_modules, module)) return {};
    if (saved.bytes < c_.z.element * c_.s.min_offloaded_tensor_size) return {};
    // A received input is held by its stage anyway.
    const bool received = layer == 0 && c_.z.pp > 1 && !stage_.embedding;
    if (received && saved.term == "attention_norm_input" && module == "qkv_linear") return {};
    return module;
}

// Groups in the order of the forward pass, without those that hold nothing.
void Chunk::make_groups() {
    for (std::size_t i = 0; i < layers_.size(); ++i) {
        for (const std::string_view module : kForwardOrder) {
            Wide bytes = 0;
            for (const Saved& saved : layers_[i].memory->saved) {
                if (offload_group(i, saved) == module) bytes += saved.bytes;
            }
            if (bytes == 0) continue;
            last_of_group_[module] = i;
            offload_groups_.push_back({i, module, bytes});
        }
    }
    stays_ = {staying(false), staying(true)};
}

// activation_offload_fraction: the later groups of a pass stay (fine_grained_activation_offload.py:649-671
// @d98e8a64). `current`: the last group of each name stays where its backward pass comes next.
std::vector<bool> Chunk::staying(bool current) const {
    std::vector<bool> stays(offload_groups_.size(), false);
    std::int64_t eligible = 0;
    for (std::size_t i = 0; i < stays.size(); ++i) {
        const OffloadGroup& group = offload_groups_[i];
        stays[i] = current && last_of_group_.at(group.module) == group.layer;
        eligible += stays[i] ? 0 : 1;
    }
    const std::int64_t share = Decimal4::kOne - c_.s.activation_offload_fraction.ten_thousandths;
    std::int64_t kept = eligible * share / Decimal4::kOne;
    for (std::size_t i = stays.size(); i-- > 0 && kept > 0;) {
        if (stays[i]) continue;
        stays[i] = true;
        --kept;
    }
    return stays;
}

// Of the groups with an entry in stays_: whether it is on the GPU all the time.
bool Chunk::never_sent(std::size_t layer, std::string_view module, Residence residence) const {
    const auto group =
        std::find_if(offload_groups_.begin(), offload_groups_.end(),
                     [&](const OffloadGroup& g) { return g.layer == layer && g.module == module; });
    const std::size_t at = static_cast<std::size_t>(group - offload_groups_.begin());
    return stays_[residence == Residence::stays ? 1 : 0][at];
}

std::vector<Wide> Chunk::offloaded_groups(Residence residence) const {
    std::vector<Wide> bytes;
    for (const OffloadGroup& group : offload_groups_) {
        const bool back = residence != Residence::away && last_of_group_.at(group.module) == group.layer;
        if (!back && !never_sent(group.layer, group.module, residence)) bytes.push_back(group.bytes);
    }
    return bytes;
}

// The softmax and the product that follows each save the probabilities, one tensor that comes back as two:
// saved tensors are packed one by one. With dropout the product's is another one.
bool Chunk::saved_twice(const Saved& saved) const {
    return saved.term == "scores" && c_.s.attention_dropout.ten_thousandths == 0;
}

std::int64_t Chunk::copies(std::size_t layer, const Saved& saved, Residence residence) const {
    if (!offloads_) return 1;
    const auto first = static_cast<std::size_t>(c_.s.cpu_offloading_num_layers);
    if (first > 0 && c_.z.pp == 1 && layer < std::min(first, decoder_layers_)) {
        const bool leaves =
            std::find(kCpuOffloaded.begin(), kCpuOffloaded.end(), saved.term) != kCpuOffloaded.end() &&
            saved.bytes >= c_.z.element * kSmallestCpuOffloaded;
        return leaves ? 0 : 1;
    }
    const std::string_view module = offload_group(layer, saved);
    if (module.empty()) return 1;
    const bool back = residence != Residence::away && last_of_group_.at(module) == layer;
    if (!back && !never_sent(layer, module, residence)) return 0;
    return copies_in_backward(layer, saved, residence);
}

std::int64_t Chunk::copies_in_backward(std::size_t layer, const Saved& saved, Residence residence) const {
    const std::string_view module = offload_group(layer, saved);
    if (module.empty() || !saved_twice(saved)) return 1;
    return never_sent(layer, module, residence) ? 1 : 2;
}

Wide Chunk::kept_of(std::size_t layer, Residence residence) const {
    if (!offloads_) return layers_[layer].memory->total;
    Wide sum = 0;
    for (const Saved& saved : layers_[layer].memory->saved)
        sum += saved.bytes * copies(layer, saved, residence);
    return sum;
}

// What it keeps when its own backward pass begins.
Wide Chunk::alive_of(std::size_t layer, Residence residence) const {
    if (!offloads_) return layers_[layer].memory->total;
    Wide sum = 0;
    for (const Saved& saved : layers_[layer].memory->saved)
        sum += saved.bytes * copies_in_backward(layer, saved, residence);
    return sum;
}

// core/recompute.py:21-189@d98e8a64: uniform cuts the stage in pieces of N layers, block checkpoints its
// first N.
std::vector<Chunk::Group> Chunk::groups() const {
    std::vector<Group> all;
    const auto n = static_cast<std::size_t>(c_.s.recompute_num_layers.value_or(1));
    if (c_.s.recompute_method == RecomputeMethod::block) {
        for (std::size_t i = 0; i < decoder_layers_; ++i)
            all.push_back({i, i + 1, i < n});
        return all;
    }
    const std::size_t piece = std::max<std::size_t>(n, 1);
    for (std::size_t i = 0; i < decoder_layers_; i += piece)
        all.push_back({i, std::min(i + piece, decoder_layers_), true});
    return all;
}

Wide Chunk::checkpoint_bytes() const {
    const bool split = c_.s.distribute_saved_activations && !c_.z.sp;
    return stream_bytes(c_) / (split ? c_.z.tp : 1);
}

// Embedding's output, the concatenation twice, and the final norm's input
// (multi_token_prediction.py@01eb7e87); with sequence parallel the whole gathered projection stays behind its
// slice (mappings.py:75).
Wide Chunk::mtp_own() const {
    constexpr Wide kHidden = 5;
    return c_.z.hidden_bytes() * (kHidden + (c_.z.sp ? c_.z.tp - 1 : 0));
}

void KeptTensors::add(const KeptTensors& other, std::int64_t times) {
    if (times == 0) return;
    for (std::size_t kind = 0; kind < layers.size(); ++kind) {
        layers[kind].resize(other.layers[kind].size());
        for (std::size_t term = 0; term < layers[kind].size(); ++term)
            layers[kind][term] += other.layers[kind][term] * times;
    }
    checkpoints += other.checkpoints * times;
    checkpoint_count += other.checkpoint_count * times;
    mtp += other.mtp * times;
    mtp_count += other.mtp_count * times;
}

KeptTensors Chunk::kept_tensors(Residence residence) const {
    KeptTensors sum;
    for (std::size_t kind = 0; kind < sum.layers.size(); ++kind)
        sum.layers[kind].resize(all_layers_[kind].saved.size());
    const auto add_layer = [&](std::size_t i) {
        const std::vector<Saved>& saved = layers_[i].memory->saved;
        auto& terms = sum.layers[layers_[i].kind];
        for (std::size_t term = 0; term < saved.size(); ++term) {
            terms[term] += copies(i, saved[term], residence);
        }
    };
    const auto add_checkpoint = [&](Wide bytes) {
        sum.checkpoints += bytes;
        ++sum.checkpoint_count;
    };
    const bool uniform = c_.full_recompute() && c_.s.recompute_method != RecomputeMethod::block;
    if (c_.full_recompute()) {
        for (const Group& group : groups()) {
            if (group.checkpointed) {
                add_checkpoint(checkpoint_bytes());
            } else {
                for (std::size_t i = group.from; i < group.to; ++i)
                    add_layer(i);
            }
        }
    } else {
        for (std::size_t i = 0; i < decoder_layers_; ++i)
            add_layer(i);
    }
    const std::int64_t depths = stage_.mtp;
    if (depths == 0) return sum;
    // The hidden states that all depths start from; under uniform recompute MTP layers are checkpointed too.
    sum.mtp += c_.z.hidden_bytes() * (uniform ? depths : 1);
    sum.mtp_count += depths;
    for (std::size_t i = decoder_layers_; i < layers_.size(); ++i) {
        if (uniform) {
            add_checkpoint(2 * c_.z.hidden_bytes());
        } else {
            add_layer(i);
            sum.mtp += mtp_own();
        }
    }
    return sum;
}

Wide Chunk::bytes_of(const KeptTensors& tensors) const {
    Wide bytes = tensors.checkpoints + tensors.mtp;
    for (std::size_t kind = 0; kind < tensors.layers.size(); ++kind) {
        for (std::size_t term = 0; term < tensors.layers[kind].size(); ++term)
            bytes += all_layers_[kind].saved[term].bytes * tensors.layers[kind][term];
    }
    return bytes;
}

Wide Chunk::backward(Residence residence, Wide rest) const {
    if (layers_.empty()) return 0;
    if (c_.full_recompute()) return backward_full(rest);
    const bool every_layer = c_.s.fine_grained_activation_offloading || c_.s.cpu_offloading_num_layers > 0 ||
                             !c_.s.recompute_modules.empty();
    Wide most = 0;
    Wide alive = rest;
    for (std::size_t i = layers_.size(); i-- > 0;) {
        const LayerMemory& layer = *layers_[i].memory;
        alive -= kept_of(i, residence);
        most = std::max(most, alive + alive_of(i, residence) + layer.backward);
        alive -= layers_[i].mtp ? mtp_own() : 0;
        if (!every_layer) break;  // later layers stand on less
    }
    return most - rest;
}

// Core attention's own tensors are sent away at its end, the block's aren't made.
Wide Chunk::attention_forward() const {
    if (layers_.empty() || layers_.back().memory->attention_forward <= 0 || c_.full_recompute()) return 0;
    Wide bytes = layers_.back().memory->attention_forward;
    const std::size_t last = layers_.size() - 1;
    for (const Saved& saved : layers_.back().memory->saved) {
        const bool here = saved.half == Half::block || offload_group(last, saved) == "core_attn";
        if (here) bytes += saved.bytes * (1 - copies(last, saved, Residence::away));
    }
    return bytes;
}

Wide Chunk::backward_full(Wide rest) const {
    const bool uniform = c_.s.recompute_method != RecomputeMethod::block;
    const Wide checkpoint = checkpoint_bytes();
    // A split input is gathered for the pass that rebuilds from it.
    const Wide gathered = c_.s.distribute_saved_activations && !c_.z.sp ? stream_bytes(c_) - checkpoint : 0;
    Wide most = 0;
    Wide alive = rest;
    for (std::size_t i = layers_.size(); i-- > decoder_layers_;) {
        const LayerMemory& layer = *layers_[i].memory;
        if (uniform) {
            most =
                std::max(most, alive + layer.raw + mtp_own() +
                                   std::max(layer.raw_backward, layer.moe_forward) - 2 * c_.z.hidden_bytes());
            alive -= 2 * c_.z.hidden_bytes();
        } else {
            most = std::max(most, alive + layer.backward);
            alive -= layer.total + mtp_own();
        }
    }
    const std::vector<Group> all = groups();
    for (auto group = all.rbegin(); group != all.rend(); ++group) {
        const LayerMemory& last = *layers_[group->to - 1].memory;
        if (!group->checkpointed) {
            most = std::max(most, alive + last.backward);
            alive -= last.total;
            continue;
        }
        Wide raw = 0;
        for (std::size_t i = group->from; i < group->to; ++i)
            raw += layers_[i].memory->raw;
        most = std::max(most, alive + raw + std::max(last.raw_backward, last.moe_forward) + gathered);
        alive -= checkpoint;
    }
    return most - rest;
}

RankKind rank_kind(const Context& c, std::int64_t rank, const Layers& layers) {
    RankKind kind;
    constexpr std::size_t kStaticItems = 64;  // about: 8 modules × 5, workspaces
    kind.items.reserve(kStaticItems);
    kind.chunks.reserve(static_cast<std::size_t>(c.pipeline.chunks));
    add_states(c, rank, kind.items);
    add_workspaces(c, rank, kind.items);
    const auto empty = [](const Stage& s) { return s.layers == 0 && s.mtp == 0 && !s.output; };
    for (std::int64_t i = 0; i < c.pipeline.chunks; ++i) {
        const Stage& stage = c.pipeline.stage(rank, i);
        const Chunk chunk(c, stage, layers);
        ChunkMemory& memory = kind.chunks.emplace_back();
        memory.offloads = chunk.offloads();
        memory.attention_forward = chunk.attention_forward();
        memory.last_layer = chunk.last();
        memory.ends_in_moe = chunk.ends_in_moe();
        for (const Residence residence : {Residence::away, Residence::stays, Residence::reloaded}) {
            ChunkMemory::Kept& kept = memory.by_residence[static_cast<std::size_t>(residence)];
            kept.tensors = chunk.kept_tensors(residence);
            kept.bytes = chunk.bytes_of(kept.tensors);
            kept.backward = chunk.backward(residence, kept.bytes);
            if (!memory.offloads) break;
        }
        if (!empty(stage)) kind.last_filled = i;
    }
    return kind;
}

bool same_kind(const Context& c, std::int64_t rank, std::int64_t other) {
    // Inputs of graphs are static, and there is one for each micro-batch in flight.
    if (c.s.cuda_graph_impl == CudaGraphImpl::transformer_engine) return rank == other;
    const auto same = [&](const Stage& a, const Stage& b) {
        if (a.embedding != b.embedding || a.layers != b.layers || a.mtp != b.mtp || a.output != b.output)
            return false;
        for (std::int64_t i = 0; i < a.layers; ++i) {
            if (kind_of(c, a.first_layer + i) != kind_of(c, b.first_layer + i)) return false;
        }
        return true;
    };
    for (std::int64_t chunk = 0; chunk < c.pipeline.chunks; ++chunk) {
        if (!same(c.pipeline.stage(rank, chunk), c.pipeline.stage(other, chunk))) return false;
    }
    return true;
}

}  // namespace megamem::detailed

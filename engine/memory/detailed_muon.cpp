#include "memory/detailed_muon.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "model/vision.h"

namespace megamem::detailed {

namespace {

constexpr Date kBalanced = {2026, 5, 20};  // 0044db1f20

struct Parameter {
    Wide elements = 0;
    bool muon = false;
};

// Every parameter of the rank by itself, dense and expert ones apart.
std::array<std::vector<Parameter>, 2> parameters_of(const Context& c, std::int64_t rank) {
    std::array<std::vector<Parameter>, 2> groups;
    for (const auto& [tensors, count, low] : rank_tensors(c, rank)) {
        for (const Tensor& tensor : tensors) {
            if (tensor.buffer == Buffer::none || tensor.frozen) continue;
            auto& group = groups[tensor.buffer == Buffer::expert ? 1 : 0];
            const Parameter one{tensor.elements() / tensor.copies, is_muon(tensor)};
            group.insert(group.end(), static_cast<std::size_t>(count * tensor.copies), one);
        }
    }
    return groups;
}

// Equal ones stay in their order. There are thousands of parameters and few sizes.
void sort_by_size(std::vector<Parameter>& parameters) {
    std::map<Wide, std::vector<Parameter>> by_size;
    for (const Parameter& parameter : parameters)
        by_size[parameter.elements].push_back(parameter);
    parameters.clear();
    for (const auto& [size, alike] : by_size)
        parameters.insert(parameters.end(), alike.begin(), alike.end());
}

// layer_wise_optimizer.py:101-148@5fe3f06658: ascending by size, dealt 0 .. d-1, d-1 .. 0.
std::vector<MuonOwned> deal(std::vector<Parameter> parameters, std::size_t shards) {
    sort_by_size(parameters);
    std::vector<MuonOwned> owned(shards);
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        const std::size_t at = i % (2 * shards);
        MuonOwned& owner = owned[at < shards ? at : 2 * shards - 1 - at];
        (parameters[i].muon ? owner.muon : owner.adam) += parameters[i].elements;
    }
    return owned;
}

constexpr Wide kAlign = 64;

Wide aligned(Wide value, Wide to) {
    return (value + to - 1) / to * to;
}

// layer_wise_optimizer.py:116-262@0044db1f20: descending by size, each to the shard with least, starts
// aligned.
std::vector<MuonOwned> balance(std::vector<Parameter> parameters, std::size_t shards) {
    std::erase_if(parameters, [](const Parameter& p) { return !p.muon; });
    sort_by_size(parameters);
    std::reverse(parameters.begin(), parameters.end());  // equal ones are all alike here
    std::vector<MuonOwned> owned(shards);
    std::vector<Wide> ends(shards, 0);
    for (const Parameter& parameter : parameters) {
        const auto least = std::min_element(ends.begin(), ends.end());
        *least = aligned(*least, kAlign) + parameter.elements;
        owned[static_cast<std::size_t>(least - ends.begin())].muon += parameter.elements;
    }
    const auto d = static_cast<std::int64_t>(shards);
    const std::int64_t end = std::lcm(std::int64_t{64}, std::lcm(d, std::int64_t{128}) / d);
    Wide all = 0;
    for (const Parameter& parameter : parameters)
        all += parameter.elements;
    if (all > 0) owned[0].padding = d * aligned(*std::max_element(ends.begin(), ends.end()), end) - all;
    return owned;
}

}  // namespace

bool is_muon(const Tensor& tensor) {
    return tensor.is_matrix() && tensor.holder != Holder::output_layer &&
           tensor.name != "embedding.word_embeddings.weight" && tensor.module != kVisionEmbedding;
}

MuonMode muon_mode(const Context& c) {
    if (!c.s.use_distributed_optimizer && c.s.optimizer != Optimizer::dist_muon) return MuonMode::whole;
    return c.software.megatron < kBalanced || !c.s.use_layer_wise_param_layout ? MuonMode::dealt
                                                                               : MuonMode::balanced;
}

MuonOwned muon_owned(const Context& c, std::int64_t rank) {
    const MuonMode mode = muon_mode(c);
    const auto groups = parameters_of(c, rank);
    const std::array<std::int64_t, 2> shards = {c.z.dense_shards, c.z.expert_shards};
    MuonOwned sum;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        if (groups[i].empty()) continue;
        // With one data-parallel rank there is nothing to share out (also not the experts').
        const auto d = static_cast<std::size_t>(c.z.dense_shards == 1 ? 1 : shards[i]);
        const auto owned = mode == MuonMode::dealt ? deal(groups[i], d) : balance(groups[i], d);
        sum.muon += owned.back().muon;
        sum.adam += owned.back().adam;
        sum.padding += owned.front().padding;
        Wide most = 0;
        for (const MuonOwned& owner : owned)
            most = std::max(most, owner.muon + owner.adam);
        sum.most += most;
    }
    return sum;
}

}  // namespace megamem::detailed

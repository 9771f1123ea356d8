// Muon: which parameters a data-parallel rank owns whole.
#pragma once

#include <cstdint>
#include <vector>

#include "memory/detailed.h"

namespace megamem::detailed {

// Muon takes matrices other than word embedding and output layer; Adam the rest
// (emerging_optimizers.py:128@5fe3f06658, language_module.py:206@0044db1f20).
bool is_muon(const Tensor& tensor);

enum class MuonMode {
    whole,  // no distributed optimizer: every rank has all states
    dealt,  // layer-wise, parameters dealt out by size: before 2026-05-20, or without the layer-wise layout
    balanced,  // layer-wise layout: least-loaded shard first
};

MuonMode muon_mode(const Context& context);

struct MuonOwned {
    Wide muon = 0;  // elements of the last data-parallel rank
    Wide adam = 0;
    Wide padding = 0;  // elements that the balanced layout adds to the buffers
    Wide most = 0;     // elements of the rank that owns most
};

MuonOwned muon_owned(const Context& context, std::int64_t rank);

}  // namespace megamem::detailed

// The pass of a rank's schedule at which most memory is held.
#pragma once

#include <cstdint>
#include <vector>

#include "memory/detailed_chunk.h"
#include "pipeline/passes.h"

namespace megamem::detailed {

// The most that the passes of one chunk hold beyond what is kept.
struct PassBytes {
    Wide forward = 0;
    Wide backward = 0;  // beside ChunkMemory's
};

struct Moment {
    std::vector<std::int64_t> alive;  // micro-batches of each chunk, the pass's own among them
    std::int64_t chunk = 0;           // whose pass it is
    // Either direction of the chunk's passes may be the one, where there is nothing to choose.
    bool forward = true;
    bool backward = true;
    // Whose backward pass comes next, with its offloaded groups back on the GPU; -1: nobody's.
    std::int64_t next = -1;
    Residence residence = Residence::stays;
};

Moment heaviest_moment(const Context& context, std::int64_t rank, const RankKind& kind,
                       const std::vector<PassBytes>& bytes);

}  // namespace megamem::detailed

#include "memory/detailed_moment.h"

#include <algorithm>

#include "pipeline/schedule.h"

namespace megamem::detailed {

namespace {

std::size_t at(std::int64_t index) {
    return static_cast<std::size_t>(index);
}

// Where all chunks keep the same and the last one's passes hold most, the first moment with all of them alive
// is it.
bool is_even(const RankKind& kind, const std::vector<PassBytes>& bytes) {
    const auto most = [&](std::size_t chunk) {
        return std::max(bytes[chunk].forward,
                        bytes[chunk].backward + kind.chunks[chunk].kept(Residence::away).backward);
    };
    for (std::size_t chunk = 0; chunk < kind.chunks.size(); ++chunk) {
        const ChunkMemory& memory = kind.chunks[chunk];
        if (memory.offloads || most(chunk) > most(at(kind.last_filled)) ||
            memory.kept(Residence::away).bytes != kind.chunks.front().kept(Residence::away).bytes)
            return false;
    }
    return true;
}

class Walk {
  public:
    Walk(const RankKind& kind, const std::vector<PassBytes>& bytes, Passes passes)
        : kind_(kind), bytes_(bytes), passes_(std::move(passes)), alive_(passes_.alive), started_(alive_) {}

    Moment heaviest() {
        find_next();
        for (std::size_t chunk = 0; chunk < alive_.size(); ++chunk)
            kept_ += alive_[chunk] * away(chunk).bytes;
        for (std::size_t step = 0; step < passes_.list.size(); ++step)
            take(step);
        return std::move(best_);
    }

  private:
    static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

    const ChunkMemory::Kept& away(std::size_t chunk) const {
        return kind_.chunks[chunk].kept(Residence::away);
    }

    // For each pass the backward pass, itself or later, that next brings offloaded groups back.
    void find_next() {
        next_.assign(passes_.list.size(), kNone);
        std::size_t next = kNone;
        for (std::size_t step = passes_.list.size(); step-- > 0;) {
            const Pass& pass = passes_.list[step];
            if (!pass.forward && kind_.chunks[at(pass.chunk)].offloads) next = step;
            next_[step] = next;
        }
        first_ = next;
    }

    Residence residence_of(std::size_t backward) const {
        if (backward == first_ || backward == 0) return Residence::stays;
        const Pass& before = passes_.list[backward - 1];
        const Pass& pass = passes_.list[backward];
        const bool turns =
            before.forward && before.chunk == pass.chunk && before.micro_batch == pass.micro_batch;
        return turns ? Residence::stays : Residence::reloaded;
    }

    void take(std::size_t step) {
        const Pass& pass = passes_.list[step];
        const std::size_t chunk = at(pass.chunk);
        if (pass.forward) {
            ++alive_[chunk];
            ++started_[chunk];
            kept_ += away(chunk).bytes;
        }
        Wide bytes = kept_ + (pass.forward ? bytes_[chunk].forward : bytes_[chunk].backward);
        std::int64_t owner = -1;
        Residence residence = Residence::away;
        if (next_[step] != kNone) {
            const Pass& next = passes_.list[next_[step]];
            if (next.micro_batch < started_[at(next.chunk)]) {
                owner = next.chunk;
                residence = residence_of(next_[step]);
                bytes += kind_.chunks[at(owner)].kept(residence).bytes - away(at(owner)).bytes;
            }
        }
        if (!pass.forward)
            bytes += kind_.chunks[chunk].kept(owner == pass.chunk ? residence : Residence::away).backward;
        if (bytes > most_) {
            most_ = bytes;
            best_ = {alive_, pass.chunk, pass.forward, !pass.forward, owner, residence};
        }
        if (!pass.forward) {
            --alive_[chunk];
            kept_ -= away(chunk).bytes;
        }
    }

    const RankKind& kind_;
    const std::vector<PassBytes>& bytes_;
    Passes passes_;
    std::vector<std::int64_t> alive_;
    std::vector<std::int64_t> started_;
    std::vector<std::size_t> next_;
    std::size_t first_ = kNone;  // the first backward pass with offloaded groups
    Wide kept_ = 0;
    Wide most_ = -1;
    Moment best_;
};

}  // namespace

Moment heaviest_moment(const Context& c, std::int64_t rank, const RankKind& kind,
                       const std::vector<PassBytes>& bytes) {
    if (!is_even(kind, bytes)) {
        Passes passes = passes_of(c.s, c.pipeline, rank, c.z.micro_batches, c.overlaps_experts());
        if (!passes.list.empty()) return Walk(kind, bytes, std::move(passes)).heaviest();
    }
    return {.alive = in_flight(c.s, c.pipeline, rank, c.z.micro_batches, c.overlaps_experts()),
            .chunk = kind.last_filled};
}

}  // namespace megamem::detailed

#include "app/evidence.h"

#include "accuracy/nearest_runs.h"
#include "app/state.h"

namespace megamem::web {

LikeRuns current_like_runs() {
    static LikeRuns found;
    static std::uint64_t of_version = 0;
    const State& s = state();
    if (of_version == s.version) return found;
    of_version = s.version;
    found = {};
    if (!is_comparable(s.report)) return found;
    const NearestRuns nearest = nearest_runs(here_of(s.scenario, s.report));
    found = {nearest.alike, nearest.worst()};
    return found;
}

}  // namespace megamem::web

// How well the measured runs most like the open scenario were met, looked up once a change.
#pragma once

#include <cstddef>

namespace megamem::web {

struct LikeRuns {
    std::size_t count = 0;
    double worst = 0;  // of the errors' magnitudes
};

LikeRuns current_like_runs();

}  // namespace megamem::web

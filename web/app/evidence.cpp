#include "app/evidence.h"

#include <fmt/format.h>

#include <cmath>

#include "app/state.h"

namespace megamem::web {

namespace {

std::string hundredths_text(long hundredths) {
    return fmt::format("{}.{:02} %", hundredths / 100, hundredths % 100);
}

}  // namespace

const Evidence& current_evidence() {
    static Evidence found;
    static std::uint64_t of_version = 0;
    if (of_version != state().version) {
        found = evidence_for(state().scenario, state().report);
        of_version = state().version;
    }
    return found;
}

// Integers only: the page's fmt knows no floating point.
std::string percent_text(double share) {
    return hundredths_text(std::lround(std::fabs(share) * 10000));
}

std::string signed_percent_text(double share) {
    return (share < 0 ? "−" : "+") + percent_text(share);
}

}  // namespace megamem::web

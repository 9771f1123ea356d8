// Which measured runs are most like a scenario, and how well they were met: what every report needs of the
// evidence.
//
// Nearness. A run counts at all when its kind is the scenario's (accuracy.h) and both have experts or neither
// has. Then each of these is added up, and the nearest runs within the limit are taken:
//   a feature that one has and the other doesn't     1/4 to 2, by what it changes (features.cpp)
//   every factor of two between their hidden sizes   1/2
//   every factor of two between their peaks          1/2
//   every GPU generation between them                1/2
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "accuracy/evidence_data.h"
#include "accuracy/features.h"
#include "base/integers.h"
#include "memory/report.h"

namespace megamem {

inline constexpr std::size_t kMostEvidence = 12;
inline constexpr Features kMoe = bit(Feature::moe);

// What of a scenario is compared.
struct Here {
    Features features = 0;
    std::string_view kind;
    int sm = 0;
    std::int64_t hidden = 0;
    Bytes peak = 0;
    int log_hidden = 0;
    int log_peak = 0;
};

struct Near {
    int distance = 0;
    const EvidenceRow* row = nullptr;
};

struct NearestRuns {
    std::array<Near, kMostEvidence> runs{};  // the nearest first; of equally near ones the table's first
    std::size_t alike = 0;                   // how many of them there are

    double worst() const;  // of the errors' magnitudes
};

// False where nothing is compared: another method's report, or one that isn't valid.
bool is_comparable(const Report& report);
Here here_of(const Scenario& scenario, const Report& report);
NearestRuns nearest_runs(const Here& here);

int generation(int sm);  // of a GPU: 9 of compute capability 9.0
bool same_kind(const Here& here, const EvidenceRow& row);
int distance(const Here& here, const EvidenceRow& row);
double share_of(std::int16_t hundredths);  // 0.0042 of 42 hundredths of a percent

}  // namespace megamem

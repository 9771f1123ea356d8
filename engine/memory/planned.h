// The scenario of a report as the report's method got it, for what is asked about the report afterwards.
#pragma once

#include <optional>
#include <vector>

#include "memory/plan.h"
#include "memory/report.h"

namespace megamem {

class Planned {
  public:
    Planned(const Scenario& scenario, const Report& report);
    Planned(const Planned&) = delete;
    Planned& operator=(const Planned&) = delete;

    // nullptr where the report isn't valid.
    const Plan* plan() const { return plan_ ? &*plan_ : nullptr; }

  private:
    Problems problems_;
    std::optional<Resolved> resolved_;
    std::optional<Pipeline> pipeline_;
    std::vector<bool> moe_;
    std::optional<Plan> plan_;
};

}  // namespace megamem

#include "memory/planned.h"

#include <utility>

#include "memory/megatron_report.h"
#include "model/layers.h"

namespace megamem {

Planned::Planned(const Scenario& scenario, const Report& report) {
    if (!report.valid) return;
    Assumptions assumptions;
    resolved_ = resolve(scenario, problems_, assumptions);
    if (!resolved_) return;
    auto moe = moe_layers(scenario, *resolved_, problems_);
    pipeline_ = report.method == Method::megatron_report
                    ? megatron_report::pipeline_size(scenario, *resolved_, problems_)
                    : plan_pipeline(scenario, *resolved_, problems_);
    if (!moe || !pipeline_) return;
    moe_ = std::move(*moe);
    plan_.emplace(Plan{scenario, *resolved_, *pipeline_, moe_});
}

}  // namespace megamem

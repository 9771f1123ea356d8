#include "memory/estimate.h"

#include <algorithm>
#include <utility>

#include "memory/calculator.h"
#include "memory/detailed.h"
#include "memory/megatron_report.h"
#include "model/layers.h"
#include "scenario/presets.h"
#include "scenario/validation.h"

namespace megamem {

namespace {

// A clamped number is never shown: one item that no report can hold exactly spoils the report.
bool exact(const Report& report) {
    return is_exact(report.parameters.total) && is_exact(report.needed()) &&
           std::all_of(report.ranks.begin(), report.ranks.end(), [](const RankReport& rank) {
               return is_exact(rank.totals.total) &&
                      std::all_of(rank.items.begin(), rank.items.end(), [](const LineItem& item) {
                          return is_exact(item.bytes) && is_exact(item.elements);
                      });
           });
}

// What the method has to know of the pipeline.
std::optional<Pipeline> pipeline_for(Method method, const Scenario& scenario, const Resolved& resolved,
                                     Problems& problems) {
    if (method == Method::megatron_report)
        return megatron_report::pipeline_size(scenario, resolved, problems);
    return plan_pipeline(scenario, resolved, problems);
}

// By severity, and otherwise in the order in which they were found.
Problems errors_first(Problems problems) {
    Problems sorted;
    sorted.reserve(problems.size());
    for (const Severity severity : {Severity::error, Severity::warning, Severity::info}) {
        for (Problem& problem : problems)
            if (problem.severity == severity) sorted.push_back(std::move(problem));
    }
    return sorted;
}

void fill(const Scenario& scenario, Report& report) {
    Problems& problems = report.problems;
    const auto resolved = resolve(scenario, problems, report.assumptions);
    if (!resolved) return;
    validate(scenario, *resolved, report.method, problems);
    report.groups.world_size = resolved->world_size;
    if (has_error(problems)) {
        // The layout's own mistakes are told along with the others.
        (void)pipeline_for(report.method, scenario, *resolved, problems);
        return;
    }
    const auto moe = moe_layers(scenario, *resolved, problems);
    const auto pipeline = pipeline_for(report.method, scenario, *resolved, problems);
    if (!moe || !pipeline) return;

    const Plan plan{scenario, *resolved, *pipeline, *moe};
    switch (report.method) {
        case Method::detailed:
            estimate_detailed(plan, report);
            break;
        case Method::calculator:
            calculate(plan, report);
            break;
        case Method::megatron_report:
            report_as_megatron(plan, report);
            break;
    }
    report.virtual_stages = pipeline->chunks;
    const std::int64_t step = resolved->micro_batch * report.groups.data_parallel_size;
    const std::int64_t batch = scenario.global_batch_size.value_or(step);
    report.micro_batches = batch % step == 0 ? batch / step : 0;
    if (!exact(report)) {
        problems.push_back(
            {Severity::error, "too_large", "",
             "the sizes multiply to more than 2^53 bytes on one GPU; check the model and the batch"});
    }
}

}  // namespace

Report estimate(const Scenario& scenario, Method method) {
    Report report;
    report.method = method;
    if (const Gpu* gpu = find_gpu(scenario.gpu)) report.capacity = {gpu->id, gpu->usable_bytes};
    fill(scenario, report);
    report.valid = !has_error(report.problems);
    if (!report.valid) {
        report.ranks.clear();
        report.shards.clear();
    }
    report.worst_rank = worst_rank_of(report.ranks);
    report.problems = errors_first(std::move(report.problems));
    return report;
}

}  // namespace megamem

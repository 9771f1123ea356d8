#include "accuracy/evidence_json.h"

#include "memory/report_json.h"

namespace megamem {

void add_evidence(OrderedJson& json, const Scenario& scenario, const Report& report) {
    if (report.method != Method::detailed || !report.valid) return;
    const Evidence evidence = evidence_for(scenario, report);
    const auto if_any = [&](double value) {
        return evidence.alike > 0 ? OrderedJson(value) : OrderedJson(nullptr);
    };
    OrderedJson runs = OrderedJson::array();
    for (const EvidenceRun& run : evidence.runs) {
        runs.push_back({{"label", run.label},
                        {"source", run.source},
                        {"pipeline_rank", run.pipeline_rank},
                        {"error", run.error},
                        {"measured_peak", run.measured_peak}});
    }
    json["evidence"] = {{"alike", evidence.alike},
                        {"median", if_any(evidence.median)},
                        {"worst", if_any(evidence.worst)},
                        {"lowest", if_any(evidence.lowest)},
                        {"highest", if_any(evidence.highest)},
                        {"runs", std::move(runs)},
                        {"missing", evidence.missing}};
}

std::string write_report_with_evidence(const Scenario& scenario, const Report& report, int indent) {
    OrderedJson json = json_of(report);
    add_evidence(json, scenario, report);
    return text_of(json, indent);
}

}  // namespace megamem

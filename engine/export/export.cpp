#include "export/export.h"

#include <algorithm>

#include "export/configuration.h"
#include "export/report_text.h"
#include "memory/estimate.h"
#include "memory/report_json.h"
#include "scenario/scenario_json.h"

namespace megamem {

const ExportFormat* find_export(std::string_view name) {
    const auto* const found = std::find_if(kExportFormats.begin(), kExportFormats.end(),
                                           [&](const ExportFormat& format) { return format.name == name; });
    return found == kExportFormats.end() ? nullptr : found;
}

Export make_export(const Scenario& scenario, Method method, const ExportFormat& format) {
    if (const auto configuration = configuration_named(format.name))
        return {export_configuration(scenario, *configuration), {}};
    if (format.name == "scenario") return {write_scenario_json(scenario) + "\n", {}};
    const Report report = estimate(scenario, method);
    Export made;
    if (!report.valid) made.problems = report.problems;
    if (format.name == "csv") {
        made.text = export_csv(report);
    } else if (format.name == "markdown") {
        made.text = export_markdown(scenario, report);
    } else if (format.name == "svg") {
        made.text = export_svg(scenario, report);
    } else {
        made.text = write_report_json(report) + "\n";
    }
    return made;
}

}  // namespace megamem

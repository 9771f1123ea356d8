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

bool shows_report(const ExportFormat& format) {
    return !configuration_named(format.name) && format.name != "scenario";
}

std::string export_text(const Scenario& scenario, Method method, const ExportFormat& format) {
    if (const auto configuration = configuration_named(format.name))
        return export_configuration(scenario, *configuration);
    if (format.name == "scenario") return write_scenario_json(scenario) + "\n";
    const Report report = estimate(scenario, method);
    if (format.name == "csv") return export_csv(report);
    if (format.name == "markdown") return export_markdown(scenario, report);
    if (format.name == "svg") return export_svg(scenario, report);
    return write_report_json(report) + "\n";
}

}  // namespace megamem

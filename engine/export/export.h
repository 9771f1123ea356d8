// All exports by name, for programs that offer them as a list.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "base/problem.h"
#include "scenario/method.h"
#include "scenario/scenario.h"

namespace megamem {

struct ExportFormat {
    std::string_view name;   // "megatron"
    std::string_view label;  // for people
    std::string_view file;   // a name for the file
    std::string_view mime_type;
};

inline constexpr std::array kExportFormats = {
    ExportFormat{"megatron", "Megatron-LM script", "megamem.sh", "text/x-shellscript"},
    ExportFormat{"yaml", "YAML arguments", "megamem.yaml", "text/yaml"},
    ExportFormat{"bridge", "Megatron-Bridge overrides", "megamem.txt", "text/plain"},
    ExportFormat{"swift", "ms-swift script", "megamem-swift.sh", "text/x-shellscript"},
    ExportFormat{"scenario", "Scenario as JSON", "scenario.json", "application/json"},
    ExportFormat{"json", "Report as JSON", "report.json", "application/json"},
    ExportFormat{"csv", "Report as CSV", "report.csv", "text/csv"},
    ExportFormat{"markdown", "Report as Markdown", "report.md", "text/markdown"},
    ExportFormat{"svg", "Bars as SVG", "memory.svg", "image/svg+xml"},
};

const ExportFormat* find_export(std::string_view name);

struct Export {
    std::string text;
    Problems problems;  // of a report without a result: the text shows that there is none
};

Export make_export(const Scenario& scenario, Method method, const ExportFormat& format);

}  // namespace megamem

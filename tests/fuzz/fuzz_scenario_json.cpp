// Any text as a scenario's JSON: what was read is written and read again the same, and estimated without a
// crash. How to build with -fsanitize=fuzzer: see fuzz_link.cpp.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "memory/estimate.h"
#include "memory/report_json.h"
#include "scenario/scenario_json.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const megamem::ReadScenario read =
        megamem::read_scenario_json({reinterpret_cast<const char*>(data), size});
    const megamem::ReadScenario again =
        megamem::read_scenario_json(megamem::write_scenario_json(read.scenario));
    if (!again.problems.empty() || again.scenario != read.scenario) std::abort();
    // Thousands of ranks are no bug, only slow.
    if (read.scenario.pipeline_model_parallel_size > 64) return 0;
    const megamem::Report report = megamem::estimate(read.scenario, megamem::Method::calculator);
    if (report.valid == megamem::has_error(report.problems)) std::abort();
    if (megamem::write_report_json(report, -1).empty()) std::abort();
    return 0;
}

// Any text as measured runs: runs or an error, and what runs hold can be estimated. How to build with
// -fsanitize=fuzzer: see fuzz_link.cpp.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "field_ranges.h"
#include "import/measured_runs.h"
#include "memory/estimate.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace megamem;
    const ReadRuns read = read_measured_runs({reinterpret_cast<const char*>(data), size});
    if (has_error(read.problems) && !read.runs.empty()) std::abort();
    for (const MeasuredRun& run : read.runs) {
        if (!fuzz::can_be_set_again(run.scenario)) std::abort();
        (void)estimate(run.scenario, Method::detailed);
    }
    return 0;
}

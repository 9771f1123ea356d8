// Any text as a pipeline layout: stages or an error, within the limits. How to build with -fsanitize=fuzzer:
// see fuzz_link.cpp.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/text.h"
#include "pipeline/layout.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const megamem::LayoutText layout = megamem::parse_layout({reinterpret_cast<const char*>(data), size});
    if (layout.error) {
        if (layout.error->position > size || !megamem::is_valid_utf8(layout.error->message)) std::abort();
        return 0;
    }
    std::size_t items = layout.stages.size();
    for (const std::string& stage : layout.stages) {
        if (stage.find_first_not_of("EtmL") != std::string::npos) std::abort();
        items += stage.size();
    }
    if (layout.stages.empty() || items > megamem::kMostLayoutItems + 1) std::abort();
    return 0;
}

// Any text as a layer pattern: its canonical text reads back to the same pattern. How to build with
// -fsanitize=fuzzer: see fuzz_link.cpp.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/text.h"
#include "link/escape.h"
#include "scenario/layer_pattern.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace megamem;
    const LayerPattern pattern = parse_layer_pattern({reinterpret_cast<const char*>(data), size});
    if (!pattern.error.empty()) {
        if (!pattern.runs.empty() || pattern.every != 0) std::abort();
        return 0;
    }
    const std::string text = to_text(pattern);
    if (parse_layer_pattern(text) != pattern) std::abort();
    if (expand_pattern(shorten_pattern(text)) != text) std::abort();
    const auto layers = pattern.every > 0 ? std::int64_t{100} : pattern.length();
    if (expand(pattern, layers).size() != static_cast<std::size_t>(layers)) std::abort();
    return 0;
}

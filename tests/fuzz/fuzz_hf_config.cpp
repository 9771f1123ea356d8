// Any text as config.json: fields that can be set, or an error. How to build with -fsanitize=fuzzer: see
// fuzz_link.cpp.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/json_lenient.h"
#include "import/hf_config.h"
#include "import/merge.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace megamem;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    (void)looks_like_hf_config(text);
    const Import import = import_hf_config(text);
    if (has_error(import.problems) && !import.taken.empty()) std::abort();
    const Merged merged = merge_imports(Scenario{}, {{import}});
    if (has_error(merged.problems)) std::abort();
    // The relaxed text keeps its lines.
    const RelaxedJson relaxed = relax_json(text);
    if (relaxed.text.size() < text.size()) std::abort();
    for (std::size_t i = 0; i < text.size(); ++i) {
        if ((text[i] == '\n') != (relaxed.text[i] == '\n')) std::abort();
    }
    return 0;
}

// Any bytes as overrides of a configuration and as the argument lines of a log. How to build with
// -fsanitize=fuzzer: see fuzz_link.cpp.
#include <cstdint>
#include <string_view>

#include "import/argument_dump.h"
#include "import/overrides.h"
#include "import_checks.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace megamem;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    (void)looks_like_overrides(text);
    (void)looks_like_argument_dump(text);
    fuzz::check_import(import_overrides(text));
    fuzz::check_import(import_argument_dump(text));
    return 0;
}

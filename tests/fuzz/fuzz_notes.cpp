// Any bytes as notes, and through the choice of a reader. How to build with -fsanitize=fuzzer: see fuzz_link.cpp.
#include <cstdint>
#include <string_view>

#include "import/notes.h"
#include "import_checks.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace megamem;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    fuzz::check_import(import_notes(text));
    fuzz::check_import(import_text(text));
    return 0;
}

// Any text as a link: never an error, and what was read is written and read again the same.
//
// To look for new inputs (the corpus of this folder is the start):
//   clang++ -std=c++20 -g -O1 -fsanitize=fuzzer,address,undefined -Iengine -isystem third_party/include
//       -DFMT_HEADER_ONLY=1 -DFMT_EXCEPTIONS=0 -DJSON_NOEXCEPTION=1
//       tests/fuzz/fuzz_link.cpp $(find engine -name '*.cpp' -not -path '*/cli/*') -o fuzz_link
//   ./fuzz_link -max_len=4096 new_inputs tests/fuzz/corpus/link
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "link/link_pair.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const megamem::ReadLink read = megamem::read_link({reinterpret_cast<const char*>(data), size});
    if (megamem::has_error(read.problems)) std::abort();
    const megamem::ReadLink again = megamem::read_link(
        megamem::write_link(read.scenario, read.preset, read.method, read.view, read.stamp));
    // A layout may be longer than a link can carry.
    const bool too_long = !again.problems.empty() && again.problems[0].code == "link_too_long";
    if (!too_long && (!again.problems.empty() || again.scenario != read.scenario)) std::abort();
    if (!too_long && (again.view != read.view || again.stamp != read.stamp || again.method != read.method))
        std::abort();

    const megamem::ReadLinkPair pair = megamem::read_link_pair({reinterpret_cast<const char*>(data), size});
    if (megamem::has_error(pair.open.problems)) std::abort();
    if (pair.compared && megamem::has_error(pair.compared->problems)) std::abort();
    return 0;
}

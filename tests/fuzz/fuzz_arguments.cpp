// Any words as Megatron's arguments: a scenario whose every field is in range, and problems that can be
// shown. How to build with -fsanitize=fuzzer: see fuzz_link.cpp.
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "field_ranges.h"
#include "import/megatron_arguments.h"
#include "memory/estimate.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace megamem;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    std::vector<Argument> arguments;
    for (const std::string_view line : split(text, '\n')) {
        for (const std::string_view word : split(line, ' ')) {
            if (word.starts_with("--")) {
                arguments.push_back({std::string(word), {}});
            } else if (!word.empty() && !arguments.empty()) {
                arguments.back().values.emplace_back(word);
            }
        }
    }
    const ImportedArguments imported = import_arguments(arguments);
    if (imported.taken.size() + imported.ignored.size() > arguments.size()) std::abort();
    for (const Problem& problem : imported.problems) {
        if (problem.severity != Severity::warning || problem.message.empty()) std::abort();
    }
    if (!fuzz::can_be_set_again(imported.scenario)) std::abort();
    (void)estimate(imported.scenario, Method::detailed);
    return 0;
}

// Any bytes as a launch script: an import whose values the field table takes, and lists that people can read.
// How to build with -fsanitize=fuzzer: see fuzz_link.cpp.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/text.h"
#include "field_ranges.h"
#include "import/import.h"
#include "import/launch_script.h"
#include "import/merge.h"
#include "scenario/field.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace megamem;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    for (const Import& import : {import_launch_script(text), import_text(text)}) {
        Scenario scenario;
        for (const auto* list : {&import.defaults, &import.taken}) {
            for (const Taken& taken : *list) {
                const Field* field = find_field(taken.key);
                if (field == nullptr || set_text(scenario, *field, taken.value)) std::abort();
                if (get_text(scenario, *field) != taken.value) std::abort();
            }
        }
        if (import.unknown.size() + import.neutral.size() + import.problems.size() > 2000) std::abort();
        for (const Problem& problem : import.problems) {
            if (problem.message.empty() || problem.code.empty()) std::abort();
        }
        for (const Question& question : import.questions) {
            if (question.message.empty()) std::abort();
        }
        if (import.taken.empty() && import.questions.empty() && !has_error(import.problems)) std::abort();
        const Merged merged = merge_imports(Scenario{}, {&import, 1});
        if (!fuzz::can_be_set_again(merged.scenario)) std::abort();
    }
    return 0;
}

// What must hold of an import, whatever was read.
#pragma once

#include <cstdlib>
#include <set>
#include <span>
#include <string_view>

#include "field_ranges.h"
#include "import/import.h"
#include "import/merge.h"
#include "scenario/field.h"

namespace megamem::fuzz {

inline void check_import(const Import& import) {
    if (has_error(import.problems) && !import.taken.empty()) std::abort();
    std::set<std::string_view> keys;
    Scenario scratch;
    for (const auto* list : {&import.taken, &import.defaults}) {
        for (const Taken& taken : *list) {
            const Field* field = find_field(taken.key);
            if (field == nullptr || set_text(scratch, *field, taken.value)) std::abort();
            if (!keys.insert(taken.key).second) std::abort();
        }
    }
    for (const Problem& problem : import.problems) {
        if (problem.message.empty()) std::abort();
    }
    for (const Question& question : import.questions) {
        if (question.message.empty()) std::abort();
    }
    if (!can_be_set_again(merge_imports(Scenario{}, std::span<const Import>(&import, 1)).scenario))
        std::abort();
}

}  // namespace megamem::fuzz

#include "import/merge.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "scenario/field.h"

namespace megamem {

namespace {

// Two fields that say which layers have experts: whoever speaks last has the word, in whichever of them.
constexpr std::string_view kNumber = "num_dense_layers";
constexpr std::string_view kPattern = "moe_layer_freq";

std::string_view other_word(std::string_view key) {
    if (key == kNumber) return kPattern;
    return key == kPattern ? kNumber : std::string_view{};
}

bool speaks_of(const Import& import, std::string_view key) {
    return std::any_of(import.taken.begin(), import.taken.end(),
                       [&](const Taken& taken) { return taken.key == key; });
}

}  // namespace

Merged merge_imports(const Scenario& base, std::span<const Import> imports) {
    Merged merged;
    merged.scenario = base;
    std::map<std::string_view, const Taken*> chosen;
    for (const Import& import : imports) {
        for (const Taken& taken : import.taken) {
            if (const auto other = other_word(taken.key); !speaks_of(import, other)) chosen.erase(other);
            const auto [place, first] = chosen.try_emplace(taken.key, &taken);
            if (first) continue;
            if (place->second->value != taken.value) {
                merged.problems.push_back(
                    {Severity::info, "replaced", std::string(taken.key),
                     fmt::format("{}: {} replaces {}", taken.key, taken.value, place->second->value)});
            }
            place->second = &taken;
        }
    }
    for (const Import& import : imports) {
        for (const Taken& silent : import.defaults) {
            if (!chosen.contains(other_word(silent.key))) chosen.try_emplace(silent.key, &silent);
        }
    }
    // In the table's order, so that the result doesn't depend on that of the text.
    for (const Field& field : field_table()) {
        if (const auto found = chosen.find(field.key); found != chosen.end()) {
            if (auto problem = set_text(merged.scenario, field, found->second->value))
                merged.problems.push_back(std::move(*problem));
        } else if (chosen.contains(other_word(field.key))) {
            (void)set_text(merged.scenario, field, kUnset);
        }
        if (field.required && !is_set(merged.scenario, field)) merged.missing.push_back(field.key);
    }
    return merged;
}

}  // namespace megamem

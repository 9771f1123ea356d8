// What an import found, in a form that a test can compare at a glance.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "import/import.h"
#include "import/merge.h"
#include "scenario/field.h"

namespace megamem::test {

inline std::string value_in(const std::vector<Taken>& list, std::string_view key) {
    const auto found = std::find_if(list.begin(), list.end(), [&](const Taken& t) { return t.key == key; });
    return found == list.end() ? "-" : found->value;
}

inline bool mentions(const std::vector<Mention>& list, std::string_view text) {
    return std::any_of(list.begin(), list.end(),
                       [&](const Mention& m) { return m.source.find(text) != std::string::npos; });
}

inline const Question* question_about(const Import& import, std::string_view key) {
    const auto found = std::find_if(import.questions.begin(), import.questions.end(),
                                    [&](const Question& q) { return q.key == key; });
    return found == import.questions.end() ? nullptr : &*found;
}

inline const Problem* problem_of(const Import& import, std::string_view code) {
    const auto found = std::find_if(import.problems.begin(), import.problems.end(),
                                    [&](const Problem& p) { return p.code == code; });
    return found == import.problems.end() ? nullptr : &*found;
}

// All that was found, for INFO().
inline std::string shown(const Import& import) {
    std::string out = import.recognised + "\n";
    for (const Taken& taken : import.taken)
        out += fmt::format("  {} = {}   from {} ({})\n", taken.key, taken.value, taken.source, taken.line);
    out += fmt::format("  {} defaults\n", import.defaults.size());
    for (const Mention& mention : import.unknown)
        out += fmt::format("  unknown {} ({}) {}\n", mention.source, mention.line, mention.note);
    for (const Mention& mention : import.neutral)
        out += fmt::format("  neutral {} ({}) {}\n", mention.source, mention.line, mention.note);
    for (const Question& question : import.questions)
        out += fmt::format("  question {}: {} ({}) {}\n", question.key, question.source, question.line,
                           question.message);
    for (const Problem& problem : import.problems)
        out += fmt::format("  {} {}: {}\n", name_of(problem.severity), problem.code, problem.message);
    return out;
}

// "num_layers=4 precision=bf16": that exactly these fields were taken, with these values.
inline void check_taken(const Import& import, std::string_view wanted) {
    INFO(shown(import));
    std::vector<std::string> expected;
    for (const std::string_view word : split(wanted, ' ')) {
        if (!trim(word).empty()) expected.emplace_back(trim(word));
    }
    std::vector<std::string> taken;
    for (const Taken& one : import.taken)
        taken.push_back(fmt::format("{}={}", one.key, one.value));
    std::sort(expected.begin(), expected.end());
    std::sort(taken.begin(), taken.end());
    CHECK(taken == expected);
    for (const Taken& one : import.taken) {
        CHECK(one.line > 0);
        CHECK_FALSE(one.source.empty());
    }
}

// The scenario that the import alone makes.
inline Scenario scenario_of(const Import& import) {
    return merge_imports(Scenario{}, std::span<const Import>(&import, 1)).scenario;
}

}  // namespace megamem::test

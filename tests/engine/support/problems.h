// Problems in assertions: as text, by code, and with the pieces that a message must hold.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "base/problem.h"

namespace megamem::test {

inline const Problem* find_problem(const Problems& problems, std::string_view code) {
    const auto found =
        std::find_if(problems.begin(), problems.end(), [&](const Problem& p) { return p.code == code; });
    return found == problems.end() ? nullptr : &*found;
}

// Sorted: the order in which rules are applied is no promise.
inline std::vector<std::string> codes_of(const Problems& problems) {
    std::vector<std::string> codes;
    for (const Problem& problem : problems)
        codes.emplace_back(problem.code);
    std::sort(codes.begin(), codes.end());
    return codes;
}

inline std::string shown(const Problems& problems) {
    std::string text;
    for (const Problem& p : problems)
        text += fmt::format("{} {} [{}]: {}\n", name_of(p.severity), p.code, p.path, p.message);
    return text;
}

inline bool holds(std::string_view text, std::string_view piece) {
    return text.find(piece) != std::string_view::npos;
}

}  // namespace megamem::test

// What is wrong with an input, as a value: errors never travel as exceptions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace megamem {

enum class Severity {
    error,    // no number can be given
    warning,  // the numbers hold, but something was dropped or Megatron-LM would refuse it
    info,     // worth knowing
};

constexpr std::string_view name_of(Severity severity) {
    switch (severity) {
        case Severity::error:
            return "error";
        case Severity::warning:
            return "warning";
        case Severity::info:
            return "info";
    }
    return "error";
}

struct Problem {
    Severity severity = Severity::error;
    std::string_view code;  // stable and machine-readable; always a literal
    std::string path;       // the field, e.g. "tensor_model_parallel_size" or "recompute_modules[1]"
    std::string message;    // one sentence with the numbers in it
};

using Problems = std::vector<Problem>;

inline bool has_error(const Problems& problems) {
    for (const Problem& problem : problems) {
        if (problem.severity == Severity::error) return true;
    }
    return false;
}

}  // namespace megamem

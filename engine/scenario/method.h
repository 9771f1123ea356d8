// The ways to answer "how much memory": which one a rule, a report or a number speaks of.
#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace megamem {

enum class Method { detailed, calculator, megatron_report };

inline constexpr std::array<std::string_view, 3> kMethodNames = {"detailed", "calculator", "megatron-report"};

constexpr std::string_view name_of(Method method) {
    return kMethodNames[static_cast<std::size_t>(method)];
}

constexpr std::optional<Method> method_named(std::string_view name) {
    for (std::size_t i = 0; i < kMethodNames.size(); ++i) {
        if (kMethodNames[i] == name) return static_cast<Method>(i);
    }
    return std::nullopt;
}

}  // namespace megamem

// What the rows of the field table are written with. Ranges are wide enough for any cluster that exists and
// narrow enough that 128-bit products can't wrap. Link keys are frozen: never reuse one; "v", "m" and "z"
// belong to the link.
#pragma once

#include <array>
#include <string_view>
#include <type_traits>
#include <utility>

#include "scenario/field.h"

namespace megamem {

Choices gpu_ids();

}  // namespace megamem

namespace megamem::rows {

using enum FieldType;
using S = Scenario;

struct Row {
    Field field;
    std::string_view help;
};

template <auto Member>
constexpr EnumSlot enum_slot() {
    using Enum = std::remove_cvref_t<decltype(std::declval<Scenario>().*Member)>;
    return {[](const Scenario& s) { return static_cast<std::size_t>(s.*Member); },
            [](Scenario& s, std::size_t index) { s.*Member = static_cast<Enum>(index); }};
}

// Words in the order of the enumeration.
template <const auto& Words>
Choices choices_of() {
    return Words;
}

inline constexpr std::int64_t kLayers = 10'000;
inline constexpr std::int64_t kWidth = 1 << 20;
inline constexpr std::int64_t kWide = 1 << 24;
inline constexpr std::int64_t kCount = 1 << 16;

}  // namespace megamem::rows

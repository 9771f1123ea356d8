// Exact integers: bytes are 64-bit, products are formed in 128 bits so that no range-checked scenario can
// wrap.
#pragma once

#include <cstdint>

namespace megamem {

using Bytes = std::int64_t;
__extension__ using Wide = __int128;

// JavaScript reads JSON numbers as doubles; a byte count above this would not survive the trip unchanged.
inline constexpr std::int64_t kMaxExactBytes = std::int64_t{1} << 53;

// Narrows a wide value. Anything that no report can hold exactly becomes kMaxExactBytes, which the report
// then refuses as a whole ("too_large"): a clamped number is never shown.
constexpr std::int64_t narrow(Wide value) {
    return value >= kMaxExactBytes ? kMaxExactBytes : static_cast<std::int64_t>(value);
}

// value / divisor, for values that are never negative; 128-bit division is slow and seldom needed.
constexpr Wide quotient(Wide value, std::int64_t divisor) {
    if (value <= INT64_MAX) return static_cast<std::int64_t>(value) / divisor;
    return value / divisor;
}

constexpr bool is_exact(std::int64_t value) {
    return value < kMaxExactBytes;
}

inline constexpr Bytes kGiB = Bytes{1} << 30;
inline constexpr Bytes kMiB = Bytes{1} << 20;

}  // namespace megamem

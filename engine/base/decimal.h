// A decimal with four places, held as an integer: `droprate` and `nccl_buffer_gib` stay exact.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace megamem {

struct Decimal4 {
    static constexpr std::int64_t kOne = 10000;
    std::int64_t ten_thousandths = 0;

    friend constexpr bool operator==(const Decimal4&, const Decimal4&) = default;
};

// "0.75", "2", ".5"; no exponent, no sign, at most four places.
std::optional<Decimal4> parse_decimal4(std::string_view text);

// The shortest text that parses back to the same value.
std::string to_text(Decimal4 value);

}  // namespace megamem

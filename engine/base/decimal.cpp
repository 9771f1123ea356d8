#include "base/decimal.h"

#include <fmt/format.h>

#include "base/text.h"

namespace megamem {

std::optional<Decimal4> parse_decimal4(std::string_view text) {
    constexpr std::size_t kPlaces = 4;
    const std::size_t dot = text.find('.');
    const std::string_view whole = text.substr(0, dot);
    std::string fraction(dot == std::string_view::npos ? std::string_view{} : text.substr(dot + 1));
    if (whole.empty() && fraction.empty()) return std::nullopt;

    // Zeros after the fourth place say nothing new; other digits there would be lost.
    while (fraction.size() > kPlaces && fraction.back() == '0')
        fraction.pop_back();
    if (fraction.size() > kPlaces) return std::nullopt;
    fraction.append(kPlaces - fraction.size(), '0');

    const auto high = whole.empty() ? std::optional<std::int64_t>(0) : parse_unsigned(whole);
    const auto low = parse_unsigned(fraction);
    constexpr std::int64_t kLargestWhole = INT64_MAX / Decimal4::kOne - 1;
    if (!high || !low || *high > kLargestWhole) return std::nullopt;
    return Decimal4{*high * Decimal4::kOne + *low};
}

std::string to_text(Decimal4 value) {
    std::string text = fmt::format("{}.{:04}", value.ten_thousandths / Decimal4::kOne,
                                   value.ten_thousandths % Decimal4::kOne);
    while (text.back() == '0')
        text.pop_back();
    if (text.back() == '.') text.pop_back();
    return text;
}

}  // namespace megamem

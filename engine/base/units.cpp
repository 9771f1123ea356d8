#include "base/units.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdio>

namespace megamem {

namespace {

// value / unit with two decimals, rounded half up; negative values mirror.
std::string two_decimals(Wide value, std::int64_t unit) {
    const bool negative = value < 0;
    const Wide magnitude = negative ? -value : value;
    const auto hundredths = static_cast<std::int64_t>((magnitude * 100 + unit / 2) / unit);
    return fmt::format("{}{}.{:02}", negative && hundredths > 0 ? "-" : "", hundredths / 100,
                       hundredths % 100);
}

long hundredths_of(double share) {
    return std::lround(std::fabs(share) * 10'000);
}

}  // namespace

std::string gib(Bytes bytes) {
    return two_decimals(bytes, kGiB);
}

std::string short_count(std::int64_t count) {
    struct Prefix {
        std::int64_t unit;
        const char* name;
    };
    for (const Prefix& prefix : {Prefix{1'000'000'000, "B"}, Prefix{1'000'000, "M"}, Prefix{1'000, "k"}}) {
        if (count >= prefix.unit) return fmt::format("{} {}", two_decimals(count, prefix.unit), prefix.name);
    }
    return fmt::format("{}", count);
}

std::string percent_text(double share) {
    const long hundredths = hundredths_of(share);
    return fmt::format("{}.{:02} %", hundredths / 100, hundredths % 100);
}

std::string signed_percent_text(double share) {
    return (share < 0 && hundredths_of(share) > 0 ? "−" : "+") + percent_text(share);
}

std::string fixed(double value, int decimals) {
    char text[512];  // the largest double has 309 digits before the point
    const int length = std::snprintf(text, sizeof text, "%.*f", decimals, value);
    return {text, static_cast<std::size_t>(length)};
}

std::string grouped(std::int64_t value) {
    std::string text = fmt::format("{}", value < 0 ? -value : value);
    for (std::size_t i = text.size(); i > 3; i -= 3)
        text.insert(i - 3, " ");
    return value < 0 ? "-" + text : text;
}

}  // namespace megamem

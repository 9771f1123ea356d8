#include "base/expression.h"

#include <algorithm>
#include <cmath>

#include "base/decimal.h"
#include "base/text.h"

namespace megamem {

namespace {

constexpr std::string_view kTimes = "×";
constexpr int kDeepest = 32;  // parentheses

class Reader {
  public:
    explicit Reader(std::string_view text) : rest_(text) {}

    std::optional<double> all() {
        const auto value = sum(0);
        skip();
        return rest_.empty() ? value : std::nullopt;
    }

  private:
    void skip() {
        while (!rest_.empty() && rest_.front() == ' ')
            rest_.remove_prefix(1);
    }

    bool take(std::string_view token) {
        skip();
        if (!rest_.starts_with(token)) return false;
        rest_.remove_prefix(token.size());
        return true;
    }

    std::optional<double> sum(int depth) {
        auto value = product(depth);
        while (value) {
            const bool plus = take("+");
            if (!plus && !take("-")) break;
            const auto next = product(depth);
            if (!next) return std::nullopt;
            *value += plus ? *next : -*next;
        }
        return value;
    }

    std::optional<double> product(int depth) {
        auto value = power(depth);
        while (value) {
            const bool times = take(kTimes);
            if (!times && !take("/")) break;
            const auto next = power(depth);
            if (!next || (!times && *next == 0)) return std::nullopt;
            value = times ? *value * *next : *value / *next;
        }
        return value;
    }

    std::optional<double> power(int depth) {
        const auto base = atom(depth);
        if (!base || !take("^")) return base;
        const auto exponent = atom(depth);
        if (!exponent) return std::nullopt;
        return std::pow(*base, *exponent);
    }

    std::optional<double> atom(int depth) {
        if (depth < kDeepest && take("(")) {
            const auto value = sum(depth + 1);
            return take(")") ? value : std::nullopt;
        }
        skip();
        const std::size_t size = std::min(rest_.find_first_not_of("0123456789."), rest_.size());
        const std::string_view digits = rest_.substr(0, size);
        rest_.remove_prefix(size);
        if (const auto whole = parse_unsigned(digits)) return static_cast<double>(*whole);
        const std::size_t point = digits.find('.');
        if (point == std::string_view::npos) return std::nullopt;
        const std::string_view decimals = digits.substr(point + 1);
        const auto before = parse_unsigned(digits.substr(0, point));
        const auto after = parse_unsigned(decimals);
        if (!before || !after) return std::nullopt;
        return static_cast<double>(*before) +
               static_cast<double>(*after) / std::pow(10, static_cast<double>(decimals.size()));
    }

    std::string_view rest_;
};

}  // namespace

std::optional<double> evaluate(std::string_view text) {
    return Reader(text).all();
}

}  // namespace megamem

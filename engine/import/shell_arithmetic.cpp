#include "import/shell_arithmetic.h"

#include <algorithm>

#include "base/integers.h"
#include "base/text.h"

namespace megamem {

namespace {

using Value = std::optional<std::int64_t>;

class Arithmetic {
  public:
    Arithmetic(std::string_view text, const std::function<Value(std::string_view)>& value_of)
        : text_(text), value_of_(value_of) {}

    Value read() {
        const Value value = expression(0);
        skip();
        return at_ == text_.size() ? value : std::nullopt;
    }

  private:
    static constexpr int kDeepest = 50;

    void skip() {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n'))
            ++at_;
    }

    bool eat(std::string_view word) {
        skip();
        if (!text_.substr(at_).starts_with(word)) return false;
        at_ += word.size();
        return true;
    }

    static Value fit(Wide wide) {
        if (wide > INT64_MAX / 2 || wide < INT64_MIN / 2) return std::nullopt;
        return static_cast<std::int64_t>(wide);
    }

    // Comparisons, then shifts, sums and products: what scripts use.
    Value expression(int depth) {
        Value left = shifted(depth);
        while (left) {
            int which = -1;
            constexpr std::string_view kOperators[] = {"==", "!=", "<=", ">=", "<", ">"};
            for (int i = 0; i < 6 && which < 0; ++i) {
                if (eat(kOperators[i])) which = i;
            }
            if (which < 0) return left;
            const Value right = shifted(depth);
            if (!right) return std::nullopt;
            const bool holds = which == 0   ? *left == *right
                               : which == 1 ? *left != *right
                               : which == 2 ? *left <= *right
                               : which == 3 ? *left >= *right
                               : which == 4 ? *left < *right
                                            : *left > *right;
            left = holds ? 1 : 0;
        }
        return left;
    }

    Value shifted(int depth) {
        Value left = sum(depth);
        while (left) {
            const bool up = eat("<<");
            if (!up && !eat(">>")) return left;
            const Value right = sum(depth);
            if (!right || *right < 0 || *right > 62 || *left < 0) return std::nullopt;
            left = up ? fit(Wide{*left} << *right) : *left >> *right;
        }
        return left;
    }

    Value sum(int depth) {
        Value left = product(depth);
        while (left) {
            const bool plus = eat("+");
            if (!plus && !eat("-")) return left;
            const Value right = product(depth);
            if (!right) return std::nullopt;
            left = fit(plus ? Wide{*left} + *right : Wide{*left} - *right);
        }
        return left;
    }

    Value product(int depth) {
        Value left = power(depth);
        while (left) {
            skip();
            const char c = at_ < text_.size() ? text_[at_] : '\0';
            if (c != '*' && c != '/' && c != '%') return left;
            ++at_;
            const Value right = power(depth);
            if (!right || (c != '*' && *right == 0)) return std::nullopt;
            left = c == '*' ? fit(Wide{*left} * *right) : c == '/' ? *left / *right : *left % *right;
        }
        return left;
    }

    Value power(int depth) {
        const Value base = atom(depth);
        if (!base || !eat("**")) return base;
        const Value exponent = atom(depth);
        if (!exponent || *exponent < 0 || *exponent > 62) return std::nullopt;
        Value result = 1;
        for (std::int64_t i = 0; i < *exponent && result; ++i)
            result = fit(Wide{*result} * *base);
        return result;
    }

    Value atom(int depth) {
        if (depth > kDeepest) return std::nullopt;
        if (eat("(")) {
            const Value value = expression(depth + 1);
            return eat(")") ? value : std::nullopt;
        }
        if (eat("-")) {
            const Value value = atom(depth + 1);
            return value ? Value(-*value) : std::nullopt;
        }
        if (eat("+")) return atom(depth + 1);
        skip();
        const std::size_t begin = at_;
        while (at_ < text_.size() && is_name(text_[at_]))
            ++at_;
        const std::string_view word = text_.substr(begin, at_ - begin);
        if (word.empty()) return std::nullopt;
        if (word[0] >= '0' && word[0] <= '9') {
            const Value value = parse_unsigned(word);
            return value ? fit(*value) : std::nullopt;
        }
        return value_of_(word);
    }

    static bool is_name(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    }

    std::string_view text_;
    const std::function<Value(std::string_view)>& value_of_;
    std::size_t at_ = 0;
};

}  // namespace

std::optional<std::int64_t> shell_arithmetic(std::string_view text,
                                             const std::function<Value(std::string_view)>& value_of) {
    return Arithmetic(text, value_of).read();
}

}  // namespace megamem

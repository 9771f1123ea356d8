#include "base/json_lenient.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.h"

namespace megamem {

namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
// In front of what stands for an impossible number; no keyboard writes it.
constexpr char kMark = '\x7F';
// Digits and exponents that no double holds: nlohmann would refuse the whole text for them.
constexpr std::size_t kLongestNumber = 300;
constexpr std::int64_t kLargestExponent = 300;

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_';
}

bool is_number(char c) {
    return is_word(c) || c == '+' || c == '-' || c == '.';
}

struct Literal {
    std::string_view word;
    std::string_view strict;  // of the same length
};
constexpr std::array kLiterals = {
    Literal{"True", "true"},
    Literal{"False", "false"},
    Literal{"None", "null"},
    Literal{"NaN", "\"\x7F\""},
    Literal{"nan", "\"\x7F\""},
    Literal{"Infinity", "\"\x7F+    \""},
    Literal{"-Infinity", "\"\x7F-     \""},
};

class Relaxer {
  public:
    explicit Relaxer(std::string_view text)
        : out_{std::string(text), {}}, data_(out_.text.data()), size_(out_.text.size()) {}

    RelaxedJson run() {
        if (text().starts_with(kByteOrderMark)) blank(0, kByteOrderMark.size());
        at_ = 0;
        while (at_ < size_)
            step();
        close_what_is_open();
        tell();
        return std::move(out_);
    }

  private:
    enum class Last { nothing, open, close, comma, colon, key, value, cut };

    std::string_view text() const { return out_.text; }
    bool starts(std::string_view word) const { return text().substr(at_).starts_with(word); }

    void step() {
        const char c = data_[at_];
        if (c == ' ' || c == '\n' || c == '\r' || c == '\t') {
            ++at_;
        } else if (c == '"' || c == '\'') {
            string(c);
        } else if (c == '#' || starts("//")) {
            comment(text().find('\n', at_));
        } else if (starts("/*")) {
            const std::size_t end = text().find("*/", at_ + 2);
            comment(end == std::string_view::npos ? end : end + 2);
        } else if (c == '{' || c == '[') {
            open_ += c == '{' ? '}' : ']';
            put(Last::open);
        } else if (c == '}' || c == ']') {
            if (last_ == Last::comma) {
                blank(comma_, 1);
                trailing_comma_ = true;
            }
            if (!open_.empty()) open_.pop_back();
            put(Last::close);
        } else if (c == ',') {
            comma_ = at_;
            put(Last::comma);
        } else if (c == ':') {
            put(Last::colon);
        } else if (is_number(c)) {
            word();
        } else {
            put(Last::value);  // the reader says what is wrong with it
        }
    }

    void put(Last last) {
        last_ = last;
        ++at_;
    }

    // Newlines stay, so that lines do.
    void blank(std::size_t from, std::size_t count) {
        for (std::size_t i = from; i < from + count && i < size_; ++i) {
            if (data_[i] != '\n') data_[i] = ' ';
        }
    }

    void comment(std::size_t end) {
        end = std::min(end, size_);
        blank(at_, end - at_);
        at_ = end;
        comments_ = true;
    }

    void string(char quote) {
        const bool is_value = last_ == Last::colon || (!open_.empty() && open_.back() == ']');
        const std::size_t start = at_++;
        while (at_ < size_ && data_[at_] != quote && data_[at_] != '\n') {
            if (data_[at_] == '\\') {
                if (at_ + 1 < size_ && data_[at_ + 1] == '\'') data_[at_] = ' ';
                ++at_;
            } else if (data_[at_] == '"') {
                data_[at_] = '\'';  // inside single quotes
            }
            ++at_;
        }
        if (at_ >= size_ || data_[at_] != quote) {
            at_ = std::min(at_, size_);
            last_ = Last::cut;
            return;
        }
        if (quote == '\'') {
            data_[start] = data_[at_] = '"';
            python_ = true;
        }
        if (!is_value && ++keys_ > kMostJsonKeys) return cut_off(start);
        put(is_value ? Last::value : Last::key);
    }

    // The key at `key` and all that follows; what is open ends there.
    void cut_off(std::size_t key) {
        const auto line = std::count(data_, data_ + key, '\n') + 1;
        const std::size_t end = last_ == Last::comma ? comma_ : key;
        out_.problems.push_back(
            {Severity::warning, "too_many_keys", "",
             fmt::format("the text has more than {} keys; those from line {} on are not read", kMostJsonKeys,
                         line)});
        out_.text.resize(end);
        out_.text.append(open_.rbegin(), open_.rend());
        open_.clear();
        size_ = at_ = end;
    }

    void word() {
        const bool is_value = last_ == Last::colon;
        const std::size_t start = at_;
        while (at_ < size_ && is_number(data_[at_]))
            ++at_;
        // The end of the text may have cut a number in two.
        last_ = at_ == size_ ? Last::cut : Last::value;
        const std::string_view found = text().substr(start, at_ - start);
        // Most are plain numbers.
        if (found.size() < kLongestNumber && std::all_of(found.begin(), found.end(), is_digit)) return;
        std::string_view strict;
        for (const Literal& literal : kLiterals) {
            if (literal.word == found) strict = literal.strict;
        }
        python_ = python_ || found == "True" || found == "False" || found == "None";
        if (!strict.empty()) {
            std::copy(strict.begin(), strict.end(), data_ + start);
        } else if (is_value && placeholder_.empty() && is_placeholder(found)) {
            placeholder_ = std::string(found);
            placeholder_line_ = std::count(data_, data_ + start, '\n') + 1;
        } else if (is_too_large(found)) {
            std::fill_n(data_ + start, found.size(), ' ');
            data_[start] = data_[at_ - 1] = '"';
            data_[start + 1] = kMark;
            data_[start + 2] = 'e';
        }
    }

    // CONFIG_HIDDEN_SIZE: to be filled in.
    static bool is_placeholder(std::string_view word) {
        return word.front() >= 'A' && word.front() <= 'Z' &&
               std::all_of(word.begin(), word.end(),
                           [](char c) { return is_word(c) && (c < 'a' || c > 'z'); });
    }

    static bool is_too_large(std::string_view number) {
        if (number.size() < 4 || (number.front() != '-' && (number.front() < '0' || number.front() > '9')))
            return false;
        const std::size_t e = number.find_first_of("eE");
        if (e == std::string_view::npos) return number.size() > kLongestNumber;
        if (std::any_of(number.begin(), number.begin() + static_cast<std::ptrdiff_t>(e),
                        [](char c) { return c != '-' && c != '.' && (c < '0' || c > '9'); }))
            return false;
        const std::string_view digits = number.substr(e + 1);
        const auto exponent = parse_integer(digits);
        if (!exponent) return digits.size() > 18 && digits.find_first_not_of("0123456789") == digits.npos;
        return *exponent + static_cast<std::int64_t>(e) > kLargestExponent;
    }

    // Only after a complete member: what is cut within a key or a value stays an error.
    void close_what_is_open() {
        if (open_.empty() || open_.size() > static_cast<std::size_t>(kDeepestJson)) return;
        if (last_ != Last::comma && last_ != Last::close && last_ != Last::value) return;
        if (last_ == Last::comma) blank(comma_, 1);
        const std::string_view whole = trim(text());
        const auto line = std::count(whole.begin(), whole.end(), '\n') + 1;
        out_.problems.push_back(
            {Severity::warning, "json_cut", "",
             fmt::format(
                 "the text ends in line {} with {} still open; it is read as if it ended properly there, so "
                 "check that nothing is missing",
                 line, open_.size() == 1 ? "a bracket" : fmt::format("{} brackets", open_.size()))});
        out_.text.append(open_.rbegin(), open_.rend());
    }

    void tell() {
        if (!placeholder_.empty()) {
            out_.problems.push_back(
                {Severity::error, "placeholder", "",
                 fmt::format("line {}: {} stands in place of a value: this is a template that is "
                             "still to be filled in",
                             placeholder_line_, quote(placeholder_))});
        }
        const auto note = [&](bool found, std::string_view code, std::string_view what) {
            if (found) out_.problems.push_back({Severity::info, code, "", std::string(what)});
        };
        note(comments_, "json_comments", "the text has comments, which JSON doesn't allow; they are skipped");
        note(trailing_comma_, "trailing_comma",
             "the text has a comma before a closing bracket; it is skipped");
        note(python_, "python_literal", "the text is a Python literal and is read as JSON");
    }

    RelaxedJson out_;
    char* data_;  // of the text in it, which grows only when all of it is read
    std::size_t size_;
    std::size_t at_ = 0;
    std::size_t comma_ = 0;  // the last one
    std::size_t keys_ = 0;
    std::string open_;         // the brackets that would close what is open
    std::string placeholder_;  // the first one
    std::ptrdiff_t placeholder_line_ = 0;
    Last last_ = Last::nothing;
    bool comments_ = false;
    bool trailing_comma_ = false;
    bool python_ = false;
};

}  // namespace

RelaxedJson relax_json(std::string_view text) {
    return Relaxer(text).run();
}

ReadJson read_lenient_json(std::string_view text, std::vector<KeyPlace>& places) {
    if (text.size() > kMostJsonBytes) return read_json(text, places);  // it says so
    RelaxedJson relaxed = relax_json(text);
    if (has_error(relaxed.problems)) return {{}, std::move(relaxed.problems)};
    ReadJson read = read_json(relaxed.text, places);
    if (!has_error(read.problems))
        read.problems.insert(read.problems.begin(), relaxed.problems.begin(), relaxed.problems.end());
    return read;
}

std::string_view impossible_number(std::string_view text) {
    if (text.empty() || text.front() != kMark) return {};
    if (text.size() == 1) return "NaN";
    if (text[1] == '+') return "Infinity";
    return text[1] == '-' ? "-Infinity" : "a number beyond any range";
}

}  // namespace megamem

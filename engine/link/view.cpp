#include "link/view.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "link/escape.h"

namespace megamem {

namespace {

constexpr std::size_t kLongestTab = 16;
constexpr std::size_t kLongestVersion = 20;
constexpr std::size_t kLongestCell = 200;
constexpr std::size_t kMostDigits = 9;
constexpr std::size_t kDecimals = 3;  // ".20"

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

bool is_small_letter(char c) {
    return c >= 'a' && c <= 'z';
}

template <class Test>
bool all_of(std::string_view text, std::size_t longest, Test test) {
    return !text.empty() && text.size() <= longest && std::all_of(text.begin(), text.end(), test);
}

bool is_tab(std::string_view text) {
    return all_of(text, kLongestTab, [](char c) { return is_small_letter(c) || c == '-'; });
}

bool is_language(std::string_view text) {
    return text == "en" || text == "zh";
}

bool is_cell(std::string_view text) {
    return !text.empty() && text.size() <= kLongestCell && is_valid_utf8(text) &&
           std::none_of(text.begin(), text.end(), [](char c) { return c >= 0 && c < ' '; });
}

bool is_version(std::string_view text) {
    return all_of(text, kLongestVersion,
                  [](char c) { return is_digit(c) || is_small_letter(c) || c == '.' || c == '-'; });
}

bool is_gib(std::string_view text) {
    if (text.size() <= kDecimals || text[text.size() - kDecimals] != '.') return false;
    const std::string_view decimals = text.substr(text.size() - kDecimals + 1);
    return all_of(text.substr(0, text.size() - kDecimals), kMostDigits, is_digit) &&
           all_of(decimals, kDecimals, is_digit);
}

Problem left_out(std::string_view code, std::string_view key, std::string_view must_be,
                 std::string_view value) {
    return {Severity::info, code, std::string(key),
            fmt::format("{} in the link must be {}, not {}: ignored", key, must_be, quote(value))};
}

void append(std::string& link, std::string_view key, std::string_view value) {
    link += fmt::format("&{}={}", key, percent_encode(value));
}

}  // namespace

std::string link_text(const LinkView& view) {
    std::string text;
    if (is_tab(view.tab)) append(text, "tab", view.tab);
    if (view.rank && *view.rank >= 0) append(text, "rank", fmt::format("{}", *view.rank));
    if (is_cell(view.cell)) append(text, "at", view.cell);
    if (is_language(view.language)) append(text, "lang", view.language);
    return text;
}

std::string link_text(const LinkStamp& stamp) {
    if (!is_version(stamp.version) || !is_gib(stamp.gib)) return {};
    std::string text;
    append(text, "ver", stamp.version);
    append(text, "was", stamp.gib);
    return text;
}

bool is_view_key(std::string_view key) {
    return key == "tab" || key == "rank" || key == "at" || key == "lang";
}

bool is_stamp_key(std::string_view key) {
    return key == "ver" || key == "was";
}

std::optional<Problem> read_view(LinkView& view, std::string_view key, std::string_view value) {
    constexpr std::string_view kCode = "unknown_view";
    if (key == "tab") {
        if (!is_tab(value)) return left_out(kCode, key, "a word", value);
        view.tab = value;
    } else if (key == "rank") {
        const auto rank = parse_unsigned(value);
        if (!rank) return left_out(kCode, key, "a whole number", value);
        view.rank = rank;
    } else if (key == "at") {
        if (!is_cell(value)) return left_out(kCode, key, "the name of a number", value);
        view.cell = value;
    } else {
        if (!is_language(value)) return left_out(kCode, key, "en or zh", value);
        view.language = value;
    }
    return std::nullopt;
}

std::optional<Problem> read_stamp(LinkStamp& stamp, std::string_view key, std::string_view value) {
    constexpr std::string_view kCode = "unknown_stamp";
    if (key == "ver") {
        if (!is_version(value)) return left_out(kCode, key, "a version such as 0.1.0", value);
        stamp.version = value;
    } else {
        if (!is_gib(value)) return left_out(kCode, key, "GiB with two decimals", value);
        stamp.gib = value;
    }
    return std::nullopt;
}

std::optional<std::string> changed_since(const LinkStamp& then, const LinkStamp& now) {
    if (then.gib == now.gib || then.version == now.version) return std::nullopt;
    return fmt::format("This number was {} GiB with version {}.", then.gib, then.version);
}

}  // namespace megamem

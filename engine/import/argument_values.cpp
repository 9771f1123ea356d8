#include "import/argument_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.h"
#include "import/megatron_arguments.h"

namespace megamem {

namespace {

bool is_none(std::string_view value) {
    return value == "None" || value == "none" || value == "null" || value == "~";
}

std::string_view without_brackets(std::string_view text) {
    text = trim(text);
    if (text.size() >= 2 && text.front() == '[' && text.back() == ']')
        text = trim(text.substr(1, text.size() - 2));
    if (text.size() >= 2 && (text.front() == '\'' || text.front() == '"') && text.back() == text.front())
        text = text.substr(1, text.size() - 2);
    return text;
}

// A map may keep the backslashes and quotes that a layout needs on a shell's command line:
// "Et*3\\|\\(tt\\|\\)*6L" (tests/functional_tests/test_cases/moe, several model_config.yaml@01eb7e87).
std::string without_escapes(std::string text) {
    std::erase(text, '\\');
    const bool quoted =
        text.size() >= 2 && (text.front() == '\'' || text.front() == '"') && text.back() == text.front();
    return quoted ? text.substr(1, text.size() - 2) : text;
}

std::string words_of(const std::vector<std::string>& values) {
    std::string joined;
    for (const std::string& value : values) {
        std::string text(value);
        const auto separates = [](char c) {
            return c == '[' || c == ']' || c == ',' || c == '\'' || c == '"';
        };
        std::replace_if(text.begin(), text.end(), separates, ' ');
        for (const std::string_view word : split(text, ' ')) {
            if (word.empty() || is_none(word)) continue;
            if (!joined.empty()) joined += ',';
            joined += word;
        }
    }
    return joined;
}

// "5,120", "151 936" and Python's "5_120", in groups of three; other text stays.
std::string without_grouping(std::string_view text) {
    std::string digits;
    std::size_t run = 0;
    bool grouped = false;
    for (const char c : text) {
        if (c >= '0' && c <= '9') {
            digits += c;
            ++run;
        } else if (c == ',' || c == '_' || c == ' ') {
            if (run == 0 || run > 3 || (grouped && run != 3)) return std::string(text);
            grouped = true;
            run = 0;
        } else {
            return std::string(text);
        }
    }
    return grouped && run == 3 ? digits : std::string(text);
}

struct Word {
    std::string_view written;
    std::string_view meant;
};

constexpr std::array kTypes = {Word{"bfloat16", "bf16"}, Word{"float16", "fp16"}, Word{"half", "fp16"},
                               Word{"float32", "fp32"},  Word{"float", "fp32"},   Word{"float64", "fp64"},
                               Word{"uint8", "fp8"}};

std::string choice_of(const Field& field, std::string_view text) {
    text = without_brackets(text);
    for (const std::string_view prefix : {"AttnBackend.", "torch.", "CudaGraphImpl."}) {
        if (text.starts_with(prefix)) text.remove_prefix(prefix.size());
    }
    const Choices choices = field.choices();
    const auto allowed = [&](std::string_view word) {
        return std::find(choices.begin(), choices.end(), word) != choices.end();
    };
    if (allowed(text)) return std::string(text);
    if (is_none(text) && allowed("none")) return "none";
    if (text == "rotary" && allowed("rope")) return "rope";  // of releases before core 0.3
    for (const Word& type : kTypes) {
        if (text == type.written && allowed(type.meant)) return std::string(type.meant);
    }
    // One type for each layer, all alike: the field has one.
    if (const std::size_t end = text.find_first_of(", "); end != std::string_view::npos) {
        const std::string_view first = without_brackets(text.substr(0, end));
        if (allowed(first)) return std::string(first);
    }
    // ms-swift's "flash_3": which release of it decides no byte here.
    if (text.starts_with("flash_") && allowed("flash")) return "flash";
    return std::string(text);
}

ReadValue integer_of(const Field& field, std::string_view text) {
    std::string plain = without_grouping(text);
    if (plain != text) return {plain, fmt::format("{} is read as {}", quote(text), plain), {}};
    const char unit = text.empty() ? '\0' : text.back();
    const bool million = unit == 'm' || unit == 'M';
    if (unit != 'k' && unit != 'K' && !million) return {std::move(plain), {}, {}};
    const auto count = parse_unsigned(trim(text.substr(0, text.size() - 1)));
    if (!count || *count > (1 << 20)) return {std::move(plain), {}, {}};
    if (field.key == "vocab_size")
        return {{}, {}, fmt::format("{} is no exact vocabulary: give the number of tokens", quote(text))};
    // People count tokens in units of 1024.
    if (field.key != "seq_length" && field.key != "max_position_embeddings")
        return {std::move(plain), {}, {}};
    const std::string value = fmt::format("{}", *count * (million ? 1024 * 1024 : 1024));
    return {value, fmt::format("{} is read as {}", quote(text), value), {}};
}

}  // namespace

bool leaves_default(const Field& field, std::string_view value) {
    if (field.type != FieldType::choice || !is_none(trim(value))) return false;
    const Choices choices = field.choices();
    return std::find(choices.begin(), choices.end(), "none") == choices.end();
}

bool means_off(std::string_view value) {
    value = trim(value);
    return value == "false" || value == "False" || value == "FALSE" || value == "0" || value == "no" ||
           value == "off" || is_none(value);
}

bool means_on(std::string_view value) {
    value = trim(value);
    return value == "true" || value == "True" || value == "TRUE" || value == "1" || value == "yes" ||
           value == "on";
}

ReadValue read_value(const Field& field, const std::vector<std::string>& values) {
    if (field.type == FieldType::words) return {words_of(values), {}, {}};
    const std::string_view text = values.empty() ? std::string_view() : trim(values.front());
    if (field.type == FieldType::choice) return {choice_of(field, text), {}, {}};
    if (field.type == FieldType::layout) {
        const std::string layout = without_escapes(std::string(text));
        return {is_none(layout) ? std::string(kUnset) : layout, {}, {}};
    }
    if (is_none(text)) {
        if (is_optional(field)) return {std::string(kUnset), {}, {}};
        // "num_experts ... None": the field has a number for that.
        const Scenario plain;
        return {get_text(plain, field), {}, {}};
    }
    if (field.type == FieldType::integer) return integer_of(field, text);
    return {std::string(text), {}, {}};
}

}  // namespace megamem

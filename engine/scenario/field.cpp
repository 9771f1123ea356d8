#include "scenario/field.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.h"
#include "scenario/layer_pattern.h"

namespace megamem {

namespace {

constexpr std::size_t kLongestText = 200;
// A layout of 100,000 stages, the most that the parser expands, needs no more than this.
constexpr std::size_t kLongestLayout = 1 << 18;

template <class... Fs>
struct Overload : Fs... {
    using Fs::operator()...;
};
template <class... Fs>
Overload(Fs...) -> Overload<Fs...>;  // Emscripten 3.1.6's clang doesn't deduce it by itself

Problem wrong(const Field& field, std::string_view code, std::string message) {
    return {Severity::error, code, std::string(field.key), std::move(message)};
}

Problem wrong_value(const Field& field, std::string_view code, std::string_view text) {
    return wrong(field, code,
                 fmt::format("{} must be {}, not {}", field.key, describe_range(field), quote(text)));
}

bool is_choice(const Field& field, std::string_view word) {
    const Choices choices = field.choices();
    return std::find(choices.begin(), choices.end(), word) != choices.end();
}

bool in_range(const Field& field, std::int64_t value) {
    return value >= field.min && value <= field.max && (value - field.min) % field.step == 0;
}

std::optional<Problem> set_choice(Scenario& scenario, const Field& field, std::string_view word) {
    const Choices choices = field.choices();
    const auto found = std::find(choices.begin(), choices.end(), word);
    if (found == choices.end()) return wrong_value(field, "unknown_choice", word);
    if (const auto* slot = std::get_if<EnumSlot>(&field.slot)) {
        slot->set(scenario, static_cast<std::size_t>(found - choices.begin()));
    } else {
        scenario.*std::get<std::string Scenario::*>(field.slot) = std::string(word);
    }
    return std::nullopt;
}

std::optional<Problem> set_boolean(Scenario& scenario, const Field& field, std::string_view text) {
    const bool on = text == "1" || text == "true";
    if (!on && text != "0" && text != "false") return wrong_value(field, "not_a_boolean", text);
    scenario.*std::get<bool Scenario::*>(field.slot) = on;
    return std::nullopt;
}

std::optional<Problem> set_string(Scenario& scenario, const Field& field, std::string_view text) {
    const std::size_t limit = field.type == FieldType::layout ? kLongestLayout : kLongestText;
    if (text.size() > limit) {
        return wrong(field, "too_long",
                     fmt::format("{} is {} bytes long; {} are allowed", field.key, text.size(), limit));
    }
    if (!is_valid_utf8(text) || text.find('\0') != std::string_view::npos) {
        return wrong(field, "not_text", fmt::format("{} is not UTF-8 text: {}", field.key, quote(text)));
    }
    scenario.*std::get<std::string Scenario::*>(field.slot) = std::string(text);
    return std::nullopt;
}

std::optional<Problem> set_pattern(Scenario& scenario, const Field& field, std::string_view text) {
    const auto pattern = parse_layer_pattern(text);
    if (!pattern.error.empty()) {
        return wrong(field, "bad_layer_pattern", fmt::format("{}: {}", field.key, pattern.error));
    }
    scenario.*std::get<std::string Scenario::*>(field.slot) = to_text(pattern);
    return std::nullopt;
}

bool means_unset(std::string_view text) {
    return text.empty() || text == kUnset || text == "auto";
}

void unset(Scenario& scenario, const Field& field) {
    if (const auto* slot = std::get_if<OptionalInt Scenario::*>(&field.slot))
        scenario.*(*slot) = std::nullopt;
    if (const auto* slot = std::get_if<std::string Scenario::*>(&field.slot)) (scenario.*(*slot)).clear();
}

}  // namespace

std::string_view title_of(Group group) {
    switch (group) {
        case Group::general:
            return "Scenario";
        case Group::model:
            return "Model";
        case Group::attention:
            return "Attention";
        case Group::experts:
            return "Experts";
        case Group::parallel:
            return "Parallelism";
        case Group::pipeline:
            return "Pipeline";
        case Group::batch:
            return "Batch";
        case Group::precision:
            return "Precision";
        case Group::optimizer:
            return "Optimizer";
        case Group::recompute:
            return "Recompute";
        case Group::software:
            return "Software";
        case Group::hardware:
            return "Hardware";
        case Group::vision:
            return "Vision tower";
    }
    return "";
}

std::string_view name_of(FieldType type) {
    switch (type) {
        case FieldType::integer:
            return "integer";
        case FieldType::boolean:
            return "boolean";
        case FieldType::decimal:
            return "decimal";
        case FieldType::choice:
            return "choice";
        case FieldType::words:
            return "list of words";
        case FieldType::text:
            return "text";
        case FieldType::layer_pattern:
            return "layer pattern";
        case FieldType::layout:
            return "layout";
    }
    return "";
}

bool is_optional(const Field& field) {
    return std::holds_alternative<OptionalInt Scenario::*>(field.slot) ||
           field.type == FieldType::layer_pattern || field.type == FieldType::layout;
}

bool is_set(const Scenario& scenario, const Field& field) {
    if (const auto* slot = std::get_if<OptionalInt Scenario::*>(&field.slot))
        return (scenario.*(*slot)).has_value();
    if (!is_optional(field)) return true;
    return !(scenario.*std::get<std::string Scenario::*>(field.slot)).empty();
}

std::string get_text(const Scenario& scenario, const Field& field) {
    if (!is_set(scenario, field)) return std::string(kUnset);
    return std::visit(
        Overload{
            [&](std::int64_t Scenario::*slot) { return fmt::format("{}", scenario.*slot); },
            [&](OptionalInt Scenario::*slot) { return fmt::format("{}", *(scenario.*slot)); },
            [&](bool Scenario::*slot) { return std::string(scenario.*slot ? "1" : "0"); },
            [&](Decimal4 Scenario::*slot) { return to_text(scenario.*slot); },
            [&](std::string Scenario::*slot) { return scenario.*slot; },
            [&](std::vector<std::string> Scenario::*slot) {
                return fmt::format("{}", fmt::join(scenario.*slot, ","));
            },
            [&](const EnumSlot& slot) { return std::string(field.choices()[slot.get(scenario)]); },
        },
        field.slot);
}

std::optional<Problem> set_integer(Scenario& scenario, const Field& field, std::int64_t value) {
    if (!in_range(field, value)) {
        return wrong(field, "out_of_range",
                     fmt::format("{} must be {}, not {}", field.key, describe_range(field), value));
    }
    if (const auto* slot = std::get_if<OptionalInt Scenario::*>(&field.slot)) {
        scenario.*(*slot) = value;
    } else {
        scenario.*std::get<std::int64_t Scenario::*>(field.slot) = value;
    }
    return std::nullopt;
}

std::optional<Problem> set_decimal(Scenario& scenario, const Field& field, Decimal4 value) {
    if (!in_range(field, value.ten_thousandths)) {
        return wrong(field, "out_of_range",
                     fmt::format("{} must be {}, not {}", field.key, describe_range(field), to_text(value)));
    }
    scenario.*std::get<Decimal4 Scenario::*>(field.slot) = value;
    return std::nullopt;
}

std::optional<Problem> set_words(Scenario& scenario, const Field& field, std::vector<std::string> words) {
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (is_choice(field, words[i])) continue;
        Problem problem = wrong_value(field, "unknown_choice", words[i]);
        problem.path = fmt::format("{}[{}]", field.key, i);
        return problem;
    }
    // The order means nothing and a word said twice counts once; one spelling keeps equal scenarios equal.
    const std::set<std::string> sorted(words.begin(), words.end());
    scenario.*std::get<std::vector<std::string> Scenario::*>(field.slot) = {sorted.begin(), sorted.end()};
    return std::nullopt;
}

std::optional<Problem> set_text(Scenario& scenario, const Field& field, std::string_view raw) {
    const std::string_view text = trim(raw);
    if (is_optional(field) && means_unset(text)) {
        unset(scenario, field);
        return std::nullopt;
    }
    switch (field.type) {
        case FieldType::integer: {
            const auto value = parse_integer(text);
            if (!value) return wrong_value(field, "not_an_integer", text);
            return set_integer(scenario, field, *value);
        }
        case FieldType::decimal: {
            const auto value = parse_decimal4(text);
            if (!value) return wrong_value(field, "not_a_decimal", text);
            return set_decimal(scenario, field, *value);
        }
        case FieldType::words: {
            std::vector<std::string> words;
            for (const std::string_view word : split(text, ',')) {
                if (!means_unset(trim(word))) words.emplace_back(trim(word));
            }
            return set_words(scenario, field, std::move(words));
        }
        case FieldType::boolean:
            return set_boolean(scenario, field, text);
        case FieldType::choice:
            return set_choice(scenario, field, text);
        case FieldType::layer_pattern:
            return set_pattern(scenario, field, text);
        case FieldType::text:
        case FieldType::layout:
            return set_string(scenario, field, text);
    }
    return std::nullopt;
}

bool equal(const Scenario& a, const Scenario& b, const Field& field) {
    return std::visit(Overload{[&](const EnumSlot& slot) { return slot.get(a) == slot.get(b); },
                               [&](const auto& slot) { return a.*slot == b.*slot; }},
                      field.slot);
}

void copy_field(Scenario& to, const Scenario& from, const Field& field) {
    std::visit(Overload{[&](const EnumSlot& slot) { slot.set(to, slot.get(from)); },
                        [&](const auto& slot) { to.*slot = from.*slot; }},
               field.slot);
}

std::string describe_range(const Field& field) {
    switch (field.type) {
        case FieldType::integer:
            if (field.max == field.min + field.step) return fmt::format("{} or {}", field.min, field.max);
            return fmt::format("a whole number from {} to {}", field.min, field.max);
        case FieldType::decimal:
            return fmt::format("a number from {} to {} with at most 4 decimals", to_text(Decimal4{field.min}),
                               to_text(Decimal4{field.max}));
        case FieldType::boolean:
            return "true or false";
        case FieldType::choice:
            return fmt::format("one of {}", fmt::join(field.choices(), ", "));
        case FieldType::words:
            return fmt::format("words out of {}", fmt::join(field.choices(), ", "));
        case FieldType::layer_pattern:
            return "a number or a list of 0 and 1 such as ([0]*3+[1]*58)";
        case FieldType::layout:
            return "a pipeline layout such as Et*3|(tt|)*29,m|L";
        case FieldType::text:
            return "text";
    }
    return "";
}

}  // namespace megamem

#include "scenario/scenario_json.h"

#include <fmt/format.h>

#include <cmath>

#include "base/json_reader.h"
#include "base/text.h"
#include "scenario/field.h"

namespace megamem {

namespace {

// The largest whole number that a double holds exactly; what is written as 4096.0 or 1e6 is a whole number
// too.
constexpr double kLargestExactDouble = 9007199254740992.0;

Problem wrong_type(const Field& field, const Json& value) {
    const std::string shown = quote(value.dump(-1, ' ', false, Json::error_handler_t::replace));
    return {
        Severity::error, "wrong_type", std::string(field.key),
        fmt::format("{} must be {}, not {} ({})", field.key, describe_range(field), kind_of(value), shown)};
}

std::optional<std::int64_t> whole_number(const Json& value) {
    if (value.is_number_unsigned()) {
        const auto number = value.get<std::uint64_t>();
        if (number > static_cast<std::uint64_t>(INT64_MAX)) return std::nullopt;
        return static_cast<std::int64_t>(number);
    }
    if (value.is_number_integer()) return value.get<std::int64_t>();
    if (!value.is_number_float()) return std::nullopt;
    const double number = value.get<double>();
    if (!(std::fabs(number) <= kLargestExactDouble) || number != std::floor(number)) return std::nullopt;
    return static_cast<std::int64_t>(number);
}

std::optional<Problem> read_decimal(Scenario& scenario, const Field& field, const Json& value) {
    if (!value.is_number()) return wrong_type(field, value);
    // The shortest decimal text of the double is what the user wrote, for any value with few places.
    const auto decimal = parse_decimal4(value.dump());
    if (decimal) return set_decimal(scenario, field, *decimal);
    return wrong_type(field, value);
}

std::optional<Problem> read_words(Scenario& scenario, const Field& field, const Json& value) {
    if (value.is_string()) return set_text(scenario, field, value.get_ref<const std::string&>());
    if (!value.is_array()) return wrong_type(field, value);
    std::vector<std::string> words;
    for (const Json& word : value) {
        if (!word.is_string()) return wrong_type(field, value);
        words.push_back(word.get<std::string>());
    }
    return set_words(scenario, field, std::move(words));
}

std::optional<Problem> read_value(Scenario& scenario, const Field& field, const Json& value) {
    if (value.is_null()) {  // as in Megatron's own dumps: not set
        copy_field(scenario, Scenario{}, field);
        return std::nullopt;
    }
    switch (field.type) {
        case FieldType::integer: {
            const auto number = whole_number(value);
            return number ? set_integer(scenario, field, *number) : wrong_type(field, value);
        }
        case FieldType::boolean: {
            if (value.is_boolean()) return set_text(scenario, field, value.get<bool>() ? "1" : "0");
            const auto number = whole_number(value);
            if (number && (*number == 0 || *number == 1))
                return set_text(scenario, field, *number == 1 ? "1" : "0");
            return wrong_type(field, value);
        }
        case FieldType::decimal:
            return read_decimal(scenario, field, value);
        case FieldType::words:
            return read_words(scenario, field, value);
        case FieldType::choice:
        case FieldType::text:
            if (!value.is_string()) return wrong_type(field, value);
            return set_text(scenario, field, value.get_ref<const std::string&>());
        case FieldType::layer_pattern:
        case FieldType::layout: {
            // A number or a list stands for its own text.
            if (value.is_string()) return set_text(scenario, field, value.get_ref<const std::string&>());
            const bool fits =
                value.is_array() || (field.type == FieldType::layer_pattern && value.is_number_integer());
            if (!fits) return wrong_type(field, value);
            return set_text(scenario, field, value.dump(-1, ' ', false, Json::error_handler_t::replace));
        }
    }
    return std::nullopt;
}

OrderedJson value_of(const Scenario& scenario, const Field& field) {
    const std::string text = get_text(scenario, field);
    switch (field.type) {
        case FieldType::integer:
            return parse_integer(text).value_or(0);
        case FieldType::boolean:
            return text == "1";
        case FieldType::decimal: {
            const auto decimal = parse_decimal4(text).value_or(Decimal4{});
            if (decimal.ten_thousandths % Decimal4::kOne == 0)
                return decimal.ten_thousandths / Decimal4::kOne;
            return static_cast<double>(decimal.ten_thousandths) / static_cast<double>(Decimal4::kOne);
        }
        case FieldType::words:
            return scenario.*std::get<std::vector<std::string> Scenario::*>(field.slot);
        case FieldType::layer_pattern: {
            if (const auto number = parse_integer(text)) return *number;
            return text;
        }
        case FieldType::choice:
        case FieldType::text:
        case FieldType::layout:
            return text;
    }
    return nullptr;
}

}  // namespace

ReadScenario read_scenario_json(std::string_view text) {
    ReadJson json = read_json(text);
    ReadScenario result{{}, std::move(json.problems)};
    if (has_error(result.problems)) return result;
    if (!json.value.is_object()) {
        result.problems.push_back({Severity::error, "not_an_object", "",
                                   fmt::format("a scenario is a JSON object, not {}", kind_of(json.value))});
        return result;
    }
    for (const auto& [key, value] : json.value.items()) {
        if (key == "schema") {
            if (whole_number(value) != kSchema) {
                result.problems.push_back(
                    {Severity::error, "unknown_schema", "schema",
                     fmt::format("schema must be {}, not {}", kSchema,
                                 quote(value.dump(-1, ' ', false, Json::error_handler_t::replace)))});
            }
            continue;
        }
        const Field* field = find_field(key);
        if (field == nullptr) {
            result.problems.push_back({Severity::warning, "unknown_key", key.substr(0, 80),
                                       fmt::format("unknown key {}: ignored", quote(key))});
            continue;
        }
        if (auto problem = read_value(result.scenario, *field, value))
            result.problems.push_back(std::move(*problem));
    }
    return result;
}

std::string write_scenario_json(const Scenario& scenario, int indent) {
    OrderedJson json;
    json["schema"] = kSchema;
    for (const Field& field : field_table()) {
        if (is_set(scenario, field)) json[std::string(field.key)] = value_of(scenario, field);
    }
    return json.dump(indent, ' ', false, OrderedJson::error_handler_t::replace);
}

}  // namespace megamem

// For every field: texts that it must take and texts that it must refuse, at the borders of its range.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/decimal.h"
#include "scenario/field.h"

namespace megamem::test {

// Canonical, so that get_text must give the same text back.
inline std::vector<std::string> good_values(const Field& field) {
    const auto number = [](std::int64_t value) { return fmt::format("{}", value); };
    std::vector<std::string> values;
    switch (field.type) {
        case FieldType::integer:
            values = {number(field.min), number(field.min + field.step), number(field.max)};
            break;
        case FieldType::boolean:
            values = {"0", "1"};
            break;
        case FieldType::decimal:
            values = {to_text(Decimal4{field.min}), to_text(Decimal4{field.min + 1}), "0.7531", "1",
                      to_text(Decimal4{field.max})};
            break;
        case FieldType::choice:
            for (const std::string_view choice : field.choices())
                values.emplace_back(choice);
            break;
        case FieldType::words: {
            values = {"", std::string(field.choices().front())};
            std::vector<std::string> all(field.choices().begin(), field.choices().end());
            std::sort(all.begin(), all.end());
            values.push_back(fmt::format("{}", fmt::join(all, ",")));
            break;
        }
        case FieldType::text:
            values = {"", "DeepSeek-V3", "通义千问 3 三十亿", "a & b; c=d #%41 <b>\"'",
                      std::string(200, 'x')};
            break;
        case FieldType::layer_pattern:
            values = {"1", "7", "([0]*3+[1]*58)", "([1]*1+[0]*1+[1]*2)"};
            break;
        case FieldType::layout:
            values = {"Et*3|(tt|)*29,m|L",
                      "['Ett'] + ['ttt'] * 18 + ['mL']",
                      R"([["embedding","decoder"],["decoder","loss"]])",
                      "E||t|L",
                      "|E(t)|L",
                      "not a layout: 流水线 100% & #;="};
            break;
    }
    if (is_optional(field)) values.emplace_back(kUnset);
    return values;
}

inline std::vector<std::string> bad_values(const Field& field) {
    const auto number = [](std::int64_t value) { return fmt::format("{}", value); };
    switch (field.type) {
        case FieldType::integer: {
            std::vector<std::string> values = {number(field.min - 1),
                                               number(field.max + 1),
                                               "abc",
                                               "1.5",
                                               "99999999999999999999",
                                               "0x10",
                                               "1e3",
                                               "1 2"};
            if (field.step > 1) values.push_back(number(field.min + 1));
            if (!is_optional(field)) values.insert(values.end(), {"", "none"});
            return values;
        }
        case FieldType::boolean:
            return {"2", "yes", "", "on", "-1"};
        case FieldType::decimal:
            return {"-1", "0.00001", "1e-2", "nan", "", to_text(Decimal4{field.max + 1}), "1,5", "."};
        case FieldType::choice:
            return {"", "no-such-choice", std::string(field.choices().front()) + "x"};
        case FieldType::words:
            return {"no_such_word", std::string(field.choices().front()) + ",no_such_word"};
        case FieldType::text:
            return {std::string(201, 'x'), "\xC3\x28", std::string("a\0b", 3), "\xED\xA0\x80"};
        case FieldType::layer_pattern:
            return {"0", "[]", "[2]", "[0,1", "([0]*3+[1]*58", "[1]*99999999999", "x", "-1"};
        case FieldType::layout:
            return {std::string((1 << 18) + 1, 't'), "\xFF\xFE", std::string("E\0L", 3)};
    }
    return {};
}

}  // namespace megamem::test

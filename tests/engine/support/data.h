// Files of tests/data, and the comparison of an expected part with a whole JSON document.
#pragma once

#include <fmt/format.h>

#include <catch2/catch_test_macros.hpp>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace megamem::test {

inline std::string read_file(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    INFO(path);
    REQUIRE(file.good());
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

inline nlohmann::json parse_json(const std::string& text) {
    nlohmann::json value = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
    REQUIRE_FALSE(value.is_discarded());
    return value;
}

inline nlohmann::json read_data(std::string_view name) {
    return parse_json(read_file(fmt::format("{}/{}", MEGAMEM_TEST_DATA, name)));
}

// Where `actual` lacks what `expected` says, as "ranks/0/totals/weight: 3 and not 4". Keys that only `actual`
// has are allowed: a report may say more than the vectors look at.
inline void collect_differences(const nlohmann::json& expected, const nlohmann::json& actual,
                                const std::string& path, std::vector<std::string>& out) {
    if (expected.is_object() && actual.is_object()) {
        for (const auto& [key, value] : expected.items()) {
            if (actual.contains(key)) {
                collect_differences(value, actual[key], path + "/" + key, out);
            } else {
                out.push_back(path + "/" + key + ": missing");
            }
        }
        return;
    }
    if (expected.is_array() && actual.is_array()) {
        if (expected.size() != actual.size()) {
            out.push_back(fmt::format("{}: {} items and not {}", path, actual.size(), expected.size()));
            return;
        }
        for (std::size_t i = 0; i < expected.size(); ++i)
            collect_differences(expected[i], actual[i], fmt::format("{}/{}", path, i), out);
        return;
    }
    if (expected != actual)
        out.push_back(fmt::format("{}: {} and not {}", path, actual.dump(), expected.dump()));
}

inline std::vector<std::string> differences(const nlohmann::json& expected, const nlohmann::json& actual) {
    std::vector<std::string> out;
    collect_differences(expected, actual, "", out);
    return out;
}

}  // namespace megamem::test

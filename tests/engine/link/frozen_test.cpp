// Version 1 is frozen: tests/data/links/v1-frozen.json holds what its links rest on.
#include "link/frozen.h"

#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <fstream>

#include "engine/support/data.h"
#include "scenario/field.h"

namespace megamem {

namespace {

using Ordered = nlohmann::ordered_json;

constexpr const char* kAdvice =
    "Links of version 1 would change their meaning. Put the row as it was into engine/link/frozen.cpp (a "
    "preset or "
    "a default), step kLinkVersion up, and start a v2-frozen.json. A key, a type or a choice can't change at "
    "all. "
    "What is only new is appended with UPDATE_FROZEN=1.";

Ordered row_of(const Field& field) {
    Ordered row{
        {"link_key", field.link_key}, {"type", name_of(field.type)}, {"default", get_text({}, field)}};
    if (field.type == FieldType::integer || field.type == FieldType::decimal)
        row["range"] = {field.min, field.max, field.step};
    if (field.choices != nullptr) row["choices"] = field.choices();
    return row;
}

Ordered row_of_preset(std::string_view id) {
    Ordered row = Ordered::object();
    const auto known = link_base(1, id);
    if (!known) return row;
    const Scenario& scenario = *known;
    for (const Field& field : field_table()) {
        if (!equal(scenario, *link_base(1, ""), field))
            row[std::string(field.key)] = get_text(scenario, field);
    }
    return row;
}

Ordered today() {
    Ordered all{{"fields", Ordered::object()}, {"presets", Ordered::object()}};
    for (const Field& field : field_table()) {
        Ordered row = row_of(field);
        row["default"] = get_text(*link_base(1, ""), field);
        all["fields"][std::string(field.key)] = std::move(row);
    }
    for (const ModelPreset& preset : model_presets())
        all["presets"][std::string(preset.id)] = row_of_preset(preset.id);
    return all;
}

// Ranges may grow and choices may be appended; nothing else of a frozen row may differ.
bool holds_still(const Ordered& frozen, const Ordered& now) {
    for (const auto& [key, value] : frozen.items()) {
        if (!now.contains(key)) return false;
        if (key == "range") {
            if (now[key][0] > value[0] || now[key][1] < value[1] || now[key][2] != value[2]) return false;
        } else if (key == "choices") {
            for (std::size_t i = 0; i < value.size(); ++i) {
                if (i >= now[key].size() || now[key][i] != value[i]) return false;
            }
        } else if (now[key] != value) {
            return false;
        }
    }
    return frozen.size() == now.size();
}

constexpr ModelPreset former(std::string_view id, std::string_view title, std::string_view settings) {
    ModelPreset preset;
    preset.id = id;
    preset.title = title;
    preset.settings = settings;
    return preset;
}

constexpr FormerPreset kPresets[] = {
    {1, former("old", "Old", "num_layers=10 hidden_size=64")},
    {3, former("old", "Old", "num_layers=30")},
    {1, former("deepseek-v3", "As it was", "num_layers=60")},
};
constexpr FormerDefault kDefaults[] = {
    {2, "embedding_bytes", "4"},
    {1, "num_layers", "7"},
};
constexpr FormerRows kFormer{kPresets, kDefaults};

}  // namespace

TEST_CASE("What version 1 rests on is as it was frozen", "[link][frozen]") {
    const std::string path = std::string(MEGAMEM_TEST_DATA) + "/links/v1-frozen.json";
    Ordered frozen = Ordered::parse(test::read_file(path), nullptr, false);
    REQUIRE_FALSE(frozen.is_discarded());
    const Ordered now = today();
    bool missing = false;
    for (const char* table : {"fields", "presets"}) {
        for (const auto& [name, row] : frozen[table].items()) {
            INFO(table << " " << name << ": " << row.dump() << "\n" << kAdvice);
            // A preset that is no longer offered is still known.
            const bool is_field = std::string_view(table) == "fields";
            CHECK(
                holds_still(row, is_field ? now[table].value(name, Ordered::object()) : row_of_preset(name)));
        }
        for (const auto& [name, row] : now[table].items())
            missing = missing || !frozen[table].contains(name) || frozen[table][name].dump() != row.dump();
    }
    const bool update = std::getenv("UPDATE_FROZEN") != nullptr;
    INFO("a field, preset, choice or range is new and not frozen yet: run this test with UPDATE_FROZEN=1");
    if (!update) CHECK_FALSE(missing);
    if (!update || !missing) return;
    for (const char* table : {"fields", "presets"}) {
        for (const auto& [name, row] : now[table].items()) {
            if (!frozen[table].contains(name) || holds_still(frozen[table][name], row))
                frozen[table][name] = row;
        }
    }
    std::string text = "{\n";
    for (const char* table : {"fields", "presets"}) {
        text += fmt::format("\"{}\": {{", table);
        bool first = true;
        for (const auto& [name, row] : frozen[table].items()) {
            text += fmt::format("{}\n  \"{}\": {}", first ? "" : ",", name, row.dump());
            first = false;
        }
        text += std::string_view(table) == "fields" ? "\n},\n" : "\n}\n";
    }
    std::ofstream(path) << text << "}\n";
}

TEST_CASE("A former preset holds for the versions up to its last", "[link][frozen]") {
    CHECK(link_base(1, "old", kFormer)->num_layers == 10);
    CHECK(link_base(2, "old", kFormer)->num_layers == 30);
    CHECK(link_base(3, "old", kFormer)->num_layers == 30);
    CHECK_FALSE(link_base(4, "old", kFormer));
    CHECK(link_base(1, "deepseek-v3", kFormer)->num_layers == 60);
    CHECK(link_base(1, "deepseek-v3", kFormer)->name == "As it was");
    CHECK(link_base(2, "deepseek-v3", kFormer)->num_layers == 61);
}

TEST_CASE("A former default holds where the preset says nothing else", "[link][frozen]") {
    CHECK(link_base(1, "", kFormer)->embedding_bytes == 4);
    CHECK(link_base(1, "", kFormer)->num_layers == 7);
    CHECK(link_base(2, "", kFormer)->embedding_bytes == 4);
    CHECK_FALSE(link_base(2, "", kFormer)->num_layers);
    CHECK(link_base(3, "", kFormer) == Scenario{});
    CHECK(link_base(1, "old", kFormer)->num_layers == 10);
    CHECK(link_base(1, "old", kFormer)->embedding_bytes == 4);
    CHECK(link_base(2, "deepseek-v3", kFormer)->embedding_bytes == 4);
}

TEST_CASE("Without former rows a base is today's", "[link][frozen]") {
    for (const ModelPreset& preset : model_presets())
        CHECK(link_base(kLinkVersion, preset.id, {}) == scenario_of(preset));
    CHECK(link_base(kLinkVersion, "", {}) == Scenario{});
    CHECK_FALSE(link_base(kLinkVersion, "no-such-preset", {}));
}

}  // namespace megamem

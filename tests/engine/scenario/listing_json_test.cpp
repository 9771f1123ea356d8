#include "scenario/listing_json.h"

#include <catch2/catch_test_macros.hpp>

#include "engine/support/data.h"
#include "scenario/field.h"
#include "scenario/presets.h"
#include "scenario/scenario_json.h"

namespace megamem {

TEST_CASE("The field listing has every row", "[scenario][listing]") {
    const nlohmann::json json = test::parse_json(write_fields_json(2));
    REQUIRE(json.size() == field_table().size());
    for (std::size_t i = 0; i < json.size(); ++i) {
        const Field& field = field_table()[i];
        INFO(field.key);
        CHECK(json[i]["key"] == field.key);
        CHECK(json[i]["link_key"] == field.link_key);
        CHECK(json[i]["type"] == name_of(field.type));
        CHECK(json[i]["required"] == field.required);
        CHECK(json[i].contains("choices") == (field.choices != nullptr));
        CHECK(json[i].contains("min") == (field.type == FieldType::integer));
    }
}

TEST_CASE("The preset listing's scenarios are the presets'", "[scenario][listing]") {
    const nlohmann::json json = test::parse_json(write_presets_json(-1));
    REQUIRE(json["models"].size() == model_presets().size());
    REQUIRE(json["gpus"].size() == gpus().size());
    for (std::size_t i = 0; i < model_presets().size(); ++i) {
        const ModelPreset& preset = model_presets()[i];
        INFO(preset.id);
        CHECK(json["models"][i]["id"] == preset.id);
        CHECK(read_scenario_json(json["models"][i]["scenario"].dump()).scenario == scenario_of(preset));
    }
    for (std::size_t i = 0; i < gpus().size(); ++i)
        CHECK(json["gpus"][i]["usable_bytes"] == gpus()[i].usable_bytes);
}

}  // namespace megamem

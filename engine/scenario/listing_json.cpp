#include "scenario/listing_json.h"

#include "base/json_reader.h"
#include "scenario/field.h"
#include "scenario/presets.h"
#include "scenario/scenario_json.h"

namespace megamem {

namespace {

OrderedJson json_of(const Field& field) {
    OrderedJson json = {
        {"key", field.key},           {"link_key", field.link_key},     {"flag", field.flag},
        {"negated", field.negated},   {"group", title_of(field.group)}, {"type", name_of(field.type)},
        {"required", field.required}, {"range", describe_range(field)}};
    if (field.type == FieldType::integer) {
        json["min"] = field.min;
        json["max"] = field.max;
    }
    if (field.choices != nullptr)
        json["choices"] = std::vector<std::string>(field.choices().begin(), field.choices().end());
    json["default"] = get_text(Scenario{}, field);
    json["unit"] = field.unit;
    json["label"] = field.label;
    json["help"] = help_of(field);
    return json;
}

}  // namespace

std::string write_fields_json(int indent) {
    OrderedJson json = OrderedJson::array();
    for (const Field& field : field_table())
        json.push_back(json_of(field));
    return json.dump(indent);
}

std::string write_presets_json(int indent) {
    OrderedJson json;
    json["models"] = OrderedJson::array();
    for (const ModelPreset& preset : model_presets()) {
        json["models"].push_back(
            {{"id", preset.id},
             {"title", preset.title},
             {"source", preset.source},
             {"published_total_b", preset.published_total_b},
             {"published_active_b", preset.published_active_b},
             {"published_source", preset.published_source},
             {"scenario", OrderedJson::parse(write_scenario_json(scenario_of(preset), -1))}});
    }
    json["gpus"] = OrderedJson::array();
    for (const Gpu& gpu : gpus()) {
        json["gpus"].push_back({{"id", gpu.id},
                                {"title", gpu.title},
                                {"usable_bytes", gpu.usable_bytes},
                                {"source", gpu.source}});
    }
    return json.dump(indent);
}

}  // namespace megamem

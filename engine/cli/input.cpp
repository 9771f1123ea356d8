#include "cli/input.h"

#include <fmt/format.h>

#include "base/json_reader.h"
#include "base/text.h"
#include "cli/files.h"
#include "link/link.h"
#include "scenario/field.h"
#include "scenario/presets.h"
#include "scenario/scenario_json.h"

namespace megamem::cli {

namespace {

Problem error(std::string_view code, std::string_view path, std::string message) {
    return {Severity::error, code, std::string(path), std::move(message)};
}

void read_scenario_file(const std::string& path, Input& input) {
    std::string message;
    const auto text = read_file(path, kMostJsonBytes, message);
    if (!text) {
        input.problems.push_back(error("no_file", "", message));
        return;
    }
    ReadScenario read = read_scenario_json(*text);
    input.scenario = std::move(read.scenario);
    input.problems = std::move(read.problems);
}

void read_preset(const std::string& id, Input& input) {
    if (const ModelPreset* preset = find_preset(id)) {
        input.scenario = scenario_of(*preset);
        return;
    }
    std::string known;
    for (const ModelPreset& preset : model_presets())
        known += fmt::format(" {}", preset.id);
    input.problems.push_back(
        error("unknown_preset", "", fmt::format("unknown preset {}; known are{}", quote(id), known)));
}

void apply_set(const std::string& setting, Input& input) {
    const std::size_t equals = setting.find('=');
    const std::string key = setting.substr(0, equals);
    const Field* field = find_field(key);
    if (equals == std::string::npos || field == nullptr) {
        input.problems.push_back(
            equals == std::string::npos
                ? error("bad_setting", "", fmt::format("--set takes key=value, not {}", quote(setting)))
                : error("unknown_key", key,
                        fmt::format("--set: unknown field {}; megamem fields lists them", quote(key))));
        return;
    }
    if (auto problem = set_text(input.scenario, *field, setting.substr(equals + 1))) {
        input.problems.push_back(std::move(*problem));
    }
}

}  // namespace

Input read_input(const Options& options) {
    Input input;
    const auto preset = options.value("--preset");
    const auto link = options.value("--link");
    const std::size_t starts = options.plain.size() + (preset ? 1 : 0) + (link ? 1 : 0);
    if (starts != 1) {
        input.problems.push_back(
            error("bad_usage", "",
                  "give one of: a scenario file (- for standard input), --preset NAME, --link '#...'"));
        return input;
    }
    if (preset) {
        read_preset(*preset, input);
    } else if (link) {
        ReadLink read = read_link(*link);
        input.scenario = std::move(read.scenario);
        input.method = read.method;
        input.problems = std::move(read.problems);
    } else {
        read_scenario_file(options.plain[0], input);
    }
    for (const std::string& setting : options.values("--set"))
        apply_set(setting, input);
    return input;
}

}  // namespace megamem::cli

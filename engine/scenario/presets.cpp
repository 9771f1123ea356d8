#include "scenario/presets.h"

#include <algorithm>

#include "base/text.h"
#include "scenario/field.h"

namespace megamem {

const ModelPreset* find_preset(std::string_view id) {
    const auto all = model_presets();
    const auto found = std::find_if(all.begin(), all.end(), [&](const ModelPreset& p) { return p.id == id; });
    return found == all.end() ? nullptr : &*found;
}

Scenario scenario_of(const ModelPreset& preset) {
    Scenario scenario;
    scenario.name = preset.title;
    for (const std::string_view setting : split(preset.settings, ' ')) {
        const std::size_t equals = setting.find('=');
        if (equals == std::string_view::npos) continue;
        // The settings are ours and a test reads every one of them, so a failure here can't reach a user.
        if (const Field* field = find_field(setting.substr(0, equals))) {
            (void)set_text(scenario, *field, setting.substr(equals + 1));
        }
    }
    return scenario;
}

const Gpu* find_gpu(std::string_view id) {
    const auto all = gpus();
    const auto found = std::find_if(all.begin(), all.end(), [&](const Gpu& gpu) { return gpu.id == id; });
    return found == all.end() ? nullptr : &*found;
}

}  // namespace megamem

// What the paths of configuration maps mean: sections and names of Megatron-Bridge, NeMo, verl, Primus,
// MindSpeed and Megatron-LM's own YAML, put into the stream that read_arguments() takes.
#pragma once

#include <string_view>
#include <vector>

#include "import/import.h"
#include "import/settings.h"

namespace megamem {

enum class ConfigStyle {
    flags,          // MODEL_ARGS of Megatron-LM's functional tests: names with dashes
    arguments,      // a map of Megatron-LM's argument names, in sections or not
    megatron_yaml,  // Megatron-LM's --yaml-cfg
    primus,         // AMD Primus: modules.NAME.overrides
    mindspeed,      // MindSpeed-RL: megatron_training
    bridge,         // Megatron-Bridge's ConfigContainer
    nemo1,          // NeMo 1: model, trainer, exp_manager
    nemo2,          // NeMo 2: trainer.strategy, data, model.config, optim.config
    verl,           // verl: actor_rollout_ref.actor.megatron
    dump,           // the argument lines of Megatron-LM's log
};

std::string_view title_of(ConfigStyle style);

// The style that the paths speak of; arguments where nothing tells more.
ConfigStyle style_of(const std::vector<Setting>& settings);

// How many of the settings name a field or a flag that is known in this style.
std::size_t known_in(const std::vector<Setting>& settings, ConfigStyle style);

Import read_settings(std::vector<Setting> settings, ConfigStyle style, Format format);

}  // namespace megamem

// The tables behind config_names.cpp: what each style's names mean beside Megatron-LM's own arguments.
#pragma once

#include <span>
#include <string_view>

#include "import/config_names.h"

namespace megamem {

enum class NameUse {
    same,      // the flag's value
    inverted,  // a boolean said the other way round
    neutral,
    matters,  // it changes memory when it is on, and isn't modelled
};

struct ConfigName {
    std::string_view name;
    std::string_view flag = {};
    NameUse use = NameUse::same;
};

// The style's own name before one of Megatron-Core's; null where it is nobody's.
const ConfigName* find_config_name(std::string_view name, ConfigStyle style);

struct ConfigDefault {
    std::string_view key;
    std::string_view value;
};

// What silence means in this style, beyond what read_arguments() says.
std::span<const ConfigDefault> defaults_of(ConfigStyle style);

// A precision recipe of Megatron-Bridge; the name without "bf16_" or "fp16_" before it.
struct PrecisionRecipe {
    std::string_view name;
    std::string_view format;
    std::string_view recipe;
    std::string_view param_gather;
};
const PrecisionRecipe* find_precision_recipe(std::string_view name);

}  // namespace megamem

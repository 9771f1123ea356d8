// Values as command lines, logs and YAML maps write them, made fit for the field table.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scenario/field.h"

namespace megamem {

struct ReadValue {
    std::string text;  // for set_text()
    std::string note;  // how it was read, where that isn't obvious: "32K is read as 32768"
    std::string ask;   // only people can tell: why
};

// "AttnBackend.flash", "torch.bfloat16", "['p2p']", "[moe_act layernorm]", "None", "4,096", "32K".
ReadValue read_value(const Field& field, const std::vector<std::string>& values);

// "None" for a choice that has no such word.
bool leaves_default(const Field& field, std::string_view value);

// A switch that a map turns off: "false", "0", "None".
bool means_off(std::string_view value);
// Anything that a map or ms-swift writes for a switch.
bool means_on(std::string_view value);

}  // namespace megamem

// A scenario in the words of others: Megatron-LM's flags, its YAML argument maps, Megatron-Bridge's overrides
// and ms-swift's flags. What they have no words for stands in comments that our importer reads, so that
// importing the text gives the scenario back.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "scenario/scenario.h"

namespace megamem {

enum class Configuration { megatron, yaml, bridge, swift };

inline constexpr std::array<std::string_view, 4> kConfigurationNames = {"megatron", "yaml", "bridge",
                                                                        "swift"};
std::optional<Configuration> configuration_named(std::string_view name);

std::string export_configuration(const Scenario& scenario, Configuration configuration);

}  // namespace megamem

// What the links of each version are differences from. A later change of a preset or a default never changes
// what an old link means: the row as it was moves here, and the version steps up.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "scenario/presets.h"
#include "scenario/scenario.h"

namespace megamem {

inline constexpr int kLinkVersion = 1;

struct FormerPreset {
    int last_version = 0;  // of links, that it held for
    ModelPreset row;
};

struct FormerDefault {
    int last_version = 0;
    std::string_view key;    // the field's
    std::string_view value;  // as text
};

struct FormerRows {
    std::span<const FormerPreset> presets;
    std::span<const FormerDefault> defaults;
};

FormerRows former_rows();

// What a link of that version with that preset ("": none) changes; nullopt for a preset that never was.
std::optional<Scenario> link_base(int version, std::string_view preset,
                                  const FormerRows& former = former_rows());

}  // namespace megamem

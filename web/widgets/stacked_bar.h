// One horizontal bar of coloured parts.
#pragma once

#include <imgui.h>

#include <span>
#include <string_view>

#include "base/integers.h"

namespace megamem::web {

struct BarPart {
    std::string_view name;
    Bytes bytes = 0;
    ImU32 color = 0;
    std::string_view cell{};  // that explains it, see memory/cells.h
};

// Draws the parts from `from` rightwards, `full` bytes being `width` wide. The index of the part under the
// mouse, -1 without one.
int stacked_bar(std::span<const BarPart> parts, ImVec2 from, float width, float height, Bytes full);

}  // namespace megamem::web

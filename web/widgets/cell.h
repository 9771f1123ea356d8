// A number or name that can be selected: by a click, by Enter, or by moving onto it with the arrow keys.
#pragma once

#include <imgui.h>

#include <optional>
#include <string>
#include <string_view>

namespace megamem::web {

enum class Align { left, right };

struct CellLook {
    float width = 0;
    bool selected = false;
    ImU32 color = 0;  // of the text; 0: the theme's
    Align align = Align::right;
};

// One line of text at the cursor; `id` is also what tests know it by. True when it was chosen.
bool cell(const std::string& id, std::string_view content, const CellLook& look);

// The same for something drawn already, in a place of `size` at the cursor.
bool choosable(const std::string& id, ImVec2 size);
// The lower edge of what was chosen in the frame before, on its screen; nothing otherwise.
std::optional<float> just_chosen_bottom();
void selection_frame(ImVec2 from, ImVec2 to, bool filled);

}  // namespace megamem::web

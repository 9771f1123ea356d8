#include "widgets/stacked_bar.h"

#include "style/theme.h"

namespace megamem::web {

using namespace style;

int stacked_bar(std::span<const BarPart> parts, ImVec2 from, float width, float height, Bytes full) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    int under_mouse = -1;
    Bytes before = 0;
    // Edges come from running sums, so that neighbours meet without gaps or overlaps.
    const auto x_of = [&](Bytes bytes) {
        return from.x + width * static_cast<float>(static_cast<double>(bytes) / static_cast<double>(full));
    };
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const float x0 = x_of(before);
        before += parts[i].bytes;
        const float x1 = x_of(before);
        if (x1 <= x0) continue;
        const ImVec2 low(x0, from.y);
        const ImVec2 high(x1, from.y + height);
        list.AddRectFilled(low, high, parts[i].color);
        // A hairline of the panel's colour parts neighbours for those who can't tell the colours apart.
        if (x1 - x0 > px(2)) list.AddRectFilled({x1 - px(1), from.y}, high, colors().panel);
        if (ImGui::IsMouseHoveringRect(low, high)) under_mouse = static_cast<int>(i);
    }
    return under_mouse;
}

}  // namespace megamem::web

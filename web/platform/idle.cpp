// When the loop may sleep: what ImGui is still busy with after the last input.

#include "bridge.h"

#include <emscripten.h>
#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>

namespace megamem::web::platform {

namespace {

bool key_is_down = false;
double last_key_time = 0.0;

// ImGui repeats a held key by its own clock, which needs frames. The browser repeats key-down events too, so
// a key that has not been heard of for a while is no longer held, even if its key-up got lost.
bool key_repeats() {
    constexpr double longest_repeat_delay_ms = 1100.0;
    return key_is_down && emscripten_get_now() - last_key_time < longest_repeat_delay_ms;
}

// A held button: dragging past an edge scrolls, and steppers repeat, without the mouse moving.
bool mouse_works(const ImGuiContext& context) {
    if (context.ActiveId == 0) return false;
    const auto& down = context.IO.MouseDown;
    return std::any_of(std::begin(down), std::end(down), [](bool is_down) { return is_down; });
}

// A tooltip that will appear when the mouse has rested for long enough.
bool tooltip_is_due(const ImGuiContext& context) {
    if (context.HoverItemDelayIdPreviousFrame == 0 && context.HoverItemDelayId == 0) return false;
    const ImGuiStyle& style = context.Style;
    const float delay = std::max(style.HoverDelayShort, style.HoverDelayNormal);
    return context.HoverItemDelayTimer <= delay || context.MouseStationaryTimer <= style.HoverStationaryDelay;
}

// Windows are laid out over a few frames before they are shown.
// A child that is scrolled out of sight is hidden anew in every frame: nothing to wait for.
bool settles_by_itself(const ImGuiWindow& window) {
    return window.HiddenFramesCanSkipItems > 0 && (window.Flags & ImGuiWindowFlags_ChildWindow) == 0;
}

// Scrollbars show how long the content was one frame before.
bool content_changed(const ImGuiWindow& window) {
    if (window.Hidden || window.SkipItems || window.ContentSizeExplicit.y != 0.0f) return false;
    const float height = window.DC.CursorMaxPos.y - window.DC.CursorStartPos.y;
    return std::abs(height - window.ContentSize.y) >= 1.0f;
}

bool window_settles(const ImGuiContext& context) {
    return std::any_of(context.Windows.begin(), context.Windows.end(), [](const ImGuiWindow* window) {
        return window->Active &&
               (settles_by_itself(*window) || window->HiddenFramesCannotSkipItems > 0 ||
                window->AutoFitFramesX > 0 || window->AutoFitFramesY > 0 || content_changed(*window));
    });
}

}  // namespace

void note_key_event(bool any_down) {
    key_is_down = any_down;
    last_key_time = emscripten_get_now();
}

bool wants_more_frames() {
    const ImGuiContext& context = *ImGui::GetCurrentContext();
    const bool fades = context.DimBgRatio > 0.0f && context.DimBgRatio < 1.0f;
    return !context.InputEventsQueue.empty() || key_repeats() || mouse_works(context) ||
           tooltip_is_due(context) || window_settles(context) || fades ||
           context.NavWindowingTarget != nullptr;
}

}  // namespace megamem::web::platform

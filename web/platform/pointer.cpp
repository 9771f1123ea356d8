// Mouse, pen, touch and wheel, and the shape of the cursor.

#include "bridge.h"

#include <emscripten.h>
#include <imgui.h>

#include <cfloat>

namespace megamem::web::platform {

extern "C" {
void mm_js_watch_pointer();
void mm_js_set_cursor(const char* shape, std::size_t length);
}

namespace {

ImGuiMouseCursor shown_cursor = ImGuiMouseCursor_Arrow;
int buttons_down = 0;

std::string_view css_cursor(ImGuiMouseCursor cursor) {
    switch (cursor) {
        case ImGuiMouseCursor_TextInput:
            return "text";
        case ImGuiMouseCursor_ResizeAll:
            return "move";
        case ImGuiMouseCursor_ResizeNS:
            return "ns-resize";
        case ImGuiMouseCursor_ResizeEW:
            return "ew-resize";
        case ImGuiMouseCursor_ResizeNESW:
            return "nesw-resize";
        case ImGuiMouseCursor_ResizeNWSE:
            return "nwse-resize";
        case ImGuiMouseCursor_Hand:
            return "pointer";
        case ImGuiMouseCursor_Wait:
            return "wait";
        case ImGuiMouseCursor_Progress:
            return "progress";
        case ImGuiMouseCursor_NotAllowed:
            return "not-allowed";
        case ImGuiMouseCursor_None:
            return "none";
        default:
            return "default";
    }
}

void set_source(bool touch) {
    ImGui::GetIO().AddMouseSourceEvent(touch ? ImGuiMouseSource_TouchScreen : ImGuiMouseSource_Mouse);
}

}  // namespace

void set_up_pointer() {
    mm_js_watch_pointer();
}

void update_cursor() {
    const ImGuiMouseCursor cursor = ImGui::GetMouseCursor();
    if (cursor == shown_cursor) return;
    shown_cursor = cursor;
    const std::string_view shape = css_cursor(cursor);
    mm_js_set_cursor(shape.data(), shape.size());
}

extern "C" {

EMSCRIPTEN_KEEPALIVE void mm_on_pointer_move(double x, double y, int touch) {
    set_source(touch != 0);
    ImGui::GetIO().AddMousePosEvent(static_cast<float>(x), static_cast<float>(y));
}

EMSCRIPTEN_KEEPALIVE void mm_on_pointer_leave() {
    ImGui::GetIO().AddMousePosEvent(-FLT_MAX, -FLT_MAX);
}

// `buttons` are the bits of the DOM: left, right, middle, in ImGui's order. Further bits are the Back and
// Forward buttons, which belong to the browser.
EMSCRIPTEN_KEEPALIVE void mm_on_pointer_buttons(int buttons, int touch) {
    set_source(touch != 0);
    if (touch != 0) ImGui::GetIO().MouseDoubleClickTime = 0.3f;
    for (int button = 0; button < 3; ++button) {
        const int bit = 1 << button;
        if ((buttons & bit) == (buttons_down & bit)) continue;
        ImGui::GetIO().AddMouseButtonEvent(button, (buttons & bit) != 0);
    }
    buttons_down = buttons;
}

// Comes behind a press, before its frame. The system has its own measure of a double click; ImGui's counts
// the time of frames, and where these are slow no two clicks are quick enough.
EMSCRIPTEN_KEEPALIVE void mm_on_click_count(int count) {
    ImGui::GetIO().MouseDoubleClickTime = count > 1 ? FLT_MAX : 0.0f;
}

// In notches of a wheel; positive is up and left.
EMSCRIPTEN_KEEPALIVE void mm_on_wheel(double x, double y) {
    set_source(false);
    ImGui::GetIO().AddMouseWheelEvent(static_cast<float>(x), static_cast<float>(y));
}

// A finger drags the content, by device pixels. ImGui scrolls by five lines a notch. The size of a line comes
// from the style, because outside a frame no font is set.
EMSCRIPTEN_KEEPALIVE void mm_on_touch_scroll(double x, double y) {
    const ImGuiStyle& style = ImGui::GetStyle();
    const float notch = 5.0f * style.FontSizeBase * style.FontScaleMain * style.FontScaleDpi;
    if (notch <= 0.0f) return;
    set_source(true);
    ImGui::GetIO().AddMouseWheelEvent(static_cast<float>(x) / notch, static_cast<float>(y) / notch);
}

}  // extern "C"

}  // namespace megamem::web::platform

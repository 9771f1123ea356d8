// The canvas in device pixels, and the ratio of those to CSS pixels.

#include "bridge.h"

#include <emscripten.h>
#include <emscripten/html5.h>

#include <algorithm>

namespace megamem::web::platform {

extern "C" {
void mm_js_watch_canvas();
void mm_js_check_ratio();
}

namespace {
Size current;
Size wanted;
float current_scale = 1.0f;
float wanted_scale = 1.0f;
}  // namespace

Size canvas_size() {
    return current;
}
float scale() {
    return current_scale;
}

void set_up_canvas() {
    mm_js_watch_canvas();  // measures at once
    current = wanted;
    current_scale = wanted_scale;
}

// Setting the size clears the canvas, so it waits for the frame that fills it again.
void apply_canvas_size() {
    mm_js_check_ratio();
    if (wanted.width != current.width || wanted.height != current.height) {
        current = wanted;
        // Not glfwSetWindowSize: in some versions that asks for fullscreen if the size is that of the screen.
        emscripten_set_canvas_element_size("#canvas", current.width, current.height);
    }
    if (wanted_scale != current_scale) {
        current_scale = wanted_scale;
        if (app().display_changed != nullptr) app().display_changed(current_scale);
    }
}

extern "C" EMSCRIPTEN_KEEPALIVE void mm_on_canvas(int width, int height, double ratio) {
    constexpr int most = 8192;  // what WebGL2 devices can be relied on to draw
    wanted = {.width = std::clamp(width, 1, most), .height = std::clamp(height, 1, most)};
    wanted_scale = static_cast<float>(std::clamp(ratio, 0.25, 8.0));
    wake();
}

}  // namespace megamem::web::platform

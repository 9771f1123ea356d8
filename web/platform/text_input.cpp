// Typed text: a hidden text element takes what is typed while an ImGui text field is active, since only there
// the browser offers input methods (Chinese), dead keys, AltGr, emoji and the keyboards of phones.

#include "bridge.h"

#include <emscripten.h>
#include <imgui.h>

namespace megamem::web::platform {

extern "C" {
void mm_js_watch_text_input();
void mm_js_place_text_input(int wanted, double x, double y, double line_height);
}

namespace {

// Where the caret is, in device pixels, as ImGui said last.
struct Caret {
    bool wanted = false;
    float x = 0.0f, y = 0.0f, line_height = 0.0f;
    bool operator==(const Caret&) const = default;
};
Caret caret;
Caret placed;

void remember_caret(ImGuiContext*, ImGuiViewport*, ImGuiPlatformImeData* data) {
    caret.x = data->InputPos.x;
    caret.y = data->InputPos.y;
    caret.line_height = data->InputLineHeight;
}

void tap(ImGuiKey key) {
    ImGui::GetIO().AddKeyEvent(key, true);
    ImGui::GetIO().AddKeyEvent(key, false);
}

}  // namespace

void set_up_text_input() {
    mm_js_watch_text_input();
    ImGui::GetPlatformIO().Platform_SetImeDataFn = remember_caret;
}

void update_text_input() {
    caret.wanted = ImGui::GetIO().WantTextInput;
    if (caret == placed) return;
    placed = caret;
    const double ratio = static_cast<double>(scale());
    mm_js_place_text_input(caret.wanted ? 1 : 0, static_cast<double>(caret.x) / ratio,
                           static_cast<double>(caret.y) / ratio,
                           static_cast<double>(caret.line_height) / ratio);
}

extern "C" {

EMSCRIPTEN_KEEPALIVE void mm_on_text() {
    ImGui::GetIO().AddInputCharactersUTF8(take_inbox().c_str());
}

// Keyboards on a screen tell deletions as edits of the text element, not as keys.
EMSCRIPTEN_KEEPALIVE void mm_on_delete(int forward) {
    tap(forward != 0 ? ImGuiKey_Delete : ImGuiKey_Backspace);
}

}  // extern "C"

}  // namespace megamem::web::platform

// Copy and paste, for ImGui's text fields and for buttons.

#include "bridge.h"

#include <emscripten.h>
#include <imgui.h>

namespace megamem::web::platform {

extern "C" {
void mm_js_watch_clipboard();
void mm_js_write_clipboard(const char* text, std::size_t length);
void mm_js_copy_text(const char* text, std::size_t length);
}

namespace {

// ImGui asks for the clipboard in the middle of a frame, but the browser gives it only in a paste event. That
// event comes between the key and the frame that handles the key, so the text is here by then.
std::string pasted;
CopyState last_copy = CopyState::none;

const char* give_pasted(ImGuiContext*) {
    return pasted.c_str();
}

void take_copied(ImGuiContext*, const char* text) {
    const std::string_view copied = text;
    pasted = copied;  // paste within the app works even if the browser refuses to copy
    mm_js_write_clipboard(copied.data(), copied.size());
}

}  // namespace

void set_up_clipboard() {
    mm_js_watch_clipboard();
    ImGuiPlatformIO& platform = ImGui::GetPlatformIO();
    platform.Platform_GetClipboardTextFn = give_pasted;
    platform.Platform_SetClipboardTextFn = take_copied;
}

void copy_text(std::string_view text) {
    last_copy = CopyState::pending;
    pasted = text;
    mm_js_copy_text(text.data(), text.size());
}

CopyState copy_state() {
    return last_copy;
}

extern "C" {

EMSCRIPTEN_KEEPALIVE void mm_on_copied(int shown) {
    last_copy = shown != 0 ? CopyState::shown : CopyState::copied;
    wake();
}

// `by_key`: the paste key is on its way to ImGui, which will ask for the text. From a menu, no key comes.
EMSCRIPTEN_KEEPALIVE void mm_on_paste(int by_key) {
    pasted = take_inbox();
    ImGuiIO& io = ImGui::GetIO();
    if (!io.WantTextInput) {
        if (app().text_received != nullptr) app().text_received(pasted, {});
    } else if (by_key == 0) {
        io.AddInputCharactersUTF8(pasted.c_str());
    }
    wake();
}

}  // extern "C"

}  // namespace megamem::web::platform

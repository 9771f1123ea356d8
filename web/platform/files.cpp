// Files in and out. They are read by the page itself: nothing is sent anywhere.

#include "bridge.h"

#include <emscripten.h>

namespace megamem::web::platform {

extern "C" {
void mm_js_watch_files();
void mm_js_pick_file();
void mm_js_show_paste_box();
void mm_js_download(const char* name, std::size_t name_length, const char* type, std::size_t type_length,
                    const char* text, std::size_t text_length);
void mm_js_download_png(const char* name, std::size_t name_length, const char* svg, std::size_t svg_length);
}

namespace {
std::string file_name;
}

void set_up_files() {
    mm_js_watch_files();
}
void pick_file() {
    mm_js_pick_file();
}
void show_paste_box() {
    mm_js_show_paste_box();
}

void download(std::string_view name, std::string_view mime_type, std::string_view text) {
    mm_js_download(name.data(), name.size(), mime_type.data(), mime_type.size(), text.data(), text.size());
}

void download_png(std::string_view name, std::string_view svg) {
    mm_js_download_png(name.data(), name.size(), svg.data(), svg.size());
}

extern "C" {

EMSCRIPTEN_KEEPALIVE void mm_on_file_name() {
    file_name = take_inbox();
}

EMSCRIPTEN_KEEPALIVE void mm_on_file_text() {
    const std::string text = take_inbox();
    if (app().text_received != nullptr) app().text_received(text, file_name);
    wake();
}

}  // extern "C"

}  // namespace megamem::web::platform

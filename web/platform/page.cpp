// The page around the canvas: theme, language, stored preferences, messages.

#include "bridge.h"

#include <emscripten.h>

namespace megamem::web::platform {

extern "C" {
void mm_js_watch_page();
int mm_js_is_mac();
int mm_js_prefers_dark();
void mm_js_read_language();
void mm_js_set_page_theme(int dark);
void mm_js_set_page_language(const char* tag, std::size_t length);
void mm_js_set_title(const char* title, std::size_t length);
void mm_js_stored(const char* key, std::size_t length);
void mm_js_store(const char* key, std::size_t key_length, const char* value, std::size_t value_length);
void mm_js_ready();
void mm_js_fail(const char* text, std::size_t length);
}

void set_up_page() {
    mm_js_watch_page();
}

bool is_mac() {
    return mm_js_is_mac() != 0;
}
bool prefers_dark() {
    return mm_js_prefers_dark() != 0;
}

std::string language() {
    mm_js_read_language();
    return take_inbox();
}

void set_page_theme(bool dark) {
    mm_js_set_page_theme(dark ? 1 : 0);
}
void set_page_language(std::string_view tag) {
    mm_js_set_page_language(tag.data(), tag.size());
}
void set_title(std::string_view title) {
    mm_js_set_title(title.data(), title.size());
}

std::string stored(std::string_view key) {
    mm_js_stored(key.data(), key.size());
    return take_inbox();
}

void store(std::string_view key, std::string_view value) {
    mm_js_store(key.data(), key.size(), value.data(), value.size());
}

void ready() {
    mm_js_ready();
}
void fail(std::string_view text) {
    mm_js_fail(text.data(), text.size());
}

extern "C" EMSCRIPTEN_KEEPALIVE void mm_on_theme(int dark) {
    if (app().theme_changed != nullptr) app().theme_changed(dark != 0);
    wake();
}

}  // namespace megamem::web::platform

// Elements of the page with text in them: the result beside the canvas, and the dialog.

#include "bridge.h"

namespace megamem::web::platform {

extern "C" {
void mm_js_watch_text_view();
void mm_js_set_mirror(const char* title, std::size_t title_length, const char* headline,
                      std::size_t headline_length, const char* coded, std::size_t length);
void mm_js_show_text_view(int shown);
int mm_js_text_view_is_shown();
void mm_js_show_dialog(const char* coded, std::size_t length);
}

void set_up_document() {
    mm_js_watch_text_view();
}

void set_mirror(std::string_view title, std::string_view headline, std::string_view coded) {
    mm_js_set_mirror(title.data(), title.size(), headline.data(), headline.size(), coded.data(),
                     coded.size());
}

void show_text_view(bool shown) {
    mm_js_show_text_view(shown ? 1 : 0);
}

bool text_view_is_shown() {
    return mm_js_text_view_is_shown() != 0;
}

void show_dialog(std::string_view coded) {
    mm_js_show_dialog(coded.data(), coded.size());
}

}  // namespace megamem::web::platform

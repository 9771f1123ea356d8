// Foreign formats are read and written by a program of their own, which is loaded when it is first needed.

#include "bridge.h"

#include <emscripten.h>

#include <deque>

namespace megamem::web::platform {

extern "C" void mm_js_ask_foreign(const char* text, std::size_t length, int format);

namespace {

std::deque<void (*)(std::string)> receivers;  // in the order of the questions

void ask(std::string_view text, int format, void (*received)(std::string)) {
    receivers.push_back(received);
    mm_js_ask_foreign(text.data(), text.size(), format);
}

}  // namespace

void read_import(std::string_view text, void (*received)(std::string)) {
    ask(text, -1, received);
}

void make_export(std::string_view link, int format, void (*received)(std::string)) {
    ask(link, format, received);
}

extern "C" EMSCRIPTEN_KEEPALIVE void mm_on_foreign() {
    const auto receiver = receivers.front();
    receivers.pop_front();
    receiver(take_inbox());
    wake();
}

}  // namespace megamem::web::platform

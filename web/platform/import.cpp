// Foreign formats are read by a program of their own, which is loaded when it is first needed.

#include "bridge.h"

#include <emscripten.h>

namespace megamem::web::platform {

extern "C" void mm_js_read_import(const char* text, std::size_t length);

namespace {
void (*receiver)(std::string) = nullptr;
}

void read_import(std::string_view text, void (*received)(std::string)) {
    receiver = received;
    mm_js_read_import(text.data(), text.size());
}

extern "C" EMSCRIPTEN_KEEPALIVE void mm_on_import_read() {
    receiver(take_inbox());
    wake();
}

}  // namespace megamem::web::platform

// The hash of the address, which holds the scenario, and the browser's history.

#include "bridge.h"

#include <emscripten.h>

namespace megamem::web::platform {

extern "C" {
void mm_js_watch_link();
void mm_js_read_hash();
void mm_js_read_address();
void mm_js_write_hash(const char* hash, std::size_t length, int push);
}

void set_up_link() {
    mm_js_watch_link();
}

std::string hash() {
    mm_js_read_hash();
    return take_inbox();
}

std::string address() {
    mm_js_read_address();
    return take_inbox();
}

void replace_hash(std::string_view hash) {
    mm_js_write_hash(hash.data(), hash.size(), 0);
}
void push_hash(std::string_view hash) {
    mm_js_write_hash(hash.data(), hash.size(), 1);
}

extern "C" EMSCRIPTEN_KEEPALIVE void mm_on_hash() {
    const std::string changed = take_inbox();
    if (app().hash_changed != nullptr) app().hash_changed(changed);
    wake();
}

}  // namespace megamem::web::platform

// Strings from JavaScript: see bridge.h.

#include "bridge.h"

#include <emscripten.h>

#include <utility>

namespace megamem::web::platform {

namespace {
std::string inbox;
}

std::string take_inbox() {
    return std::exchange(inbox, {});
}

extern "C" EMSCRIPTEN_KEEPALIVE char* mm_on_inbox(std::size_t size) {
    inbox.resize(size);
    return inbox.data();
}

}  // namespace megamem::web::platform

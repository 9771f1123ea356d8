// Files of the page's own folder that aren't needed at first.

#include "bridge.h"

#include <emscripten.h>

#include <utility>

namespace megamem::web::platform {

extern "C" void mm_js_fetch(const char* path, std::size_t length, int ticket);

namespace {
std::vector<void (*)(std::string)> receivers;  // by ticket
std::size_t received_ones = 0;
}  // namespace

void fetch(std::string_view path, void (*received)(std::string)) {
    receivers.push_back(received);
    mm_js_fetch(path.data(), path.size(), static_cast<int>(receivers.size()) - 1);
}

bool is_fetching() {
    return received_ones < receivers.size();
}

extern "C" EMSCRIPTEN_KEEPALIVE void mm_on_fetched(int ticket) {
    ++received_ones;
    receivers.at(static_cast<std::size_t>(ticket))(take_inbox());
    wake();
}

}  // namespace megamem::web::platform

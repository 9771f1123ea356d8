// The program beside the page (desk/program.cpp), which is loaded when it is first asked something.

#include "bridge.h"

#include <emscripten.h>

#include <deque>

namespace megamem::web::platform {

extern "C" void mm_js_ask_desk(const char* text, std::size_t length, int question, int number);
extern "C" int mm_js_ask_desk_now(const char* text, std::size_t length, int question, int number);

namespace {

std::deque<void (*)(std::string)> receivers;  // in the order of the questions
DeskState now = DeskState::absent;

}  // namespace

void ask_desk(DeskQuestion question, std::string_view text, int number, void (*received)(std::string)) {
    receivers.push_back(received);
    mm_js_ask_desk(text.data(), text.size(), static_cast<int>(question), number);
}

std::optional<std::string> ask_desk_now(DeskQuestion question, std::string_view text, int number) {
    if (mm_js_ask_desk_now(text.data(), text.size(), static_cast<int>(question), number) == 0)
        return std::nullopt;
    return take_inbox();
}

DeskState desk_state() {
    return now;
}

extern "C" EMSCRIPTEN_KEEPALIVE void mm_on_desk_answer() {
    const auto receiver = receivers.front();
    receivers.pop_front();
    receiver(take_inbox());
    wake();
}

extern "C" EMSCRIPTEN_KEEPALIVE void mm_on_desk(int state) {
    now = static_cast<DeskState>(state);
    wake();
}

}  // namespace megamem::web::platform

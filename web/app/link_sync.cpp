#include "app/link_sync.h"

#include "app/state.h"
#include "platform/platform.h"

namespace megamem::web {

namespace {

constexpr int kQuietMilliseconds = 400;

// Edits still to be written, and timers still to come: the last timer writes.
int waiting_timers = 0;
bool waiting = false;

void write_now() {
    waiting = false;
    platform::replace_hash(current_link());
}

}  // namespace

void write_link_soon() {
    waiting = true;
    ++waiting_timers;
    platform::after(kQuietMilliseconds, [] {
        if (--waiting_timers == 0 && waiting) write_now();
    });
}

void flush_link() {
    if (waiting) write_now();
}

void push_link() {
    waiting = false;
    platform::push_hash(current_link());
}

}  // namespace megamem::web

#include "app/asked.h"

#include <fmt/format.h>

#include "app/state.h"

namespace megamem::web {

namespace {

int tries = 1;

}  // namespace

std::string open_version() {
    return fmt::format("{} {}", state().version, tries);
}

void ask_desk_again() {
    ++tries;
}

}  // namespace megamem::web

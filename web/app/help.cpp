#include "app/help.h"

#include <string>
#include <vector>

#include "app/state.h"
#include "base/text.h"
#include "platform/platform.h"

namespace megamem::web {

namespace {

// One line a field, in the table's order, which the same sources give to both.
std::string lines;
std::vector<std::string_view> texts;
std::uint64_t asked_at = 0;  // the state's version

// Where it couldn't be had, it is asked for again when something has changed.
void received(std::string file) {
    if (file.empty()) return;
    lines = std::move(file);
    texts = split(lines, '\n');
    texts.resize(field_table().size());
}

}  // namespace

std::string_view help_for(const Field& field) {
    if (texts.empty() && asked_at != state().version) platform::fetch("help.txt", received);
    asked_at = state().version;
    return texts.empty() ? std::string_view()
                         : texts[static_cast<std::size_t>(&field - field_table().data())];
}

}  // namespace megamem::web

#include "app/help.h"

#include <string>
#include <vector>

#include "base/text.h"
#include "platform/platform.h"

namespace megamem::web {

namespace {

// One line a field, in the table's order, which the same sources give to both.
std::string lines;
std::vector<std::string_view> texts;
bool asked = false;

void received(std::string file) {
    lines = std::move(file);
    texts = split(lines, '\n');
    texts.resize(field_table().size());
}

}  // namespace

std::string_view help_for(const Field& field) {
    if (!asked) platform::fetch("help.txt", received);
    asked = true;
    return texts.empty() ? std::string_view()
                         : texts[static_cast<std::size_t>(&field - field_table().data())];
}

}  // namespace megamem::web

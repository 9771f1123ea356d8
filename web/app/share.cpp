#include "app/share.h"

#include <algorithm>
#include <string>

#include "app/link_sync.h"
#include "app/state.h"
#include "export/export.h"
#include "platform/platform.h"
#include "text/text.h"

namespace megamem::web {

namespace {

constexpr int format_number(std::string_view name) {
    const auto is_it = [&](const ExportFormat& format) { return format.name == name; };
    return static_cast<int>(std::find_if(kExportFormats.begin(), kExportFormats.end(), is_it) -
                            kExportFormats.begin());
}

constexpr int kMarkdown = format_number("markdown");
static_assert(kMarkdown < static_cast<int>(kExportFormats.size()));

std::string address_above;  // of the Markdown that was asked for last

// Without the program that writes tables the link is still worth copying.
void markdown_came(std::string markdown) {
    platform::copy_text(markdown.empty() ? address_above : "<" + address_above + ">\n\n" + markdown);
}

}  // namespace

void copy_link() {
    flush_link();
    platform::copy_text(platform::address());
}

void copy_markdown() {
    flush_link();
    // A number in a paper is to be recognized when a later version gives another.
    const std::string address = platform::address();
    address_above = address.substr(0, address.find('#') + 1) + stamped_link();
    platform::ask_desk(DeskQuestion::exported, current_link(), kMarkdown, markdown_came);
}

void open_share_sheet() {
    flush_link();
    const std::string& name = state().scenario.name;
    platform::open_share_sheet(name.empty() ? words::kProduct : name, platform::address());
}

}  // namespace megamem::web

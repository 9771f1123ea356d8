#include "app/about.h"

#include <fmt/format.h>

#include "app/document.h"
#include "platform/platform.h"
#include "text/text.h"

namespace megamem::web {

void show_about() {
    Document box;
    box.heading(fmt::format("{} {}", words::kProduct, MEGAMEM_VERSION));
    box.paragraph(words::kAbout);
    box.paragraph(words::kPrivacy);
    box.table();
    box.head({words::kKeys, {}});
    for (const auto& [keys, meaning] : words::kKeyList)
        box.row({keys, meaning});
    box.link(words::kLicences, "licences.txt");
    platform::show_dialog(box.coded());
}

}  // namespace megamem::web

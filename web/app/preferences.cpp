#include "app/preferences.h"

#include "app/link_sync.h"
#include "platform/platform.h"
#include "style/theme.h"

namespace megamem::web {

namespace {

constexpr const char* kThemeKey = "theme";

}  // namespace

bool wants_dark() {
    const std::string chosen = platform::stored(kThemeKey);
    return chosen.empty() ? platform::prefers_dark() : chosen == "dark";
}

void toggle_theme() {
    const bool dark = !style::is_dark();
    platform::store(kThemeKey, dark ? "dark" : "light");
    platform::set_page_theme(dark);
    // The style can't change within a frame.
    platform::after(0, [] { style::apply(wants_dark(), platform::scale()); });
}

void copy_link() {
    flush_link();
    platform::copy_text(platform::address());
}

}  // namespace megamem::web

// The page's program: opens the link, draws when something changed, and sleeps otherwise.
#include <string_view>

#include "app/imports.h"
#include "app/language.h"
#include "app/layout.h"
#include "app/mirror.h"
#include "app/preferences.h"
#include "app/state.h"
#include "platform/platform.h"
#include "style/theme.h"
#include "text/translate.h"

namespace {

using namespace megamem::web;

bool shown = false;
bool fonts_loaded = false;

void draw() {
    tidy_translations();
    draw_page();
    if (language_is_there()) mirror_changes();
    if (!shown && language_is_there()) {
        shown = true;
        platform::ready();
    }
}

void display_changed(float scale) {
    if (!fonts_loaded) style::load_fonts();
    fonts_loaded = true;
    style::apply(wants_dark(), scale);
}

void theme_changed(bool) {
    const bool dark = wants_dark();
    platform::set_page_theme(dark);
    style::apply(dark, platform::scale());
}

}  // namespace

int main() {
    const bool started = platform::start({.draw = draw,
                                          .hash_changed = open_link,
                                          .display_changed = display_changed,
                                          .theme_changed = theme_changed,
                                          .translated = translated,
                                          .text_received = receive_text});
    if (!started) return 0;
    start_language();
    open_link(platform::hash());
    return 0;
}

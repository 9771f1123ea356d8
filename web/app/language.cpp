#include "app/language.h"

#include <string>

#include "app/link_sync.h"
#include "platform/platform.h"
#include "style/glyphs.h"
#include "text/translate.h"

namespace megamem::web {

namespace {

constexpr const char* kLanguageKey = "language";
std::string chosen_now;  // in this visit
bool started = false;
bool waiting = false;
bool glyphs_asked = false;

// Never in the middle of a frame, which uses the texts.
void show(std::string dictionary) {
    waiting = false;
    set_dictionary(std::move(dictionary));
    platform::set_page_language(is_chinese() ? "zh-CN" : "en");
}

// The characters first, so that no frame shows boxes.
void characters_came(std::string ttf) {
    style::add_glyphs(std::move(ttf));
    platform::fetch("zh.txt", show);
}

void show_chinese() {
    waiting = true;
    if (glyphs_asked) {
        platform::fetch("zh.txt", show);
    } else {
        platform::fetch("zh.ttf", characters_came);
    }
    glyphs_asked = true;
}

}  // namespace

void start_language() {
    started = true;
    const std::string chosen = chosen_now.empty() ? platform::stored(kLanguageKey) : chosen_now;
    if ((chosen.empty() ? platform::language() : chosen).starts_with("zh")) {
        show_chinese();
    } else if (!chosen_now.empty()) {
        show({});  // the page may have begun in the other one
    }
}

bool language_is_there() {
    return !waiting;
}

void toggle_language() {
    platform::store(kLanguageKey, is_chinese() ? "en" : "zh");
    speak_for_now(is_chinese() ? "en" : "zh");
    write_link_soon();
}

void speak_for_now(std::string_view language) {
    chosen_now = language;
    if (!started) return;  // start_language() asks for it
    if (language == "zh") {
        show_chinese();
    } else {
        platform::after(0, [] { show({}); });
    }
}

const std::string& spoken_for_now() {
    return chosen_now;
}

}  // namespace megamem::web

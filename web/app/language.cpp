#include "app/language.h"

#include <string>

#include "platform/platform.h"
#include "style/glyphs.h"
#include "text/translate.h"

namespace megamem::web {

namespace {

constexpr const char* kLanguageKey = "language";
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
    const std::string chosen = platform::stored(kLanguageKey);
    if ((chosen.empty() ? platform::language() : chosen).starts_with("zh")) show_chinese();
}

bool language_is_there() {
    return !waiting;
}

void toggle_language() {
    const bool chinese = !is_chinese();
    platform::store(kLanguageKey, chinese ? "zh" : "en");
    if (chinese) {
        show_chinese();
    } else {
        platform::after(0, [] { show({}); });
    }
}

}  // namespace megamem::web

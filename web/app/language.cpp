#include "app/language.h"

#include <string>

#include "app/mirror.h"
#include "app/state.h"
#include "platform/platform.h"
#include "style/glyphs.h"
#include "text/translate.h"

namespace megamem::web {

namespace {

constexpr const char* kLanguageKey = "language";
bool chinese = false;        // shown
bool glyphs_wanted = false;  // asked for already

void show(bool in_chinese) {
    chinese = in_chinese;
    platform::set_page_language(in_chinese ? "zh-CN" : "en");
    if (state().version > 0) mirror_result(state());
}

void dictionary_came(std::string json) {
    if (set_dictionary(json)) show(true);
}

// The characters first, so that no frame shows boxes.
void characters_came(std::string ttf) {
    style::add_glyphs(std::move(ttf));
    platform::fetch("zh.json", dictionary_came);
}

void show_chinese() {
    if (glyphs_wanted) {
        platform::fetch("zh.json", dictionary_came);
        return;
    }
    glyphs_wanted = true;
    platform::fetch("zh.ttf", characters_came);
}

}  // namespace

bool is_chinese() {
    return chinese;
}

void start_language() {
    const std::string chosen = platform::stored(kLanguageKey);
    if ((chosen.empty() ? platform::language() : chosen).starts_with("zh")) show_chinese();
}

void toggle_language() {
    platform::store(kLanguageKey, chinese ? "en" : "zh");
    if (!chinese) {
        show_chinese();
        return;
    }
    // Not in the middle of a frame that uses the texts.
    platform::after(0, [] {
        clear_dictionary();
        show(false);
    });
}

}  // namespace megamem::web

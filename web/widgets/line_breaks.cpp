#include "widgets/line_breaks.h"

#include <imgui.h>
#include <imgui_internal.h>

namespace megamem::web {

namespace {

constexpr unsigned kFirstWide = 0x2E80;  // Chinese characters and signs, and those of its neighbours

bool is_one_of(unsigned character, std::u16string_view set) {
    return set.find(static_cast<char16_t>(character)) != std::u16string_view::npos;
}

// May a line end between these two?
bool may_break(unsigned before, unsigned after) {
    if (before == ' ') return true;
    if (after == ' ' || is_one_of(after, u"，。；：、！？）」』》”’…%)]},.;:!?")) return false;
    if (is_one_of(before, u"（「『《“‘([{")) return false;
    return before >= kFirstWide || after >= kFirstWide;
}

}  // namespace

std::string broken_into_lines(std::string_view text, float width) {
    ImFontBaked* font = ImGui::GetFontBaked();
    const float scale = ImGui::GetFontSize() / font->Size;
    std::string out;
    float line = 0;         // width so far
    float since = 0;        // of that, after the last place for a break
    std::size_t place = 0;  // in `out`; 0: none in this line
    unsigned before = 0;
    for (const char* at = text.data(); at < text.data() + text.size();) {
        unsigned code = 0;
        const char* from = at;
        at += ImTextCharFromUtf8(&code, at, text.data() + text.size());
        if (before != 0 && code != '\n' && may_break(before, code)) {
            place = out.size();
            since = 0;
        }
        if (code == '\n') {
            line = since = 0;
            place = 0;
        } else {
            const float advance = font->GetCharAdvance(static_cast<ImWchar>(code)) * scale;
            if (line + advance > width && place > 0 && code != ' ') {
                if (out[place - 1] == ' ') {
                    out[place - 1] = '\n';
                } else {
                    out.insert(place, 1, '\n');
                }
                line = since;
                place = 0;
            }
            line += advance;
            since += advance;
        }
        out.append(from, at);
        before = code == '\n' ? 0 : code;
    }
    return out;
}

}  // namespace megamem::web

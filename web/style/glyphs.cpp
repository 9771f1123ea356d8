#include "style/glyphs.h"

#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <bitset>
#include <list>

#include "glyph_blocks.h"
#include "platform/platform.h"
#include "style/theme.h"

namespace megamem::web::style {

namespace {

constexpr unsigned kFirstFetched = 0x100;  // the fonts of the page have Latin-1

std::bitset<256> requested;  // blocks of 256 characters

// ImGui reads the bytes as long as it lives.
std::list<std::string>& kept() {
    static std::list<std::string> bytes;
    return bytes;
}

void want_block(unsigned block) {
    if (requested.test(block)) return;
    requested.set(block);
    if (std::find(std::begin(fonts::kGlyphBlocks), std::end(fonts::kGlyphBlocks), block) ==
        std::end(fonts::kGlyphBlocks))
        return;
    constexpr char kHex[] = "0123456789abcdef";
    const std::string path = std::string("glyphs/") + kHex[block / 16] + kHex[block % 16] + ".ttf";
    platform::fetch(path, add_glyphs);
}

void code_face_came(std::string ttf) {
    if (ttf.empty()) return;  // the ordinary face stays
    static std::string bytes;
    bytes = std::move(ttf);
    add_code_face(bytes);
    for (const std::string& more : kept())
        add_to_code_face(more);
}

}  // namespace

void want_code_face() {
    static bool asked = false;
    if (!asked) platform::fetch("mono.ttf", code_face_came);
    asked = true;
}

void want_glyphs(std::string_view text) {
    // Bytes of Latin-1 in UTF-8 begin with 0xC3 or lower.
    const auto is_far = [](char c) { return static_cast<unsigned char>(c) > 0xC3; };
    auto at = std::find_if(text.begin(), text.end(), is_far);
    while (at != text.end()) {
        unsigned code = 0;
        const char* from = &*at;
        at += std::max(1, ImTextCharFromUtf8(&code, from, text.data() + text.size()));
        if (code >= kFirstFetched && code < 0x10000 && !has_glyph(code)) want_block(code >> 8);
        at = std::find_if(at, text.end(), is_far);
    }
}

void add_glyphs(std::string ttf) {
    if (ttf.empty()) return;  // couldn't be had: the characters stay boxes
    add_to_fonts(kept().emplace_back(std::move(ttf)));
}

}  // namespace megamem::web::style

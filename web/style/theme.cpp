#include "style/theme.h"

#include <imgui_internal.h>

#include "fonts_data.h"
#include "style/glyphs.h"

namespace megamem::web::style {

namespace {

// 0xRRGGBB, as designers write it.
constexpr ImU32 rgb(unsigned hex) {
    return IM_COL32((hex >> 16) & 0xFF, (hex >> 8) & 0xFF, hex & 0xFF, 0xFF);
}

constexpr Palette kLight = {
    .page = rgb(0xF4F6F9),
    .panel = rgb(0xFFFFFF),
    .border = rgb(0xDFE3EA),
    .hairline = rgb(0xE9ECF1),
    .text = rgb(0x171A21),
    .muted = rgb(0x555E6D),
    .faint = rgb(0x626B7B),
    .accent = rgb(0x215FE5),
    .accent_text = rgb(0xFFFFFF),
    .accent_soft = rgb(0xE4EEFF),
    .field = rgb(0xF4F6F9),
    .field_hover = rgb(0xEAEEF4),
    .good = rgb(0x14713B),
    .good_soft = rgb(0xE1F5E8),
    .warn = rgb(0x8A5200),
    .warn_soft = rgb(0xFDF0D5),
    .bad = rgb(0xB42318),
    .bad_soft = rgb(0xFDE7E4),
    .weight = rgb(0x3B6FD4),
    .grad = rgb(0x7AA5F0),
    .master = rgb(0x5B48C4),
    .optimizer = rgb(0xA08DEF),
    .fp8_cache = rgb(0xC7BBFA),
    .activation = rgb(0xE08A3A),
    .transient = rgb(0xF0BF7F),
    .vision = rgb(0x2F9E8F),
    .workspace = rgb(0x8C97A8),
    .reserve = rgb(0xB6BFCC),
};

constexpr Palette kDark = {
    .page = rgb(0x12151B),
    .panel = rgb(0x1A1E26),
    .border = rgb(0x2D333F),
    .hairline = rgb(0x252A34),
    .text = rgb(0xE7EAF0),
    .muted = rgb(0xA6AFBD),
    .faint = rgb(0x909AA9),
    .accent = rgb(0x6B9EFF),
    .accent_text = rgb(0x0E1420),
    .accent_soft = rgb(0x1E2F50),
    .field = rgb(0x12151B),
    .field_hover = rgb(0x20252F),
    .good = rgb(0x6FD69A),
    .good_soft = rgb(0x143324),
    .warn = rgb(0xF0BC5E),
    .warn_soft = rgb(0x3A2B10),
    .bad = rgb(0xFF9A8F),
    .bad_soft = rgb(0x43201D),
    .weight = rgb(0x5B8DF6),
    .grad = rgb(0x9DBDF7),
    .master = rgb(0x8675E8),
    .optimizer = rgb(0xB6A7F6),
    .fp8_cache = rgb(0xD9D0FC),
    .activation = rgb(0xE69A50),
    .transient = rgb(0xF3CC97),
    .vision = rgb(0x4DB8A8),
    .workspace = rgb(0x8A94A6),
    .reserve = rgb(0x626C7C),
};

bool dark_theme = false;
float display_scale = 1.0f;
ImFont* regular = nullptr;
ImFont* semibold = nullptr;
ImFont* mono = nullptr;  // fetched when it is first wanted

ImFont* add_font(const unsigned char* data, unsigned size) {
    ImFontConfig config;
    config.FontDataOwnedByAtlas = false;  // the data is part of the program
    // ImGui takes a pointer to non-const data and doesn't write to it.
    return ImGui::GetIO().Fonts->AddFontFromMemoryTTF(const_cast<unsigned char*>(data),
                                                      static_cast<int>(size), 0.0f, &config);
}

// What `font` lacks comes from here.
void merge(ImFont* font, const std::string& ttf) {
    ImFontConfig config;
    config.FontDataOwnedByAtlas = false;
    config.MergeMode = true;
    config.DstFont = font;
    ImFontAtlas* atlas = ImGui::GetIO().Fonts;
    atlas->AddFontFromMemoryTTF(const_cast<char*>(ttf.data()), static_cast<int>(ttf.size()), 0.0f, &config);
    // It remembers which characters it didn't find.
    ImFontAtlasFontDiscardBakes(atlas, font, 0);
}

void set(ImGuiCol slot, ImU32 color) {
    ImGui::GetStyle().Colors[slot] = ImGui::ColorConvertU32ToFloat4(color);
}

void set_colors(const Palette& c) {
    set(ImGuiCol_Text, c.text);
    set(ImGuiCol_TextDisabled, c.faint);
    set(ImGuiCol_WindowBg, c.page);
    set(ImGuiCol_ChildBg, IM_COL32_BLACK_TRANS);
    set(ImGuiCol_PopupBg, c.panel);
    set(ImGuiCol_Border, c.border);
    set(ImGuiCol_FrameBg, c.field);
    set(ImGuiCol_FrameBgHovered, c.field_hover);
    set(ImGuiCol_FrameBgActive, c.field_hover);
    set(ImGuiCol_Button, c.panel);
    set(ImGuiCol_ButtonHovered, c.field_hover);
    set(ImGuiCol_ButtonActive, c.accent_soft);
    set(ImGuiCol_Header, c.accent_soft);
    set(ImGuiCol_HeaderHovered, c.field_hover);
    set(ImGuiCol_HeaderActive, c.accent_soft);
    set(ImGuiCol_CheckMark, c.accent);
    set(ImGuiCol_ScrollbarBg, IM_COL32_BLACK_TRANS);
    set(ImGuiCol_ScrollbarGrab, c.border);
    set(ImGuiCol_ScrollbarGrabHovered, c.faint);
    set(ImGuiCol_ScrollbarGrabActive, c.muted);
    set(ImGuiCol_TextSelectedBg, c.accent_soft);
    set(ImGuiCol_NavCursor, c.accent);
    set(ImGuiCol_InputTextCursor, c.accent);
    set(ImGuiCol_TableBorderLight, c.hairline);
    set(ImGuiCol_TableBorderStrong, c.border);
    set(ImGuiCol_TableHeaderBg, IM_COL32_BLACK_TRANS);
    set(ImGuiCol_Separator, c.hairline);
}

}  // namespace

void load_fonts() {
    regular = add_font(fonts::inter_regular, fonts::inter_regular_size);
    semibold = add_font(fonts::inter_semibold, fonts::inter_semibold_size);
}

void add_code_face(const std::string& ttf) {
    mono = add_font(reinterpret_cast<const unsigned char*>(ttf.data()), static_cast<unsigned>(ttf.size()));
}

bool has_glyph(unsigned character) {
    return regular != nullptr && regular->IsGlyphInFont(static_cast<ImWchar>(character));
}

void add_to_fonts(const std::string& ttf) {
    for (ImFont* font : {regular, semibold, mono}) {
        if (font != nullptr) merge(font, ttf);
    }
}

void add_to_code_face(const std::string& ttf) {
    merge(mono, ttf);
}

void apply(bool dark, float scale) {
    dark_theme = dark;
    display_scale = scale;
    // ScaleAllSizes is cumulative, so it starts from a fresh style each time.
    ImGuiStyle& style = ImGui::GetStyle();
    style = ImGuiStyle();
    style.FontSizeBase = 13.0f;
    style.FontScaleDpi = scale;
    style.WindowPadding = {0, 0};
    style.WindowBorderSize = 0;
    style.WindowRounding = 0;
    style.ChildBorderSize = 1;
    style.PopupRounding = 8;
    style.PopupBorderSize = 1;
    style.FramePadding = {10, 6};
    style.FrameRounding = 6;
    style.FrameBorderSize = 1;
    style.ItemSpacing = {8, 6};
    style.ItemInnerSpacing = {6, 6};
    style.CellPadding = {8, 5};
    style.ScrollbarSize = 10;
    style.ScrollbarRounding = 5;
    style.HoverDelayNormal = 0.35f;
    style.ScaleAllSizes(scale);
    set_colors(colors());
}

bool is_dark() {
    return dark_theme;
}

const Palette& colors() {
    return dark_theme ? kDark : kLight;
}

float px(float css) {
    return css * display_scale;
}

Font::Font(Type type) {
    switch (type) {
        case Type::body:
            ImGui::PushFont(regular, 13.0f);
            break;
        case Type::strong:
            ImGui::PushFont(semibold, 13.0f);
            break;
        case Type::small:
            ImGui::PushFont(regular, 11.5f);
            break;
        case Type::title:
            ImGui::PushFont(semibold, 15.0f);
            break;
        case Type::figure:
            ImGui::PushFont(semibold, 26.0f);
            break;
        case Type::code:
            want_code_face();
            ImGui::PushFont(mono != nullptr ? mono : regular, 11.5f);
            break;
    }
}

Font::~Font() {
    ImGui::PopFont();
}

}  // namespace megamem::web::style

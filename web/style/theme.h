// Colours, type and spacing of the page, light and dark. Lengths are in CSS pixels; px() makes them device
// pixels.
#pragma once

#include <imgui.h>

#include <string>

namespace megamem::web::style {

struct Palette {
    ImU32 page, panel, border, hairline;
    ImU32 text, muted, faint;
    ImU32 accent, accent_text, accent_soft;
    ImU32 field, field_hover;
    ImU32 good, good_soft, warn, warn_soft, bad, bad_soft;
    // Components of a bar, in the order of Component.
    ImU32 weight, grad, master, optimizer, fp8_cache, activation, transient, vision, workspace, reserve;
};

// Type: sizes in CSS pixels.
enum class Type { body, strong, small, title, figure, code };

void load_fonts();
bool has_glyph(unsigned character);
// Bytes of TTF files, which must outlive the page.
void add_to_fonts(const std::string& ttf);
void add_code_face(const std::string& ttf);
void add_to_code_face(const std::string& ttf);

void apply(bool dark, float scale);

bool is_dark();
const Palette& colors();

float px(float css);

// Scoped type: ImGui's current font is the given one while it lives.
class Font {
  public:
    explicit Font(Type type);
    ~Font();
    Font(const Font&) = delete;
    Font& operator=(const Font&) = delete;
};

}  // namespace megamem::web::style

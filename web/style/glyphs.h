// Characters that the page's own fonts lack, and the face of code, are fetched when they are first to be
// shown: the page starts with what English needs.
#pragma once

#include <string>
#include <string_view>

namespace megamem::web::style {

// Fetches what `text` needs and isn't here yet; the text shows as soon as it has come.
void want_glyphs(std::string_view text);

// The face of code: until it has come, the ordinary one stands in.
void want_code_face();

// More characters for the fonts, from the bytes of a TTF file.
void add_glyphs(std::string ttf);

}  // namespace megamem::web::style

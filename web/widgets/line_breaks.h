// Line breaks of text in Chinese, which has no blanks where a line may end. ImGui breaks at blanks.
#pragma once

#include <string>
#include <string_view>

namespace megamem::web {

// The text with line breaks put in so that no line is wider, in the current font.
std::string broken_into_lines(std::string_view text, float width);

}  // namespace megamem::web

// The small vocabulary that the panels are written in.
#pragma once

#include <imgui.h>

#include <string>
#include <string_view>

#include "style/theme.h"

namespace megamem::web {

// Texts come in English and are drawn in the language that was chosen (text/translate.h), in all that follows but
// `verbatim`, which is for names, code and what somebody wrote.
void text(std::string_view content, ImU32 color = 0);  // color 0: the theme's text
void verbatim(std::string_view content, ImU32 color = 0);
void wrapped_text(std::string_view content, ImU32 color = 0);  // wraps at the right edge of the window
void wrapped_verbatim(std::string_view content, ImU32 color = 0);

// At a place of the screen, without moving the cursor.
void text_at(ImVec2 at, std::string_view content, ImU32 color);

// Draws at the cursor's line so that the text ends at `right` (window coordinates of the screen).
void text_ending_at(std::string_view content, float right, ImU32 color);

// The same with its upper edge at `top`.
void text_ending_at_place(std::string_view content, float right, float top, ImU32 color);

float width_of(std::string_view content);

// At the right edge of the table's cell or the window.
void right_aligned(std::string_view content, ImU32 color);

// Stands out, with a little room above; wraps.
void heading(std::string_view content);

// Cut to the width with an ellipsis.
std::string fitted(std::string_view content, float width);
std::string fitted_verbatim(std::string_view content, float width);

// A small arrow head: of what is folded or unfolded, and of the order of a column.
enum class Point { up, down, right };
void arrow_head(ImVec2 center, Point point, ImU32 color);

// A rounded label of soft colour.
void pill(std::string_view content, ImU32 color, ImU32 background);

// ImGui's buttons, with a label in English that names them in either language.
bool button(const char* label, float width = 0);  // 0: what the label needs
bool small_button(const char* label);
bool radio_button(const char* label, bool active);
bool primary_button(const char* label);

// A panel with a border; height 0 takes what its content needs.
void begin_card(const char* id, float width, float height, float padding);
void end_card();

// A tooltip for the last item, after the usual delay, wrapped. `title` stands out, `code` is in the code
// face, verbatim.
void tooltip(std::string_view title, std::string_view code, std::string_view body);

// As above, of a rectangle that is no item; shown at once.
void show_tooltip(std::string_view title, std::string_view code, std::string_view body);

}  // namespace megamem::web

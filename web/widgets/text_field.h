// A one-line text field that grows with its text.
#pragma once

#include <string>

namespace megamem::web {

struct TextFieldOptions {
    float width = 0;
    const char* hint = "";
    bool align_right = false;
    bool invalid = false;
    bool page_undo = false;  // Ctrl+Z is the page's, see app/shortcuts.h
    // Called for the up and down arrows: gives the text to put in place, or the same to leave it.
    std::string (*step)(const void* owner, const std::string& text, bool up) = nullptr;
    const void* owner = nullptr;
};

// True when the text changed in this frame.
bool text_field(const char* id, std::string& content, const TextFieldOptions& options);

}  // namespace megamem::web

#pragma once

// Inside the platform layer only: how its C++ and its JavaScript call each other.
//
// JavaScript lives in the `.js` file beside each `.cpp` and is linked with --js-library. Functions named
// `mm_js_*` are written in JavaScript; functions named `mm_on_*` are C++ that JavaScript calls. Strings go to
// JavaScript as pointer and length; they come back through the inbox: JavaScript fills it, and C++ takes it.

#include <cstddef>
#include <string>
#include <string_view>

#include "platform.h"

struct ImGuiPlatformImeData;

namespace megamem::web::platform {

std::string take_inbox();

// The app given to `start`; all its functions are null before.
const App& app();

// Runs ImGui frames without drawing until all queued input is used, inside the DOM event that brought it.
// Some things a browser permits only there: to write the clipboard, or to open the keyboard of a phone.
void flush_input();

bool wants_more_frames();            // idle.cpp: is ImGui in the middle of something?
void note_key_event(bool any_down);  // idle.cpp: for the repetition of held keys

// Each subject is set up once, by `start`, in this order.
void set_up_canvas();
void set_up_pointer();
void set_up_keyboard();
void set_up_text_input();
void set_up_clipboard();
void set_up_link();
void set_up_page();
void set_up_document();
void set_up_files();
void set_up_tests();

// canvas_size.cpp
struct Size {
    int width = 0, height = 0;
};
Size canvas_size();
void apply_canvas_size();  // at the start of a frame; calls App::display_changed if the scale has changed

// What each frame ends with, or begins with.
void update_cursor();      // pointer.cpp
void update_text_input();  // text_input.cpp
void begin_recording();    // test_hooks.cpp, before ImGui::NewFrame
void end_recording();      // test_hooks.cpp, after ImGui::Render

// window_loop.cpp, for the tests
int frames_drawn();
bool is_idle();
bool is_fetching();  // fetch.cpp

}  // namespace megamem::web::platform

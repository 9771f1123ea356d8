#pragma once

// The one seam between the app and the browser. Everything that knows of the DOM, of WebGL or of the window
// lives behind these functions; the app above draws with Dear ImGui and knows nothing of where it runs.
//
// The loop sleeps whenever nothing is going on: an idle page draws no frames at all. DOM input, a new size, a
// changed link and the like wake it by themselves; after a change that comes from elsewhere, call `wake`.
//
// Coordinates are device pixels throughout, so sizes in the app are multiplied by `scale()`.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "desk/question.h"

namespace megamem::web::platform {

// What the app gives to the platform. `draw` must be set, the others may be null.
struct App {
    // Builds one ImGui frame, between ImGui::NewFrame() and ImGui::Render().
    void (*draw)() = nullptr;

    // The link was changed by the user: Back, Forward, or an edited address. Never by replace_hash or
    // push_hash. The text comes as the address bar has it, without '#', maybe percent-encoded, and is not to
    // be trusted.
    void (*hash_changed)(std::string_view hash) = nullptr;

    // Device pixels per CSS pixel, also before the first frame: build the style afresh for it and load fonts.
    // Called outside a frame.
    void (*display_changed)(float scale) = nullptr;

    // The browser switched between light and dark.
    void (*theme_changed)(bool dark) = nullptr;

    // What the page draws in place of a text: for tests.
    std::string_view (*translated)(std::string_view english) = nullptr;

    // Text that arrived while no text field was active (`name` empty), or a file that was dropped or picked.
    void (*text_received)(std::string_view text, std::string_view name) = nullptr;
};

// Makes the window, the WebGL2 context and the ImGui context and starts the loop; returns at once. On failure
// the page tells the reason and the result is false.
bool start(const App& app);

// --- Loop
// -----------------------------------------------------------------------------------------------------

// Draw at least this many more frames. Three let ImGui settle: react, lay out, show.
void wake(int frames = 3);

// Calls `function` once after the delay, outside a frame, and draws afterwards.
void after(int milliseconds, void (*function)());
// The same without drawing.
void after_unseen(int milliseconds, void (*function)());

// --- Display and environment
// ----------------------------------------------------------------------------------

float scale();
bool is_mac();
bool prefers_dark();
std::string language();  // of the browser, such as "en-GB" or "zh-CN"

// The theme of the page around the canvas, so that nothing flashes while loading or resizing. The page reads
// the stored preference "theme" ("light" or "dark"; absent: as the browser) before the app has started.
void set_page_theme(bool dark);
void set_page_language(std::string_view tag);
void set_title(std::string_view title);

// --- Link
// -----------------------------------------------------------------------------------------------------

std::string hash();  // without '#'

// Browsers limit the rate of both (100 in 30 seconds): call them when an edit is finished, not at each step.
// `replace_hash` changes the current history entry; `push_hash` adds one, so that Back returns to the last.
void replace_hash(std::string_view hash);
void push_hash(std::string_view hash);

// The whole address with the current hash: what "Copy link" copies.
std::string address();

// --- Clipboard and files
// --------------------------------------------------------------------------------------

// ImGui's own copy and paste work by themselves. `shown` means that the browser refused, and that the text is
// shown in a box to be copied by hand.
enum class CopyState { none, pending, copied, shown };
void copy_text(std::string_view text);
CopyState copy_state();  // of the last copy_text

void download(std::string_view file_name, std::string_view mime_type, std::string_view text);
// A file beside the page, by name; empty where it can't be had. Later, outside a frame.
void fetch(std::string_view path, void (*received)(std::string bytes));
// The program beside the page (desk/question.h), which is loaded when it is first asked. The answer comes
// later, outside a frame, in the order of the calls; empty where the program can't be had.
void ask_desk(DeskQuestion question, std::string_view text, int number, void (*received)(std::string answer));
// The answer at once; nullopt until the program is there, and a frame is drawn when it has come or can't be
// had.
std::optional<std::string> ask_desk_now(DeskQuestion question, std::string_view text, int number);
enum class DeskState { absent, loading, ready, failed };
DeskState desk_state();
// An SVG picture, drawn and downloaded as PNG.
void download_png(std::string_view file_name, std::string_view svg);
void pick_file();       // the file comes by App::text_received
void show_paste_box();  // for those without a keyboard; the text comes likewise

// --- Small preferences
// ----------------------------------------------------------------------------------------

// Empty where nothing is stored or the browser keeps nothing. Never for scenarios: those live in the link.
std::string stored(std::string_view key);
void store(std::string_view key, std::string_view value);  // an empty value removes the key

// --- Text for those who cannot see a canvas, and for find-in-page, selection and print
// -----------------------------------------------

// Texts as app/document.h codes them. The result beside the canvas; the headline is announced by screen
// readers when it changes. Call it when results change, not in the frame of a keystroke.
void set_mirror(std::string_view title, std::string_view headline, std::string_view coded);

// In place of the canvas, or not. The page remembers it, and its own buttons and keys switch it too.
void show_text_view(bool shown);
bool text_view_is_shown();

// Over the page, until it is closed.
void show_dialog(std::string_view coded);

// --- Start and failure
// ----------------------------------------------------------------------------------------

void ready();                      // hides the loading message; call it when the first frame has been drawn
void fail(std::string_view text);  // shows a failure in the page

// --- Tests
// ----------------------------------------------------------------------------------------------------

// Names a rectangle that is not an ImGui item, such as a bar of a chart, in the current frame. Tests find it
// by label in `window.megamem.items()`; without a test this costs nothing.
void test_mark(const char* label, float x0, float y0, float x1, float y1);

// A text that has no translation where one was asked for: `window.megamem.untranslated()`.
void test_untranslated(std::string_view english);

// Gives another name to the ImGui item with this label in the current window and id stack, in this frame.
// Also needed for combos, which ImGui reports without any label. An empty name means the label itself.
void test_name(const char* item_label, std::string_view name = {});

}  // namespace megamem::web::platform

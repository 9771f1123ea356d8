// What browser tests see of the canvas: the label and the place of each item. Tests then use real mouse and
// keyboard events, so hit-testing stays part of what is tested.
//
// ImGui reports its items to hooks meant for its separate test engine, if built with
// IMGUI_ENABLE_TEST_ENGINE. The hooks are defined here instead. Nothing is recorded unless the page was
// opened with ?test, or a test has set window.megamem.test.

#include "bridge.h"

#include <emscripten.h>
#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cstring>

namespace megamem::web::platform {

extern "C" {
void mm_js_expose_tests();
int mm_js_is_test();
}

namespace {

struct Item {
    ImGuiID id = 0;
    ImRect rect;
    std::string label;
    std::string window;
    ImGuiItemStatusFlags status = 0;
    bool disabled = false;
};

bool recording = false;
std::vector<Item> current;   // of the frame under way
std::vector<Item> complete;  // of the last frame

std::string untranslated;  // texts, each ended as the fields of items are

struct Name {
    ImGuiID id = 0;
    std::string text;
};
std::vector<Name> names;  // given in the frame under way, maybe before their items

// An item is reported twice: first its place, then, if it has one, its label.
Item* latest(ImGuiID id) {
    const auto found =
        std::find_if(current.rbegin(), current.rend(), [&](const Item& item) { return item.id == id; });
    return found != current.rend() ? &*found : nullptr;
}

void append(std::string& out, std::string_view text) {
    for (const char c : text) {
        if (c != '\x1e' && c != '\x1f') out += c;
    }
    out += '\x1f';
}

// In thousandths of a device pixel: enough, and without the weight of printing floating point.
void append(std::string& out, float pixels) {
    append(out, std::to_string(static_cast<long>(pixels * 1000.0f)));
}

std::string status_words(const Item& item) {
    std::string words;
    const auto add = [&](bool is_so, const char* word) {
        if (is_so) words += words.empty() ? word : std::string(" ") + word;
    };
    add((item.status & ImGuiItemStatusFlags_Checked) != 0, "checked");
    add((item.status & ImGuiItemStatusFlags_Opened) != 0, "open");
    add((item.status & ImGuiItemStatusFlags_Inputable) != 0, "input");
    add(item.disabled, "disabled");
    add(item.id != 0 && item.id == ImGui::GetActiveID(), "active");
    return words;
}

}  // namespace

void set_up_tests() {
    mm_js_expose_tests();
}

void begin_recording() {
    recording = mm_js_is_test() != 0;
    ImGui::GetCurrentContext()->TestEngineHookItems = recording;
    current.clear();
    names.clear();
}

void end_recording() {
    if (!recording) return;
    for (const Name& name : names) {
        if (Item* item = latest(name.id)) item->label = name.text;
    }
    complete.swap(current);
}

void test_mark(const char* label, float x0, float y0, float x1, float y1) {
    if (!recording) return;
    const ImGuiWindow* window = ImGui::GetCurrentContext()->CurrentWindow;
    current.push_back({.rect = ImRect(x0, y0, x1, y1), .label = label, .window = window ? window->Name : ""});
}

void test_name(const char* item_label, std::string_view name) {
    if (!recording) return;
    const std::string text(name.empty() ? item_label : name);
    names.push_back({.id = ImGui::GetID(item_label), .text = text});
    // In another language, what is shown stands before it: see text/translate.h.
    names.push_back({.id = ImGui::GetID((std::string("###") + item_label).c_str()), .text = text});
}

void test_untranslated(std::string_view english) {
    if (mm_js_is_test() != 0) append(untranslated, english);
}

extern "C" {

EMSCRIPTEN_KEEPALIVE int mm_on_frames_asked() {
    return frames_drawn();
}
EMSCRIPTEN_KEEPALIVE int mm_on_idle_asked() {
    return is_idle() && !is_fetching() && desk_state() != DeskState::loading ? 1 : 0;
}

EMSCRIPTEN_KEEPALIVE const char* mm_on_untranslated_asked() {
    return untranslated.c_str();
}

EMSCRIPTEN_KEEPALIVE const char* mm_on_translation_asked() {
    static std::string text;
    text = app().translated(take_inbox());
    return text.c_str();
}

// The answer is read from the result: one row an item.
EMSCRIPTEN_KEEPALIVE const char* mm_on_items_asked() {
    static std::string out;
    if (!recording) flush_input();
    out.clear();
    for (const Item& item : complete) {
        if (item.label.empty()) continue;
        append(out, item.label);
        append(out, std::to_string(item.id));
        append(out, item.window);
        append(out, status_words(item));
        for (const float edge : {item.rect.Min.x, item.rect.Min.y, item.rect.Max.x, item.rect.Max.y})
            append(out, edge);
        out += '\x1e';
    }
    return out.c_str();
}

}  // extern "C"

}  // namespace megamem::web::platform

using megamem::web::platform::current;
using megamem::web::platform::latest;

// The names and types of these four are ImGui's.

void ImGuiTestEngineHook_ItemAdd(ImGuiContext* context, ImGuiID id, const ImRect& box,
                                 const ImGuiLastItemData* data) {
    const ImGuiWindow* window = context->CurrentWindow;
    if (id == 0 || window == nullptr) return;
    ImRect seen = box;
    seen.ClipWithFull(window->ClipRect);
    if (seen.GetWidth() <= 0.0f || seen.GetHeight() <= 0.0f) return;  // scrolled out of sight
    const bool disabled = data != nullptr && (data->ItemFlags & ImGuiItemFlags_Disabled) != 0;
    current.push_back({.id = id, .rect = seen, .window = window->Name, .disabled = disabled});
}

void ImGuiTestEngineHook_ItemInfo(ImGuiContext*, ImGuiID id, const char* label, ImGuiItemStatusFlags flags) {
    auto* item = latest(id);
    if (item == nullptr) return;
    item->status = flags;
    if (label == nullptr) return;
    const char* name = std::strstr(label, "###");
    item->label = name != nullptr ? name + 3 : label;
}

void ImGuiTestEngineHook_Log(ImGuiContext*, const char*, ...) {}

const char* ImGuiTestEngine_FindItemDebugLabel(ImGuiContext*, ImGuiID) {
    return nullptr;
}

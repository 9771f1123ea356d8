// Keys, from the DOM's names to ImGui's. Characters come by another way: see text_input.cpp.

#include "bridge.h"

#include <emscripten.h>
#include <imgui.h>

#include <array>
#include <optional>
#include <utility>

namespace megamem::web::platform {

extern "C" void mm_js_watch_keyboard();

namespace {

struct NamedKey {
    std::string_view code;  // KeyboardEvent.code
    ImGuiKey key;
};

constexpr std::array named_keys = std::to_array<NamedKey>({
    {"AltLeft", ImGuiKey_LeftAlt},
    {"AltRight", ImGuiKey_RightAlt},
    {"ArrowDown", ImGuiKey_DownArrow},
    {"ArrowLeft", ImGuiKey_LeftArrow},
    {"ArrowRight", ImGuiKey_RightArrow},
    {"ArrowUp", ImGuiKey_UpArrow},
    {"Backquote", ImGuiKey_GraveAccent},
    {"Backslash", ImGuiKey_Backslash},
    {"Backspace", ImGuiKey_Backspace},
    {"BracketLeft", ImGuiKey_LeftBracket},
    {"BracketRight", ImGuiKey_RightBracket},
    {"CapsLock", ImGuiKey_CapsLock},
    {"Comma", ImGuiKey_Comma},
    {"ContextMenu", ImGuiKey_Menu},
    {"ControlLeft", ImGuiKey_LeftCtrl},
    {"ControlRight", ImGuiKey_RightCtrl},
    {"Delete", ImGuiKey_Delete},
    {"End", ImGuiKey_End},
    {"Enter", ImGuiKey_Enter},
    {"Equal", ImGuiKey_Equal},
    {"Escape", ImGuiKey_Escape},
    {"Home", ImGuiKey_Home},
    {"Insert", ImGuiKey_Insert},
    {"IntlBackslash", ImGuiKey_Oem102},
    {"MetaLeft", ImGuiKey_LeftSuper},
    {"MetaRight", ImGuiKey_RightSuper},
    {"Minus", ImGuiKey_Minus},
    {"NumpadAdd", ImGuiKey_KeypadAdd},
    {"NumpadDecimal", ImGuiKey_KeypadDecimal},
    {"NumpadDivide", ImGuiKey_KeypadDivide},
    {"NumpadEnter", ImGuiKey_KeypadEnter},
    {"NumpadEqual", ImGuiKey_KeypadEqual},
    {"NumpadMultiply", ImGuiKey_KeypadMultiply},
    {"NumpadSubtract", ImGuiKey_KeypadSubtract},
    {"PageDown", ImGuiKey_PageDown},
    {"PageUp", ImGuiKey_PageUp},
    {"Period", ImGuiKey_Period},
    {"Quote", ImGuiKey_Apostrophe},
    {"Semicolon", ImGuiKey_Semicolon},
    {"ShiftLeft", ImGuiKey_LeftShift},
    {"ShiftRight", ImGuiKey_RightShift},
    {"Slash", ImGuiKey_Slash},
    {"Space", ImGuiKey_Space},
    {"Tab", ImGuiKey_Tab},
});

// Keyboards on a screen give no code, only the old key code.
constexpr std::array<std::pair<int, ImGuiKey>, 10> codeless_keys = {{
    {8, ImGuiKey_Backspace},
    {9, ImGuiKey_Tab},
    {13, ImGuiKey_Enter},
    {27, ImGuiKey_Escape},
    {32, ImGuiKey_Space},
    {37, ImGuiKey_LeftArrow},
    {38, ImGuiKey_UpArrow},
    {39, ImGuiKey_RightArrow},
    {40, ImGuiKey_DownArrow},
    {46, ImGuiKey_Delete},
}};

ImGuiKey nth(ImGuiKey first, int offset) {
    return static_cast<ImGuiKey>(static_cast<int>(first) + offset);
}

// "Digit7" -> 7, "F12" -> 12
std::optional<int> number_after(std::string_view prefix, std::string_view code) {
    if (!code.starts_with(prefix) || code.size() == prefix.size() || code.size() > prefix.size() + 2)
        return {};
    int number = 0;
    for (const char c : code.substr(prefix.size())) {
        if (c < '0' || c > '9') return {};
        number = number * 10 + (c - '0');
    }
    return number;
}

ImGuiKey key_of(std::string_view code, int key_code) {
    // Letters by what they type, so that Ctrl+Z is where the keyboard's layout has its Z.
    if (key_code >= 'A' && key_code <= 'Z') return nth(ImGuiKey_A, key_code - 'A');
    if (const auto digit = number_after("Digit", code)) return nth(ImGuiKey_0, *digit);
    if (const auto digit = number_after("Numpad", code)) return nth(ImGuiKey_Keypad0, *digit);
    if (const auto number = number_after("F", code); number && *number >= 1 && *number <= 24) {
        return nth(ImGuiKey_F1, *number - 1);
    }
    for (const NamedKey& named : named_keys) {
        if (named.code == code) return named.key;
    }
    for (const auto& [known_code, key] : codeless_keys) {
        if (known_code == key_code) return key;
    }
    return ImGuiKey_None;
}

constexpr std::size_t key_count = static_cast<std::size_t>(ImGuiKey_NamedKey_COUNT);
std::array<bool, key_count> down_keys{};

bool is_modifier(ImGuiKey key) {
    return key >= ImGuiKey_LeftCtrl && key <= ImGuiKey_RightSuper;
}

void send_key(ImGuiKey key, bool down) {
    down_keys.at(static_cast<std::size_t>(key - ImGuiKey_NamedKey_BEGIN)) = down;
    ImGui::GetIO().AddKeyEvent(key, down);
    bool any_down = false;
    for (std::size_t i = 0; i < key_count; ++i) {
        any_down |= down_keys[i] && !is_modifier(nth(ImGuiKey_NamedKey_BEGIN, static_cast<int>(i)));
    }
    note_key_event(any_down);
}

void send_modifiers(int bits) {
    ImGuiIO& io = ImGui::GetIO();
    io.AddKeyEvent(ImGuiMod_Ctrl, (bits & 1) != 0);
    io.AddKeyEvent(ImGuiMod_Shift, (bits & 2) != 0);
    io.AddKeyEvent(ImGuiMod_Alt, (bits & 4) != 0);
    io.AddKeyEvent(ImGuiMod_Super, (bits & 8) != 0);
}

void release_all_keys() {
    for (std::size_t i = 0; i < key_count; ++i) {
        if (down_keys[i]) send_key(nth(ImGuiKey_NamedKey_BEGIN, static_cast<int>(i)), false);
    }
    send_modifiers(0);
}

}  // namespace

void set_up_keyboard() {
    mm_js_watch_keyboard();
}

extern "C" {

// The code is in the inbox. Modifiers: 1 control, 2 shift, 4 alt, 8 meta.
EMSCRIPTEN_KEEPALIVE void mm_on_key(int key_code, int modifiers, int down) {
    const ImGuiKey key = key_of(take_inbox(), key_code);
    send_modifiers(modifiers);
    if (key == ImGuiKey_None) return;
    send_key(key, down != 0);
    // macOS tells no key-up while the Command key is held: without this, Cmd+V would paste on and on.
    if (down != 0 && (modifiers & 8) != 0 && !is_modifier(key)) send_key(key, false);
}

EMSCRIPTEN_KEEPALIVE void mm_on_keys_released() {
    release_all_keys();
}

EMSCRIPTEN_KEEPALIVE void mm_on_focus(int focused) {
    if (focused == 0) release_all_keys();
    ImGui::GetIO().AddFocusEvent(focused != 0);
}

}  // extern "C"

}  // namespace megamem::web::platform

#include <imgui.h>

#include <algorithm>

#include "app/about.h"
#include "app/imports.h"
#include "app/language.h"
#include "app/preferences.h"
#include "app/state.h"
#include "panels/panels.h"
#include "platform/platform.h"
#include "scenario/presets.h"
#include "text/text.h"
#include "text/translate.h"
#include "widgets/draw.h"
#include "widgets/text_field.h"

namespace megamem::web {

using namespace style;

namespace {

// Below its button, the last item, not over it.
void next_popup_below() {
    const ImVec2 below(ImGui::GetItemRectMin().x, ImGui::GetItemRectMax().y + px(4));
    ImGui::SetNextWindowPos(below, ImGuiCond_Appearing);
}

void saved_button() {
    if (button(words::kSaved)) ImGui::OpenPopup("saved");
    next_popup_below();
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(px(12), px(10)));
    saved_menu();
    ImGui::PopStyleVar();
}

void export_button() {
    if (button(words::kExport)) ImGui::OpenPopup("export");
    next_popup_below();
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(px(12), px(10)));
    export_menu();
    ImGui::PopStyleVar();
}

void preset_button() {
    if (button(words::kPresets)) ImGui::OpenPopup("presets");
    next_popup_below();
    presets_menu();
}

void name_field(float width) {
    const Field& field = *find_field("name");
    std::string name = state().scenario.name;
    if (text_field("##name", name, {.width = width, .hint = words::kNameHint, .page_undo = true}))
        edit_field(field, name);
    platform::test_name("##name", "name");
}

// On a phone the buttons stand in a line of their own, and undo is left to the keyboard.
bool is_narrow() {
    return ImGui::GetMainViewport()->Size.x < px(640);
}

void undo_buttons() {
    ImGui::BeginDisabled(!state().history.can_undo() && state().drafts.empty());
    if (button(words::kUndo)) undo();
    ImGui::EndDisabled();
    ImGui::SameLine();
    ImGui::BeginDisabled(!state().history.can_redo());
    if (button(words::kRedo)) redo();
    ImGui::EndDisabled();
}

void text_and_help_buttons() {
    if (button(words::kTextView)) platform::show_text_view(true);
    tooltip(words::kTextViewName, "", words::kTextViewHelp);
    ImGui::SameLine();
    if (button(words::kHelp)) show_about();
    tooltip(words::kHelpName, "", words::kHelpHelp);
    ImGui::SameLine();
}

void left_buttons() {
    preset_button();
    ImGui::SameLine();
    saved_button();
    ImGui::SameLine();
    if (button(words::kImport)) open_import();
    ImGui::SameLine();
    export_button();
    ImGui::SameLine();
    if (is_narrow()) return text_and_help_buttons();
    undo_buttons();
    ImGui::SameLine();
}

constexpr float kLanguageWidth = 34;

// It bears the name of the other language. The page has no Chinese characters before they are asked for: this
// one is five strokes.
void language_button() {
    const float height = ImGui::GetFrameHeight();
    const bool pressed = ImGui::Button("##language", {px(kLanguageWidth), height});
    platform::test_name("##language", words::kLanguage);
    const ImVec2 low = ImGui::GetItemRectMin();
    const ImVec2 middle(low.x + px(kLanguageWidth) / 2, low.y + height / 2);
    if (is_chinese()) {
        text_at({middle.x - width_of("EN") / 2, middle.y - ImGui::GetTextLineHeight() / 2}, "EN",
                colors().text);
    } else {
        ImDrawList& list = *ImGui::GetWindowDrawList();
        list.AddRect({middle.x - px(5), middle.y - px(3)}, {middle.x + px(5), middle.y + px(2)},
                     colors().text, 0, 0, px(1.2f));
        list.AddLine({middle.x, middle.y - px(6)}, {middle.x, middle.y + px(6)}, colors().text, px(1.2f));
    }
    tooltip(words::kLanguage, "", is_chinese() ? words::kToEnglish : words::kToChinese);
    if (pressed) toggle_language();
}

const char* copy_label() {
    switch (platform::copy_state()) {
        case platform::CopyState::copied:
            return words::kCopied;
        case platform::CopyState::shown:
            return words::kCopyShown;
        default:
            return words::kCopyLink;
    }
}

}  // namespace

void presets_menu() {
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(px(8), px(8)));
    ImGui::PushStyleVar(ImGuiStyleVar_SelectableTextAlign, ImVec2(0.04f, 0.5f));
    if (ImGui::BeginPopup("presets")) {
        for (const ModelPreset& preset : model_presets()) {
            const std::string title(preset.title);
            if (ImGui::Selectable(title.c_str(), preset.id == state().preset, 0, {px(190), px(24)}))
                open_preset(preset.id);
            tooltip(preset.title, preset.id, preset.source);
        }
        ImGui::EndPopup();
    }
    ImGui::PopStyleVar(2);
}

float top_bar_height() {
    return px(is_narrow() ? 88 : 48);
}

void top_bar() {
    const ImVec2 from = ImGui::GetWindowPos();
    const ImVec2 size = ImGui::GetWindowSize();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(from, {from.x + size.x, from.y + size.y}, colors().panel);
    list.AddRectFilled({from.x, from.y + size.y - px(1)}, {from.x + size.x, from.y + size.y},
                       colors().border);

    // Buttons as high as the text field.
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(px(10), px(5)));
    const float line = (px(48) - ImGui::GetFrameHeight()) / 2;
    ImGui::SetCursorPos({px(16), line});
    ImGui::AlignTextToFramePadding();
    {
        const Font title(Type::title);
        text(words::kProduct);
    }
    // The right-hand group is laid out from the right edge: its labels change width.
    const float gap = ImGui::GetStyle().ItemSpacing.x;
    const auto widths = [&](std::initializer_list<const char*> labels) {
        float sum = 0;
        for (const char* label : labels)
            sum += width_of(label) + 2 * ImGui::GetStyle().FramePadding.x + gap;
        return sum;
    };
    const float right_group = (is_narrow() ? 0 : widths({words::kTextView, words::kHelp})) +
                              widths({words::kTheme, copy_label()}) + px(kLanguageWidth + 16);

    ImGui::SameLine(0, px(14));
    const float left_group = is_narrow() ? 0
                                         : widths({words::kPresets, words::kSaved, words::kImport,
                                                   words::kExport, words::kUndo, words::kRedo});
    const float room = size.x - right_group - ImGui::GetCursorPosX() - left_group - gap;
    constexpr float kNarrowestName = 80;
    if (room >= px(kNarrowestName)) {
        name_field(std::min(room, px(220)));
        ImGui::SameLine();
    }
    if (!is_narrow()) left_buttons();
    ImGui::SetCursorPosX(std::max(ImGui::GetCursorPosX(), size.x - right_group));
    if (!is_narrow()) text_and_help_buttons();
    language_button();
    ImGui::SameLine();
    if (button(words::kTheme)) toggle_theme();
    tooltip(words::kThemeHelp, "", "");
    ImGui::SameLine();
    ImGui::PushID("copy");
    if (primary_button(copy_label())) copy_link();
    platform::test_name(copy_label(), words::kCopyLink);
    ImGui::PopID();
    if (is_narrow()) {
        ImGui::SetCursorPos({px(16), line + px(38)});
        left_buttons();
    }
    ImGui::PopStyleVar();
}

}  // namespace megamem::web

#include <imgui.h>

#include "app/preferences.h"
#include "app/state.h"
#include "panels/panels.h"
#include "platform/platform.h"
#include "scenario/presets.h"
#include "text/text.h"
#include "widgets/draw.h"
#include "widgets/text_field.h"

namespace megamem::web {

using namespace style;

namespace {

void preset_menu() {
    if (ImGui::Button(words::kPresets)) ImGui::OpenPopup("presets");
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(px(6), px(6)));
    if (ImGui::BeginPopup("presets")) {
        for (const ModelPreset& preset : model_presets()) {
            const std::string title(preset.title);
            if (ImGui::Selectable(title.c_str(), preset.id == state().preset, 0, {px(190), px(22)}))
                open_preset(preset.id);
            tooltip(preset.title, preset.id, preset.source);
        }
        ImGui::EndPopup();
    }
    ImGui::PopStyleVar();
}

void name_field() {
    const Field& field = *find_field("name");
    std::string name = state().scenario.name;
    if (text_field("##name", name, {.width = px(220), .hint = words::kNameHint})) edit_field(field, name);
    platform::test_name("##name", "name");
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

void top_bar() {
    const ImVec2 from = ImGui::GetWindowPos();
    const ImVec2 size = ImGui::GetWindowSize();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(from, {from.x + size.x, from.y + size.y}, colors().panel);
    list.AddRectFilled({from.x, from.y + size.y - px(1)}, {from.x + size.x, from.y + size.y},
                       colors().border);

    const float line = (size.y - ImGui::GetFrameHeight()) / 2;
    ImGui::SetCursorPos({px(16), line});
    ImGui::AlignTextToFramePadding();
    {
        const Font title(Type::title);
        text(words::kProduct);
    }
    ImGui::SameLine(0, px(14));
    name_field();
    ImGui::SameLine();
    preset_menu();

    // The right-hand group is laid out from the right edge: its labels change width.
    const float padding = 2 * ImGui::GetStyle().FramePadding.x;
    const float copy_width = width_of(copy_label()) + padding;
    const float theme_width = width_of(words::kTheme) + padding;
    ImGui::SameLine();
    const float wanted = size.x - px(16) - copy_width - theme_width - ImGui::GetStyle().ItemSpacing.x;
    ImGui::SetCursorPosX(std::max(ImGui::GetCursorPosX(), wanted));
    if (ImGui::Button(words::kTheme)) toggle_theme();
    tooltip(words::kThemeHelp, "", "");
    ImGui::SameLine();
    ImGui::PushID("copy");
    if (primary_button(copy_label())) copy_link();
    platform::test_name(copy_label(), words::kCopyLink);
    ImGui::PopID();
}

}  // namespace megamem::web

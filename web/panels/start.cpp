// Where to begin, for somebody who comes for the first time and without a link.
#include <imgui.h>

#include "app/imports.h"
#include "app/preferences.h"
#include "app/state.h"
#include "panels/panels.h"
#include "text/text.h"
#include "widgets/draw.h"

namespace megamem::web {

using namespace style;

namespace {

// The same model at two tensor-parallel sizes: one leaves little room, the other much.
constexpr const char* kExampleLink = "v=1&m=deepseek-v3&n=DeepSeek-V3%2C%20TP%204&tp=4&a.v=1&a.m=deepseek-v3&z=1";

// A button, and what comes of it beside it.
bool beginning(const char* label, const char* meaning) {
    constexpr float kButton = 150;
    const bool pressed = button(label, px(kButton));
    ImGui::SameLine(0, px(14));
    ImGui::AlignTextToFramePadding();
    wrapped_text(meaning, colors().muted);
    return pressed;
}

}  // namespace

void start_panel() {
    if (!is_first_visit() || imports().open) return;
    begin_card("start", 0, 0, 16);
    {
        const Font title(Type::title);
        text(words::kStartTitle);
    }
    ImGui::Dummy({0, px(2)});
    if (beginning(words::kStartPreset, words::kStartPresetHelp)) ImGui::OpenPopup("presets");
    presets_menu();
    if (beginning(words::kStartImport, words::kStartImportHelp)) {
        end_first_visit();
        open_import();
    }
    if (beginning(words::kStartExample, words::kStartExampleHelp)) visit_link(kExampleLink);
    if (button(words::kStartDismiss)) end_first_visit();
    end_card();
}

}  // namespace megamem::web

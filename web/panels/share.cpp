// The menu of ways to give the link to others.
#include <imgui.h>

#include "app/share.h"
#include "panels/panels.h"
#include "platform/platform.h"
#include "text/text.h"
#include "text/translate.h"
#include "widgets/draw.h"

namespace megamem::web {

using namespace style;

namespace {

constexpr float kWidth = 170;

bool entry(const char* label, const char* help) {
    const bool pressed = ImGui::Selectable(translated_label(label), false, 0, {px(kWidth), px(24)});
    platform::test_name(label);
    if (help != nullptr) tooltip(label, "", help);
    return pressed;
}

}  // namespace

void share_menu() {
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(px(8), px(8)));
    ImGui::PushStyleVar(ImGuiStyleVar_SelectableTextAlign, ImVec2(0.04f, 0.5f));
    if (ImGui::BeginPopup("share")) {
        if (entry(words::kCopyLink, nullptr)) copy_link();
        if (entry(words::kCopyMarkdown, words::kCopyMarkdownHelp)) copy_markdown();
        if (platform::has_share_sheet() && entry(words::kShareSheet, nullptr)) open_share_sheet();
        ImGui::EndPopup();
    }
    ImGui::PopStyleVar(2);
}

}  // namespace megamem::web

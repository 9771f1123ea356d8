#include "app/layout.h"

#include <imgui.h>

#include "app/imports.h"
#include "app/shortcuts.h"
#include "app/state.h"
#include "panels/panels.h"
#include "style/theme.h"

namespace megamem::web {

using namespace style;

namespace {

constexpr float kInputsWidth = 336;
constexpr float kExplainWidth = 300;
constexpr float kThreeColumns = 1360;  // narrower: the explanation goes below the tables
constexpr float kTwoColumns = 760;     // narrower: one column, of results or of inputs
constexpr float kGap = 16;
constexpr float kSwitch = 40;  // the bar above that one column

enum class Edge { none, left, right };

// A column that scrolls by itself, with the panel's colour and a line at the edge towards the middle.
void begin_column(const char* id, float width, float height, Edge edge, float padding) {
    ImGui::PushStyleColor(ImGuiCol_ChildBg, edge == Edge::none ? colors().page : colors().panel);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(px(padding), px(padding)));
    const ImGuiChildFlags flags =
        (padding > 0 ? ImGuiChildFlags_AlwaysUseWindowPadding : ImGuiChildFlags_None) |
        ImGuiChildFlags_NavFlattened;
    ImGui::BeginChild(id, {width, height}, flags);
    ImGui::PopStyleVar();
    ImGui::PopStyleColor();
    if (edge == Edge::none) return;
    const ImVec2 from = ImGui::GetWindowPos();
    const float x = edge == Edge::right ? from.x + ImGui::GetWindowWidth() - px(1) : from.x;
    ImGui::GetWindowDrawList()->AddRectFilled({x, from.y}, {x + px(1), from.y + ImGui::GetWindowHeight()},
                                              colors().border);
}

void results(bool with_explanation) {
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(px(8), px(12)));
    const auto panel = [](void (*draw)()) {
        ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(px(8), px(6)));
        draw();
        ImGui::PopStyleVar();
    };
    if (imports().open) {
        panel(import_panel);
        ImGui::PopStyleVar();
        return;
    }
    panel(link_panel);
    panel(start_panel);
    panel(verdict_panel);
    panel(tabs_panel);
    switch (state().tab) {
        case Tab::memory:
            panel(ranks_panel);
            panel(modules_panel);
            panel(shards_panel);
            break;
        case Tab::methods:
            panel(methods_panel);
            break;
        case Tab::compare:
            panel(compare_panel);
            break;
        case Tab::notes:
            panel(notes_panel);
            break;
    }
    if (with_explanation) panel(explain_panel);
    ImGui::PopStyleVar();
}

}  // namespace

void draw_page() {
    handle_shortcuts();
    const ImGuiViewport& viewport = *ImGui::GetMainViewport();
    ImGui::SetNextWindowPos(viewport.Pos);
    ImGui::SetNextWindowSize(viewport.Size);
    // The columns scroll, the page doesn't: the keyboard's focus moving into a column must not push it
    // either.
    ImGui::SetNextWindowContentSize(viewport.Size);
    constexpr ImGuiWindowFlags kFlags =
        ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
        ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoScrollWithMouse;
    ImGui::Begin("megamem", nullptr, kFlags);
    const float width = viewport.Size.x;
    const float height = viewport.Size.y - top_bar_height();
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
    ImGui::BeginChild("top", {width, top_bar_height()}, ImGuiChildFlags_NavFlattened,
                      ImGuiWindowFlags_NoScrollbar);
    ImGui::PopStyleVar();
    top_bar();
    ImGui::EndChild();
    ImGui::SetCursorPos({0, top_bar_height()});

    if (width < px(kTwoColumns)) {
        const bool form = state().inputs_shown && !imports().open;
        const float bar = px(kSwitch);
        begin_column("switch", width, bar, Edge::none, 0);
        ImGui::SetCursorPos({px(kGap), px(6)});
        pane_switch();
        ImGui::EndChild();
        begin_column(form ? "inputs" : "results", width, height - bar, form ? Edge::left : Edge::none,
                     form ? 0 : kGap);
        if (form) {
            inputs_panel();
        } else {
            results(true);
        }
        ImGui::EndChild();
    } else {
        const bool three = width >= px(kThreeColumns);
        const float explain = three ? px(kExplainWidth) : 0;
        begin_column("inputs", px(kInputsWidth), height, Edge::right, 0);
        inputs_panel();
        ImGui::EndChild();
        ImGui::SameLine(0, 0);
        begin_column("results", width - px(kInputsWidth) - explain, height, Edge::none, kGap);
        results(!three);
        ImGui::EndChild();
        if (three) {
            ImGui::SameLine(0, 0);
            begin_column("explain", explain, height, Edge::left, kGap);
            explain_panel();
            ImGui::EndChild();
        }
    }
    ImGui::End();
}

}  // namespace megamem::web

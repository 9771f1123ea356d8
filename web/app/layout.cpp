#include "app/layout.h"

#include <imgui.h>

#include <algorithm>
#include <utility>

#include "app/imports.h"
#include "app/preferences.h"
#include "app/shortcuts.h"
#include "app/state.h"
#include "panels/panels.h"
#include "style/theme.h"
#include "widgets/cell.h"
#include "widgets/splitter.h"

namespace megamem::web {

using namespace style;

namespace {

constexpr float kResultsLeast = 420;
constexpr float kThreeColumns = 1360;  // narrower: the explanation takes a part of the results' place
constexpr float kTwoColumns = 760;     // narrower: one column, of results or of inputs
constexpr float kGap = 16;
constexpr float kSwitch = 40;  // the bar above that one column

// A column whose width the reader chooses, in CSS pixels.
struct Side {
    const char* key;  // of what the browser remembers
    int first;
    float least;
    float wish = -1;  // what was chosen, also where the window has no room for it
    float most = 0;   // for which it has

    // Within `room` device pixels, whatever was wished.
    float width(float room) {
        if (wish < 0) wish = static_cast<float>(preferred(key, first));
        most = std::max(room / px(1), least);
        return px(std::clamp(wish, least, most));
    }

    void take(const Split& split, float new_width) {
        if (split.reset) {
            wish = static_cast<float>(first);
        } else if (new_width >= 0) {
            wish = std::clamp(new_width / px(1), least, most);
        }
        if (split.finished) prefer(key, static_cast<int>(wish + 0.5f));
    }
};

Side inputs_side{"inputs_width", 336, 264};
Side explain_side{"explain_width", 300, 220};

constexpr float kSheet = 300;  // the explanation below the results, at most

// A line at an edge, or none, on the colour of the page or of a panel.
enum class Edge { page, panel, left, right, top };

// A column that scrolls by itself, with the panel's colour and a line at the edge towards the middle.
void begin_column(const char* id, float width, float height, Edge edge, float padding) {
    ImGui::PushStyleColor(ImGuiCol_ChildBg, edge == Edge::page ? colors().page : colors().panel);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(px(padding), px(padding)));
    const ImGuiChildFlags flags =
        (padding > 0 ? ImGuiChildFlags_AlwaysUseWindowPadding : ImGuiChildFlags_None) |
        ImGuiChildFlags_NavFlattened;
    ImGui::BeginChild(id, {width, height}, flags);
    ImGui::PopStyleVar();
    ImGui::PopStyleColor();
    if (edge == Edge::page || edge == Edge::panel) return;
    const ImVec2 from = ImGui::GetWindowPos();
    const float x = edge == Edge::right ? from.x + ImGui::GetWindowWidth() - px(1) : from.x;
    const ImVec2 to = edge == Edge::top ? ImVec2(x + ImGui::GetWindowWidth(), from.y + px(1))
                                        : ImVec2(x + px(1), from.y + ImGui::GetWindowHeight());
    ImGui::GetWindowDrawList()->AddRectFilled({x, from.y}, to, colors().border);
}

void results(bool with_remarks) {
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
    if (with_remarks) panel(remarks_panel);
    ImGui::PopStyleVar();
}

bool sheet_shown = false;  // in the frame before

// The results, and below them the explanation of the cell that is selected.
void results_and_explanation(float width, float height) {
    const bool explains = is_explaining() && !imports().open;
    sheet_shown = explains;
    const float sheet = explains ? std::min(px(kSheet), height * 0.45f) : 0;
    const ImVec2 at = ImGui::GetCursorPos();
    begin_column("results", width, height - sheet, Edge::page, kGap);
    // What was chosen must not lie under its explanation.
    if (const auto bottom = just_chosen_bottom(); bottom && explains) {
        const float hidden = *bottom + px(kGap) - ImGui::GetWindowPos().y - ImGui::GetWindowHeight();
        if (hidden > 0) ImGui::SetScrollY(ImGui::GetScrollY() + hidden);
    }
    results(true);
    ImGui::EndChild();
    if (!explains) return;
    ImGui::SetCursorPos({at.x, at.y + height - sheet});
    begin_column("explain", width, sheet, Edge::top, kGap);
    explanation_sheet();
    ImGui::EndChild();
}

}  // namespace

void draw_page() {
    handle_shortcuts(std::exchange(sheet_shown, false));
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
        begin_column("switch", width, bar, Edge::page, 0);
        ImGui::SetCursorPos({px(kGap), px(6)});
        pane_switch();
        ImGui::EndChild();
        if (form) {
            begin_column("inputs", width, height - bar, Edge::panel, 0);
            inputs_panel();
            ImGui::EndChild();
        } else {
            results_and_explanation(width, height - bar);
        }
    } else {
        const bool three = width >= px(kThreeColumns);
        const float middle = px(kResultsLeast);
        const float inputs = inputs_side.width(width - middle - (three ? px(explain_side.least) : 0));
        const float explain = three ? explain_side.width(width - middle - inputs) : 0;
        const ImVec2 origin = ImGui::GetCursorScreenPos();
        begin_column("inputs", inputs, height, Edge::right, 0);
        inputs_panel();
        ImGui::EndChild();
        ImGui::SameLine(0, 0);
        if (three) {
            begin_column("results", width - inputs - explain, height, Edge::page, kGap);
            results(false);
            ImGui::EndChild();
            ImGui::SameLine(0, 0);
            begin_column("explain", explain, height, Edge::left, kGap);
            explain_panel();
            ImGui::EndChild();
        } else {
            results_and_explanation(width - inputs, height);
        }
        const auto border = [&](const char* id, float x) {
            ImGui::SetCursorScreenPos({x, origin.y});
            return splitter(id, x, height);
        };
        const float left = origin.x + inputs;
        const Split first = border("inputs-border", left);
        // Thrown beyond the window's edge, a border is to stop as near to it as it may.
        inputs_side.take(first, first.position == left ? -1 : std::max(first.position - origin.x, 0.0f));
        if (three) {
            const float right = origin.x + width - explain;
            const Split second = border("explain-border", right);
            const float wanted = std::max(origin.x + width - second.position, 0.0f);
            explain_side.take(second, second.position == right ? -1 : wanted);
        }
    }
    ImGui::End();
}

}  // namespace megamem::web

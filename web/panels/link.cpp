// What there is to say of the link that was opened: what it lost stands out, the rest is one quiet line.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "app/state.h"
#include "panels/panels.h"
#include "platform/platform.h"
#include "text/text.h"
#include "text/translate.h"
#include "widgets/draw.h"

namespace megamem::web {

using namespace style;

namespace {

bool is_note(const Problem& problem) {
    return problem.severity == Severity::info;
}

void warnings(const Problems& problems) {
    begin_card("link", 0, 0, 16);
    {
        const Font strong(Type::strong);
        text(words::kFromLink);
    }
    for (const Problem& problem : problems) {
        if (!is_note(problem)) wrapped_text(problem.message, colors().warn);
    }
    if (button(words::kDismiss)) dismiss_link_problems();
    end_card();
}

// One alone is said at once; several open on a click.
void notes(const Problems& problems, std::ptrdiff_t count) {
    const Font small(Type::small);
    bool& open = state().link_notes_open;
    if (count > 1) {
        const ImVec2 from = ImGui::GetCursorScreenPos();
        const std::string line(translated(fmt::format(fmt::runtime(words::kLinkNotes), count)));
        const float height = ImGui::GetTextLineHeight();
        if (ImGui::InvisibleButton("notes", {width_of(line) + px(16), height}, ImGuiButtonFlags_EnableNav))
            open = !open;
        platform::test_name("notes", words::kLinkNotesName);
        const bool under = ImGui::IsItemHovered() || ImGui::IsItemFocused();
        const ImU32 color = under ? colors().text : colors().muted;
        arrow_head({from.x + px(5), from.y + height / 2}, open ? Point::down : Point::right, color);
        text_at({from.x + px(14), from.y}, line, color);
        if (!open) return;
    }
    for (const Problem& problem : problems) {
        if (is_note(problem)) wrapped_text(problem.message, colors().muted);
    }
}

}  // namespace

void link_panel() {
    const Problems& problems = state().link_problems;
    const auto quiet = std::count_if(problems.begin(), problems.end(), is_note);
    if (quiet < static_cast<std::ptrdiff_t>(problems.size())) warnings(problems);
    if (quiet > 0 && !problems.empty()) notes(problems, quiet);  // Dismiss may have sent them away
}

}  // namespace megamem::web

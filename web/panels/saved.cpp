// The menu of scenarios that this browser keeps.
#include "app/saved.h"

#include <fmt/format.h>
#include <imgui.h>

#include "app/state.h"
#include "panels/panels.h"
#include "platform/platform.h"
#include "text/text.h"
#include "text/translate.h"
#include "widgets/draw.h"

namespace megamem::web {

using namespace style;

namespace {

constexpr float kWidth = 320;

// True when the list has changed: its rows must not be drawn on.
bool saved_row(std::size_t index) {
    const Saved& saved = saved_scenarios()[index];
    ImGui::PushID(static_cast<int>(index));
    const float buttons = width_of(words::kDuplicate) + width_of(words::kDelete) + px(44);
    const std::string shown = fitted_verbatim(saved.name, px(kWidth) - buttons);
    bool changed = false;
    if (ImGui::Selectable("##open", false, 0, {px(kWidth) - buttons, px(22)})) {
        open_saved(index);
        ImGui::CloseCurrentPopup();
    }
    platform::test_name("##open", fmt::format("saved {}", saved.name));
    ImGui::SameLine(px(12));
    verbatim(shown);
    ImGui::SameLine(px(kWidth) - buttons + px(8));
    if (small_button(words::kDuplicate)) {
        duplicate_saved(index);
        changed = true;
    }
    platform::test_name(words::kDuplicate, fmt::format("duplicate {}", shown));
    ImGui::SameLine();
    if (!changed && small_button(words::kDelete)) {
        delete_saved(index);
        changed = true;
    }
    platform::test_name(words::kDelete, fmt::format("delete {}", shown));
    ImGui::PopID();
    return changed;
}

}  // namespace

void saved_menu() {
    if (!ImGui::BeginPopup("saved")) return;
    if (!saving_works()) {
        ImGui::PushTextWrapPos(px(kWidth));
        text(words::kKeepsNothing, colors().warn);
        ImGui::PopTextWrapPos();
        ImGui::EndPopup();
        return;
    }
    const std::string& name = state().scenario.name;
    const std::string shown(name.empty() ? translated(words::kUnnamed) : name);
    const std::string label =
        fmt::format("{} “{}”###save", translated(is_saved(shown) ? words::kReplace : words::kSave),
                    fitted_verbatim(shown, px(kWidth - 120)));
    if (ImGui::Button(label.c_str())) save_scenario();
    platform::test_name(label.c_str(), "save");
    for (std::size_t i = 0; i < saved_scenarios().size(); ++i) {
        if (saved_row(i)) break;
    }
    if (saved_scenarios().empty()) text(words::kNothingSaved, colors().muted);
    ImGui::EndPopup();
}

}  // namespace megamem::web

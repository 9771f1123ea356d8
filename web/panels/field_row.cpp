#include "panels/field_row.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "app/help.h"
#include "app/state.h"
#include "base/text.h"
#include "panels/field_defaults.h"
#include "panels/stages.h"
#include "platform/platform.h"
#include "text/text.h"
#include "widgets/draw.h"
#include "widgets/text_field.h"

namespace megamem::web {

using namespace style;

namespace {

constexpr float kInputWidth = 112;
constexpr float kRight = 16;  // space to the panel's edge
constexpr float kLabelLeft = 28;

bool is_wide(const Field& field) {
    return field.type == FieldType::layout || field.type == FieldType::layer_pattern;
}

// Arrow keys: double and halve where that is how the field grows, else one step.
std::string stepped(const void* owner, const std::string& content, bool up) {
    const Field& field = *static_cast<const Field*>(owner);
    const auto value = parse_integer(trim(content));
    if (!value) return content;
    const std::int64_t next =
        field.power_step ? (up ? *value * 2 : *value / 2) : *value + (up ? field.step : -field.step);
    return fmt::format("{}", std::clamp(next, field.min, field.max));
}

std::string shown_text(const State& s, const Field& field) {
    if (const auto draft = s.drafts.find(field.key); draft != s.drafts.end()) return draft->second.text;
    return is_set(s.scenario, field) ? get_text(s.scenario, field) : std::string();
}

void text_input(const Field& field, float width) {
    const State& s = state();
    std::string content = shown_text(s, field);
    const std::string hint = field.required ? std::string() : default_text(s, field);
    const bool invalid =
        s.drafts.contains(field.key) ||
        std::any_of(s.report.problems.begin(), s.report.problems.end(),
                    [&](const Problem& p) { return p.severity == Severity::error && p.path == field.key; });
    const TextFieldOptions options = {.width = width,
                                      .hint = hint.c_str(),
                                      .align_right = !is_wide(field),
                                      .invalid = invalid,
                                      .page_undo = true,
                                      .step = field.type == FieldType::integer ? stepped : nullptr,
                                      .owner = &field};
    if (text_field("##value", content, options)) edit_field(field, content);
    platform::test_name("##value", field.key);
}

void boolean_input(const Field& field) {
    bool on = get_text(state().scenario, field) == "1";
    // A square smaller than a field, on the middle of its line.
    ImGui::SetCursorPosY(ImGui::GetCursorPosY() + px(2));
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(px(3), px(3)));
    if (ImGui::Checkbox("##value", &on)) edit_field(field, on ? "1" : "0");
    platform::test_name("##value", field.key);
    ImGui::PopStyleVar();
}

void choice_input(const Field& field, float width) {
    const std::string current = get_text(state().scenario, field);
    ImGui::SetNextItemWidth(width);
    if (ImGui::BeginCombo("##value", current.c_str(), ImGuiComboFlags_HeightLarge)) {
        for (const std::string_view choice : field.choices()) {
            if (ImGui::Selectable(std::string(choice).c_str(), choice == current)) edit_field(field, choice);
        }
        ImGui::EndCombo();
    }
    platform::test_name("##value", field.key);
}

void words_input(const Field& field, float width) {
    const std::string current = get_text(state().scenario, field);
    auto chosen = split(current, ',');
    if (current.empty()) chosen.clear();
    const std::string shown =
        chosen.empty() ? std::string(kUnset) : fmt::format("{}", fmt::join(chosen, ", "));
    ImGui::SetNextItemWidth(width);
    if (ImGui::BeginCombo("##value", fitted(shown, width - px(34)).c_str(), ImGuiComboFlags_HeightLarge)) {
        for (const std::string_view choice : field.choices()) {
            const auto at = std::find(chosen.begin(), chosen.end(), choice);
            bool on = at != chosen.end();
            if (!ImGui::Checkbox(std::string(choice).c_str(), &on)) continue;
            if (on) {
                chosen.push_back(choice);
            } else {
                chosen.erase(at);
            }
            edit_field(field, fmt::format("{}", fmt::join(chosen, ",")));
            break;  // the words belong to the old text
        }
        ImGui::EndCombo();
    }
    platform::test_name("##value", field.key);
}

void input(const Field& field, float width) {
    switch (field.type) {
        case FieldType::boolean:
            boolean_input(field);
            break;
        case FieldType::choice:
            choice_input(field, width);
            break;
        case FieldType::words:
            words_input(field, width);
            break;
        default:
            text_input(field, width);
            break;
    }
}

void label(const Field& field, float width) {
    const State& s = state();
    const ImVec2 from = ImGui::GetCursorScreenPos();
    if (!equal(s.scenario, s.base, field)) {
        const ImVec2 center(from.x - px(9), from.y + ImGui::GetFrameHeight() / 2);
        ImGui::GetWindowDrawList()->AddCircleFilled(center, px(3), colors().accent);
        // The mark is a button that takes the change back.
        ImGui::SetCursorScreenPos({center.x - px(8), center.y - px(8)});
        if (ImGui::InvisibleButton("reset", {px(16), px(16)})) reset_field(field);
        tooltip("Changed", "", fmt::format("Was {}. Click to reset.", get_text(s.base, field)));
        ImGui::SetCursorScreenPos(from);
    }
    ImGui::AlignTextToFramePadding();
    text(fitted(field.label, width));
}

void explain(const Field& field) {
    if (!ImGui::IsItemHovered(ImGuiHoveredFlags_DelayNormal | ImGuiHoveredFlags_AllowWhenDisabled)) return;
    const std::string name = field.flag.empty() ? std::string(field.key) : std::string(field.flag);
    std::string body(help_for(field));
    body += fmt::format("{}{}.", body.empty() ? "" : "\n", describe_range(field));
    if (!field.unit.empty()) body += fmt::format(" Unit: {}.", field.unit);
    show_tooltip(field.label, name, body);
}

// What is wrong stands in place, under the field.
void complaint(const Field& field) {
    const State& s = state();
    std::string_view reason;
    ImU32 color = colors().bad;
    if (const auto draft = s.drafts.find(field.key); draft != s.drafts.end()) {
        reason = draft->second.reason;
    } else {
        const auto told = std::find_if(s.report.problems.begin(), s.report.problems.end(),
                                       [&](const Problem& p) { return p.path == field.key; });
        if (told == s.report.problems.end()) return;
        reason = told->message;
        if (told->severity != Severity::error) color = colors().warn;
    }
    const Font small(Type::small);
    ImGui::SetCursorPosX(px(kLabelLeft));
    ImGui::PushTextWrapPos(ImGui::GetWindowWidth() - px(kRight));
    text(reason, color);
    ImGui::PopTextWrapPos();
}

}  // namespace

void field_row(const Field& field) {
    ImGui::PushID(field.key.data());
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(px(8), px(5)));
    const float right = ImGui::GetWindowWidth() - px(kRight);
    const bool wide = is_wide(field);
    const float width = wide ? right - px(kLabelLeft) : px(kInputWidth);
    ImGui::SetCursorPosX(px(kLabelLeft));
    ImGui::BeginGroup();
    label(field, right - px(kLabelLeft) - (wide ? 0 : width + px(8)));
    if (!wide) {
        ImGui::SameLine();
        const float input_width = field.type == FieldType::boolean ? ImGui::GetFontSize() + px(6) : width;
        ImGui::SetCursorPosX(right - input_width);
    }
    input(field, width);
    ImGui::EndGroup();
    explain(field);
    ImGui::PopStyleVar();
    const bool layout = field.type == FieldType::layout;
    if (layout) layout_fault(kLabelLeft, kRight);
    complaint(field);
    if (layout) stages_picture(kLabelLeft, kRight);
    ImGui::PopID();
}

void derived_row(const char* name, const std::string& value) {
    ImGui::SetCursorPosX(px(kLabelLeft));
    text_ending_at(value, ImGui::GetWindowPos().x + ImGui::GetWindowWidth() - px(kRight + 8), colors().muted);
    text(name, colors().muted);
    ImGui::Dummy({0, px(2)});
}

}  // namespace megamem::web

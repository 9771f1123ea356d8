#include "widgets/draw.h"

#include <imgui_internal.h>

#include "style/glyphs.h"
#include "text/translate.h"
#include "widgets/line_breaks.h"

namespace megamem::web {

using namespace style;

namespace {

float width_as_is(std::string_view content) {
    return ImGui::CalcTextSize(content.data(), content.data() + content.size()).x;
}

}  // namespace

void text(std::string_view content, ImU32 color) {
    verbatim(translated(content), color);
}

void verbatim(std::string_view content, ImU32 color) {
    want_glyphs(content);
    const ImGuiWindowTempData& dc = ImGui::GetCurrentWindow()->DC;
    std::string lines;
    if (is_chinese() && dc.TextWrapPos >= 0) {
        lines = broken_into_lines(content, ImGui::CalcWrapWidthForPos(dc.CursorPos, dc.TextWrapPos));
        content = lines;
    }
    ImGui::PushStyleColor(ImGuiCol_Text, color == 0 ? colors().text : color);
    ImGui::TextUnformatted(content.data(), content.data() + content.size());
    ImGui::PopStyleColor();
}

void wrapped_text(std::string_view content, ImU32 color) {
    wrapped_verbatim(translated(content), color);
}

void wrapped_verbatim(std::string_view content, ImU32 color) {
    ImGui::PushTextWrapPos(0.0f);
    verbatim(content, color);
    ImGui::PopTextWrapPos();
}

void text_at(ImVec2 at, std::string_view content, ImU32 color) {
    content = translated(content);
    ImGui::GetWindowDrawList()->AddText(at, color, content.data(), content.data() + content.size());
}

float width_of(std::string_view content) {
    return width_as_is(translated(content));
}

void right_aligned(std::string_view content, ImU32 color) {
    const float room = ImGui::GetContentRegionAvail().x - width_of(content);
    if (room > 0) ImGui::SetCursorPosX(ImGui::GetCursorPosX() + room);
    text(content, color);
}

void heading(std::string_view content) {
    ImGui::Dummy({0, px(4)});
    const Font strong(Type::strong);
    wrapped_text(content);
}

void text_ending_at(std::string_view content, float right, ImU32 color) {
    text_ending_at_place(content, right, ImGui::GetCursorScreenPos().y, color);
}

void text_ending_at_place(std::string_view content, float right, float top, ImU32 color) {
    text_at({right - width_of(content), top}, content, color);
}

std::string fitted(std::string_view content, float width) {
    return fitted_verbatim(translated(content), width);
}

std::string fitted_verbatim(std::string_view content, float width) {
    if (width_as_is(content) <= width) return std::string(content);
    constexpr std::string_view kEllipsis = "…";
    std::string cut(content);
    while (!cut.empty() && width_as_is(cut) + width_as_is(kEllipsis) > width) {
        // Whole UTF-8 characters only.
        while (!cut.empty() && (static_cast<unsigned char>(cut.back()) & 0xC0) == 0x80)
            cut.pop_back();
        if (!cut.empty()) cut.pop_back();
    }
    return cut.append(kEllipsis);
}

void arrow_head(ImVec2 at, Point point, ImU32 color) {
    const float r = px(3.2f);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    if (point == Point::right) {
        list.AddTriangleFilled({at.x - r / 2, at.y - r}, {at.x + r, at.y}, {at.x - r / 2, at.y + r}, color);
        return;
    }
    const float d = point == Point::down ? r : -r;
    list.AddTriangleFilled({at.x - r, at.y - d / 2}, {at.x + r, at.y - d / 2}, {at.x, at.y + d}, color);
}

void pill(std::string_view content, ImU32 color, ImU32 background) {
    const ImVec2 padding(px(10), px(4));
    const ImVec2 from = ImGui::GetCursorScreenPos();
    const ImVec2 size(width_of(content) + 2 * padding.x, ImGui::GetTextLineHeight() + 2 * padding.y);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(from, {from.x + size.x, from.y + size.y}, background, size.y / 2);
    text_at({from.x + padding.x, from.y + padding.y}, content, color);
    ImGui::Dummy(size);
}

bool button(const char* label, float width) {
    return ImGui::Button(translated_label(label), {width, 0});
}

bool small_button(const char* label) {
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(px(8), px(3)));
    const bool pressed = ImGui::Button(translated_label(label));
    ImGui::PopStyleVar();
    return pressed;
}

bool radio_button(const char* label, bool active) {
    return ImGui::RadioButton(translated_label(label), active);
}

bool primary_button(const char* label) {
    ImGui::PushStyleColor(ImGuiCol_Button, colors().accent);
    ImGui::PushStyleColor(ImGuiCol_ButtonHovered, colors().accent);
    ImGui::PushStyleColor(ImGuiCol_ButtonActive, colors().accent);
    ImGui::PushStyleColor(ImGuiCol_Text, colors().accent_text);
    ImGui::PushStyleColor(ImGuiCol_Border, colors().accent);
    const bool pressed = button(label);
    ImGui::PopStyleColor(5);
    return pressed;
}

void begin_card(const char* id, float width, float height, float padding) {
    ImGui::PushStyleColor(ImGuiCol_ChildBg, colors().panel);
    ImGui::PushStyleVar(ImGuiStyleVar_ChildRounding, px(8));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(px(padding), px(padding)));
    const ImGuiChildFlags grow = height <= 0 ? ImGuiChildFlags_AutoResizeY : ImGuiChildFlags_None;
    ImGui::BeginChild(id, {width, height}, ImGuiChildFlags_Borders | ImGuiChildFlags_NavFlattened | grow);
    ImGui::PopStyleVar(2);
    ImGui::PopStyleColor();
}

void end_card() {
    ImGui::EndChild();
}

void show_tooltip(std::string_view title, std::string_view code, std::string_view body) {
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(px(12), px(10)));
    if (ImGui::BeginTooltip()) {
        ImGui::PushTextWrapPos(px(340));
        {
            const Font strong(Type::strong);
            text(title);
        }
        if (!code.empty()) {
            const Font face(Type::code);
            verbatim(code, colors().muted);
        }
        if (!body.empty()) text(body, colors().muted);
        ImGui::PopTextWrapPos();
        ImGui::EndTooltip();
    }
    ImGui::PopStyleVar();
}

void tooltip(std::string_view title, std::string_view code, std::string_view body) {
    if (ImGui::IsItemHovered(ImGuiHoveredFlags_DelayNormal)) show_tooltip(title, code, body);
}

}  // namespace megamem::web

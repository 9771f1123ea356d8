#include "widgets/text_field.h"

#include <imgui.h>

#include <algorithm>

#include "style/glyphs.h"
#include "style/theme.h"
#include "text/translate.h"
#include "widgets/draw.h"

namespace megamem::web {

using namespace style;

namespace {

struct Context {
    std::string& content;
    const TextFieldOptions& options;
};

int on_event(ImGuiInputTextCallbackData* data) {
    auto& context = *static_cast<Context*>(data->UserData);
    if (data->EventFlag == ImGuiInputTextFlags_CallbackResize) {
        context.content.resize(static_cast<std::size_t>(data->BufTextLen));
        data->Buf = context.content.data();
    } else if (data->EventFlag == ImGuiInputTextFlags_CallbackHistory && context.options.step != nullptr) {
        const std::string before(data->Buf, static_cast<std::size_t>(data->BufTextLen));
        const std::string after =
            context.options.step(context.options.owner, before, data->EventKey == ImGuiKey_UpArrow);
        if (after != before) {
            data->DeleteChars(0, data->BufTextLen);
            data->InsertChars(0, after.c_str());
            data->SelectAll();
        }
    }
    return 0;
}

}  // namespace

bool text_field(const char* id, std::string& content, const TextFieldOptions& options) {
    const float side = px(8);
    const std::string hint(translated(options.hint));
    float left = side;
    if (options.align_right) {
        // ImGui knows left-aligned text only; the padding pushes it to the right edge.
        const std::string& shown = content.empty() ? hint : content;
        left = std::max(side, options.width - ImGui::CalcTextSize(shown.c_str()).x - side);
    }
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(left, px(5)));
    ImGui::PushStyleColor(ImGuiCol_Border, options.invalid ? colors().bad : colors().border);
    if (options.invalid) ImGui::PushStyleColor(ImGuiCol_FrameBg, colors().bad_soft);
    ImGui::SetNextItemWidth(options.width);
    want_glyphs(content);
    Context context{content, options};
    ImGuiInputTextFlags flags = ImGuiInputTextFlags_CallbackResize | ImGuiInputTextFlags_AutoSelectAll;
    if (options.page_undo) flags |= ImGuiInputTextFlags_NoUndoRedo;
    if (options.step != nullptr) flags |= ImGuiInputTextFlags_CallbackHistory;
    const bool changed = ImGui::InputTextWithHint(id, hint.c_str(), content.data(), content.capacity() + 1,
                                                  flags, on_event, &context);
    ImGui::PopStyleColor(options.invalid ? 2 : 1);
    ImGui::PopStyleVar();
    return changed;
}

}  // namespace megamem::web

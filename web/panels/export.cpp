// The menu of exports: each can be copied or downloaded.
#include "export/export.h"

#include <fmt/format.h>
#include <imgui.h>

#include "app/state.h"
#include "panels/panels.h"
#include "platform/platform.h"
#include "text/text.h"
#include "widgets/draw.h"

namespace megamem::web {

using namespace style;

namespace {

constexpr float kLabelWidth = 190;
constexpr std::size_t kSvg = kExportFormats.size() - 1;
static_assert(kExportFormats[kSvg].name == "svg");

enum class Way { copy, download, png };

// One at a time: the answer to the last question.
std::size_t asked = 0;
Way way = Way::copy;
bool failed = false;

void came(std::string text) {
    failed = text.empty();
    if (failed) return;
    const ExportFormat& format = kExportFormats[asked];
    switch (way) {
        case Way::copy:
            platform::copy_text(text);
            break;
        case Way::download:
            platform::download(format.file, format.mime_type, text);
            break;
        case Way::png:
            platform::download_png("memory.png", text);
            break;
    }
}

void button(const char* label, const std::string& name, std::size_t format, Way wanted) {
    if (small_button(label)) {
        asked = format;
        way = wanted;
        platform::ask_desk(DeskQuestion::exported, current_link(), static_cast<int>(format), came);
        ImGui::CloseCurrentPopup();
    }
    platform::test_name(label, name);
}

// Copy and download stand in columns of their own.
void line(std::string_view label, std::string_view name, std::size_t format, bool png) {
    ImGui::PushID(name.data());
    text(label);
    const float copy = px(kLabelWidth);
    if (!png) {
        ImGui::SameLine(copy);
        button(words::kCopy, fmt::format("copy {}", name), format, Way::copy);
    }
    ImGui::SameLine(copy + width_of(words::kCopy) + px(34));
    button(words::kDownload, fmt::format("download {}", name), format, png ? Way::png : Way::download);
    ImGui::PopID();
}

}  // namespace

void export_menu() {
    if (!ImGui::BeginPopup("export")) return;
    for (std::size_t i = 0; i < kExportFormats.size(); ++i)
        line(kExportFormats[i].label, kExportFormats[i].name, i, false);
    line(words::kBarsAsPng, "png", kSvg, true);
    if (failed) text(words::kExportFailed, colors().bad);
    ImGui::EndPopup();
}

}  // namespace megamem::web

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "app/evidence.h"
#include "app/mirror.h"
#include "app/state.h"
#include "base/units.h"
#include "panels/panels.h"
#include "panels/tone.h"
#include "platform/platform.h"
#include "text/text.h"
#include "widgets/cell.h"
#include "widgets/draw.h"

namespace megamem::web {

using namespace style;

namespace {

// A figure over its caption; the next one stands to its right.
void figure(const std::string& value, const std::string& caption, Type type = Type::strong) {
    ImGui::BeginGroup();
    {
        const Font font(type);
        // Small figures stand on the line of the large one.
        if (type != Type::figure) ImGui::Dummy({0, px(5)});
        text(value);
    }
    const Font small(Type::small);
    text(caption, colors().muted);
    ImGui::EndGroup();
}

// One that explains itself.
void figure_cell(std::int64_t rank, std::string_view cell, const std::string& value,
                 const std::string& caption, Type type = Type::strong) {
    figure(value, caption, type);
    const ImVec2 from = ImGui::GetItemRectMin();
    const ImVec2 to = ImGui::GetItemRectMax();
    ImGui::SetCursorScreenPos(from);
    if (choosable(fmt::format("verdict {}", cell), {to.x - from.x, to.y - from.y})) select_cell(rank, cell);
    if (is_selected(rank, cell))
        selection_frame({from.x - px(6), from.y - px(4)}, {to.x + px(6), to.y + px(4)}, false);
}

// The next figure on the same line where it fits, else below.
void next_figure(float width) {
    ImGui::SameLine(0, px(20));
    if (ImGui::GetCursorPosX() + width > ImGui::GetWindowWidth() - px(18)) ImGui::NewLine();
}

void figures(const Report& report) {
    const std::int64_t rank = std::max<std::int64_t>(report.worst_rank, 0);
    figure_cell(rank, "total", fmt::format("{} GiB", gib(report.needed())),
                fmt::format("{}, of {} GiB {} on {}", where_of(report), gib(report.capacity.usable),
                            words::kCapacity, report.capacity.gpu),
                Type::figure);
    next_figure(px(90));
    const Bytes room = report.headroom();
    const auto percent = (room < 0 ? -room : room) * 100 / report.capacity.usable;
    figure_cell(rank, "headroom", fmt::format("{} GiB", gib(room < 0 ? -room : room)),
                fmt::format("{}, {} %", room < 0 ? words::kOver : words::kHeadroom, percent));
    next_figure(px(60));
    figure(grouped(report.groups.data_parallel_size), words::kDataParallel);
    if (state().scenario.num_experts > 0) {
        next_figure(px(60));
        figure(grouped(report.groups.expert_data_parallel_size), words::kExpertDataParallel);
    }
    next_figure(px(80));
    figure(report.micro_batches > 0 ? grouped(report.micro_batches) : "–", words::kMicroBatches);
    next_figure(px(110));
    figure(short_count(report.parameters.total),
           report.parameters.active < report.parameters.total
               ? fmt::format("{} {}", short_count(report.parameters.active), words::kActive)
               : words::kParameters);
}

// How near the measured runs most like this scenario were met.
void evidence_figure(const Report& report) {
    if (report.method != Method::detailed) return;
    const LikeRuns found = current_like_runs();
    std::string value = "–";
    std::string caption = words::kNoEvidence;
    if (found.count > 0) {
        value = "± " + percent_text(found.worst);
        caption = found.count == 1 ? words::kEvidenceOfOne
                                   : fmt::format(fmt::runtime(words::kEvidence), found.count);
    }
    {
        const Font small(Type::small);
        next_figure(width_of(caption));
    }
    figure(value, caption);
}

}  // namespace

void verdict_panel() {
    const Report& report = state().report;
    const Verdict verdict = verdict_of(report);
    const Tone tone = tone_of(verdict);
    begin_card("verdict", 0, 0, 16);
    ImGui::BeginGroup();
    if (report.valid) ImGui::Dummy({0, px(8)});
    {
        const Font strong(Type::strong);
        pill(word_of(verdict), tone.color, tone.soft);
        const ImVec2 low = ImGui::GetItemRectMin();
        const ImVec2 high = ImGui::GetItemRectMax();
        platform::test_mark("verdict", low.x, low.y, high.x, high.y);
    }
    ImGui::EndGroup();
    ImGui::SameLine(0, px(20));
    if (report.valid) {
        figures(report);
        evidence_figure(report);
    } else {
        ImGui::BeginGroup();
        for (const Problem& problem : report.problems) {
            if (problem.severity == Severity::error) wrapped_text(problem.message, colors().bad);
        }
        ImGui::EndGroup();
    }
    if (!state().drafts.empty()) {
        const Font small(Type::small);
        wrapped_text(words::kDraftNote, colors().bad);
    }
    end_card();
}

}  // namespace megamem::web

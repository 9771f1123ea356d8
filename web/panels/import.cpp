// Import: what was pasted, what it says field by field, what it leaves open; nothing is applied unseen.
#include <fmt/format.h>
#include <imgui.h>

#include <optional>

#include "app/help.h"
#include "app/imports.h"
#include "app/mirror.h"
#include "base/units.h"
#include "panels/panels.h"
#include "panels/tone.h"
#include "platform/platform.h"
#include "scenario/field.h"
#include "text/text.h"
#include "text/translate.h"
#include "widgets/draw.h"
#include "widgets/text_field.h"

namespace megamem::web {

using namespace style;

namespace {

std::string at_line(std::size_t line) {
    return line == 0 ? std::string() : fmt::format("line {}", line);
}

void pasted_list() {
    for (std::size_t i = 0; i < imports().pasted.size(); ++i) {
        const Pasted& pasted = imports().pasted[i];
        ImGui::PushID(static_cast<int>(i));
        ImGui::AlignTextToFramePadding();
        text(pasted.import.recognised);
        ImGui::SameLine();
        text(fmt::format("{}{} bytes", pasted.name.empty() ? "" : pasted.name + ", ",
                         grouped(static_cast<std::int64_t>(pasted.bytes))),
             colors().muted);
        ImGui::SameLine();
        const bool removed = small_button(words::kRemove);
        platform::test_name(words::kRemove, fmt::format("remove {}", i));
        ImGui::PopID();
        if (removed) {
            remove_pasted(i);
            return;
        }
        for (const Problem& problem : pasted.import.problems) {
            const ImU32 color = problem.severity == Severity::error     ? colors().bad
                                : problem.severity == Severity::warning ? colors().warn
                                                                        : colors().muted;
            wrapped_text(problem.message, color);
        }
    }
    for (const Problem& problem : imports().merged.problems)
        wrapped_text(problem.message, colors().muted);
}

// The text that rules a field is the last one that sets it.
const Taken* ruling(std::string_view key) {
    const Taken* found = nullptr;
    for (const Pasted& pasted : imports().pasted) {
        for (const Taken& taken : pasted.import.taken) {
            if (taken.key == key) found = &taken;
        }
    }
    return found;
}

void taken_row(const Field& field, const Taken& taken) {
    ImGui::PushID(field.key.data());
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    bool on = !imports().left_out.contains(field.key);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(px(2), px(2)));
    if (ImGui::Checkbox("##take", &on)) take_field(field.key, on);
    ImGui::PopStyleVar();
    platform::test_name("##take", fmt::format("take {}", field.key));
    ImGui::SameLine();
    text(field.label);
    tooltip(field.label, field.key, help_for(field));
    ImGui::TableNextColumn();
    const std::string before = get_text(state().scenario, field);
    verbatim(fitted_verbatim(before, ImGui::GetContentRegionAvail().x), colors().muted);
    ImGui::TableNextColumn();
    const bool changes = before != taken.value;
    {
        const Font font(changes && on ? Type::strong : Type::body);
        verbatim(fitted_verbatim(taken.value, ImGui::GetContentRegionAvail().x),
                 on ? colors().text : colors().faint);
    }
    ImGui::TableNextColumn();
    const Font code(Type::code);
    // Some are words: "one node, unless more are named".
    verbatim(fitted_verbatim(translated_whole(taken.source), ImGui::GetContentRegionAvail().x),
             colors().muted);
    tooltip(field.label, taken.source, at_line(taken.line));
    ImGui::PopID();
}

void taken_table() {
    std::size_t count = 0;
    for (const Field& field : field_table())
        count += ruling(field.key) != nullptr ? 1 : 0;
    if (count == 0) return;
    heading(fmt::format(fmt::runtime(words::kTakenTitle), count));
    if (!ImGui::BeginTable("taken", 4, ImGuiTableFlags_BordersInnerH | ImGuiTableFlags_NoSavedSettings))
        return;
    constexpr float kWeights[] = {1.4f, 0.9f, 0.9f, 1.8f};
    const char* const heads[] = {words::kField, words::kNow, words::kNew, words::kFrom};
    for (int i = 0; i < 4; ++i)
        ImGui::TableSetupColumn(heads[i], ImGuiTableColumnFlags_WidthStretch, kWeights[i]);
    ImGui::TableNextRow();
    for (const char* head : heads) {
        ImGui::TableNextColumn();
        const Font small(Type::small);
        text(head, colors().muted);
    }
    for (const Field& field : field_table()) {
        if (const Taken* taken = ruling(field.key)) taken_row(field, *taken);
    }
    ImGui::EndTable();
}

// A field to fill where the text gives no value.
void answer_input(const Field& field) {
    const auto answer = imports().answers.find(field.key);
    std::string content = answer == imports().answers.end() ? std::string() : answer->second.text;
    const bool bad = answer != imports().answers.end() && !answer->second.reason.empty();
    ImGui::PushID(field.key.data());
    ImGui::AlignTextToFramePadding();
    text(field.label);
    ImGui::SameLine(px(190));
    if (text_field("##answer", content, {.width = px(140), .align_right = true, .invalid = bad}))
        answer_field(field, content);
    platform::test_name("##answer", fmt::format("answer {}", field.key));
    if (bad) wrapped_text(answer->second.reason, colors().bad);
    ImGui::PopID();
}

bool is_asked(const Field& field) {
    if (imports().answers.contains(field.key)) return true;
    for (const std::string_view key : imports().merged.missing) {
        if (key == field.key) return true;
    }
    for (const Pasted& pasted : imports().pasted) {
        for (const Question& question : pasted.import.questions) {
            if (question.key == field.key) return true;
        }
    }
    return false;
}

void open_questions() {
    std::size_t count = 0;
    for (const Field& field : field_table())
        count += is_asked(field) ? 1 : 0;
    const bool any_question = std::any_of(imports().pasted.begin(), imports().pasted.end(),
                                          [](const Pasted& p) { return !p.import.questions.empty(); });
    if (count == 0 && !any_question) return;
    heading(words::kOpenTitle);
    for (const Pasted& pasted : imports().pasted) {
        for (const Question& question : pasted.import.questions) {
            const std::string line = at_line(question.line);
            wrapped_text(line.empty() ? question.message : fmt::format("{}: {}", line, question.message),
                         colors().warn);
        }
    }
    for (const Field& field : field_table()) {
        if (is_asked(field)) answer_input(field);
    }
}

void mentions(const char* title, std::vector<Mention> Import::*list) {
    std::string names;
    std::size_t count = 0;
    for (const Pasted& pasted : imports().pasted) {
        for (const Mention& mention : pasted.import.*list) {
            ++count;
            names += fmt::format("{}{}", names.empty() ? "" : ",  ", mention.source);
            if (!mention.note.empty()) names += fmt::format(" ({})", translated(mention.note));
        }
    }
    if (count == 0) return;
    heading(fmt::format(fmt::runtime(title), count));
    const Font code(Type::code);
    wrapped_verbatim(names, colors().muted);
}

void base_choice() {
    ImGui::AlignTextToFramePadding();
    text(words::kStartFrom, colors().muted);
    const bool onto = imports().onto_open_scenario;
    ImGui::SameLine();
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(px(2), px(2)));
    if (radio_button(words::kFromNothing, !onto)) import_onto(false);
    ImGui::SameLine();
    if (radio_button(words::kFromOpen, onto)) import_onto(true);
    ImGui::PopStyleVar();
}

void preview_line() {
    const Report& report = imports().preview;
    const Verdict verdict = verdict_of(report);
    if (verdict == Verdict::invalid) {
        wrapped_text(report.problems.empty() ? "" : report.problems[0].message, colors().bad);
        return;
    }
    text(fmt::format("{}: {} needs {} GiB of {} GiB", word_of(verdict), where_of(report),
                     gib(report.needed()), gib(report.capacity.usable)),
         tone_of(verdict).color);
}

bool anything_taken() {
    return std::any_of(imports().pasted.begin(), imports().pasted.end(),
                       [](const Pasted& p) { return !p.import.taken.empty(); });
}

}  // namespace

void import_panel() {
    begin_card("import", 0, 0, 16);
    {
        const Font title(Type::title);
        text(words::kImport);
    }
    wrapped_text(words::kImportHint, colors().muted);
    ImGui::Dummy({0, px(2)});
    if (button(words::kPasteHere)) platform::show_paste_box();
    ImGui::SameLine();
    if (button(words::kChooseFile)) platform::pick_file();
    ImGui::SameLine();
    if (button(words::kCancel)) {
        close_import();
        end_card();
        return;
    }
    pasted_list();
    if (anything_taken()) {
        base_choice();
        preview_line();
        const bool apply = primary_button(words::kApply);
        open_questions();
        mentions(words::kUnknownTitle, &Import::unknown);
        taken_table();
        mentions(words::kNeutralTitle, &Import::neutral);
        if (apply) apply_import();
    }
    end_card();
}

}  // namespace megamem::web

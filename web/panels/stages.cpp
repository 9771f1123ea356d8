#include "panels/stages.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <vector>

#include "app/state.h"
#include "pipeline/stage_map.h"
#include "platform/platform.h"
#include "text/text.h"
#include "text/translate.h"
#include "widgets/draw.h"

namespace megamem::web {

using namespace style;

namespace {

constexpr float kRow = 19;     // height
constexpr float kCell = 17;    // height of a cell
constexpr float kLetter = 13;  // width of a cell of one letter, at least
constexpr float kWidest = 20;  // and at most
constexpr float kRankLabel = 30;
constexpr float kGap = 7;        // between chunks
constexpr float kTallest = 196;  // beyond, the ranks scroll

enum class Layer { embedding, dense, moe, mtp, output };

struct Kind {
    char letter;  // of Megatron's layouts
    const char* name;
    ImU32 Palette::*color;
};

constexpr Kind kKinds[] = {{'E', words::kKindEmbedding, &Palette::weight},
                           {'t', words::kKindDense, &Palette::grad},
                           {'t', words::kKindMoe, &Palette::activation},
                           {'m', words::kKindMtp, &Palette::optimizer},
                           {'L', words::kKindOutput, &Palette::vision}};

const Kind& kind_of(Layer layer) {
    return kKinds[static_cast<std::size_t>(layer)];
}

// Layers of one kind, one after the other.
struct Run {
    Layer layer;
    std::int64_t first;
    std::int64_t count;
};

std::vector<Run> runs_of(const StageMap& map, const Stage& stage) {
    std::vector<Run> runs;
    const auto add = [&](Layer layer, std::int64_t first, std::int64_t count) {
        if (count == 0) return;
        if (!runs.empty() && runs.back().layer == layer) {
            runs.back().count += count;
        } else {
            runs.push_back({layer, first, count});
        }
    };
    add(Layer::embedding, 0, stage.embedding ? 1 : 0);
    for (std::int64_t i = 0; i < stage.layers; ++i) {
        const std::int64_t layer = stage.first_layer + i;
        add(map.is_moe(layer) ? Layer::moe : Layer::dense, layer, 1);
    }
    add(Layer::mtp, 0, stage.mtp);
    add(Layer::output, 0, stage.output ? 1 : 0);
    return runs;
}

std::string label_of(const Run& run, bool counted) {
    std::string label(1, kind_of(run.layer).letter);
    if (counted && run.count > 1) label += fmt::format("{}", run.count);
    return label;
}

float width_of_run(const Run& run, float letter, bool counted) {
    if (!counted) return letter * static_cast<float>(run.count);
    return std::max(letter, width_of(label_of(run, true)) + px(8));
}

// How the picture is laid out, in device pixels; all that costs time is done once a change.
struct Picture {
    StageMap map;
    std::vector<float> columns;  // where each chunk begins
    float width = 0;
    float letter = 0;      // width of a layer's cell
    bool counted = false;  // "t24" in place of a cell for each layer
    bool used[std::size(kKinds)]{};
    std::uint64_t version = 0;
    float room = 0;
};

float place_columns(Picture& p) {
    const Pipeline& pipeline = *p.map.pipeline;
    p.columns.clear();
    float x = px(kRankLabel);
    for (std::int64_t chunk = 0; chunk < pipeline.chunks; ++chunk) {
        float widest = p.letter;
        for (std::int64_t rank = 0; rank < pipeline.ranks; ++rank) {
            const Stage* stage = p.map.stage(rank, chunk);
            if (stage == nullptr) continue;
            float width = 0;
            for (const Run& run : runs_of(p.map, *stage)) {
                width += width_of_run(run, p.letter, p.counted);
                p.used[static_cast<std::size_t>(run.layer)] = true;
            }
            widest = std::max(widest, width);
        }
        p.columns.push_back(x);
        x += widest + px(kGap);
    }
    return x;
}

const Picture& picture(float room) {
    static Picture made;
    const State& s = state();
    if (made.version == s.version && made.room == room) return made;
    made = {};
    made.version = s.version;
    made.room = room;
    made.map = stage_map(s.scenario);
    if (!made.map.pipeline) return made;
    const Font small(Type::small);
    made.letter = px(kLetter);
    made.width = place_columns(made);
    // Of the room that is left each column of cells gets as much.
    const auto chunks = static_cast<float>(made.columns.size());
    const float cells = made.width - px(kRankLabel) - chunks * px(kGap);
    const float share = made.letter * (room - made.width + cells) / std::max(cells, px(1));
    made.counted = made.width > room;
    if (!made.counted) made.letter = std::min(share, px(kWidest));
    made.width = place_columns(made);
    return made;
}

// A letter on its kind's colour; MoE layers, whose letter is that of dense ones, are underlined as well.
void draw_cell(ImVec2 from, float width, Layer layer, const std::string& label) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImU32 color = colors().*kind_of(layer).color;
    constexpr ImU32 kSoft = 0x66;
    const ImVec2 to(from.x + width - px(1), from.y + px(kCell));
    list.AddRectFilled(from, to, (color & ~IM_COL32_A_MASK) | (kSoft << IM_COL32_A_SHIFT), px(2));
    if (layer == Layer::moe) list.AddRectFilled({from.x, to.y - px(2)}, to, color);
    const float room = px(kCell) - ImGui::GetTextLineHeight();
    text_at({from.x + (to.x - from.x - width_of(label)) / 2, from.y + room / 2 - px(0.5f)}, label,
            colors().text);
}

std::string words_of(const Run& run, std::int64_t layers) {
    std::string text(translated(kind_of(run.layer).name));
    if (run.layer != Layer::dense && run.layer != Layer::moe)
        return run.count > 1 ? fmt::format("{} × {}", text, run.count) : text;
    const std::string which =
        run.count == 1 ? fmt::format(words::kLayerOne, run.first, layers)
                       : fmt::format(words::kLayerRange, run.first, run.first + run.count - 1, layers);
    return text.append(": ").append(translated(which));
}

void tell_stage(const StageMap& map, std::int64_t rank, std::int64_t chunk, const std::vector<Run>& runs) {
    std::int64_t layers = 0;
    for (const Stage& stage : map.pipeline->stages)
        layers += stage.layers;
    std::string body;
    for (const Run& run : runs)
        body += (body.empty() ? "" : "\n") + words_of(run, layers);
    show_tooltip(fmt::format(words::kStageTitle, rank, chunk), letters_of(*map.stage(rank, chunk)),
                 body.empty() ? words::kStageEmpty : body);
}

void draw_stage(const Picture& p, std::int64_t rank, std::int64_t chunk, ImVec2 from) {
    const Stage* stage = p.map.stage(rank, chunk);
    if (stage == nullptr) return;
    const std::vector<Run> runs = runs_of(p.map, *stage);
    float x = from.x;
    for (const Run& run : runs) {
        const float width = width_of_run(run, p.letter, p.counted);
        if (p.counted) {
            draw_cell({x, from.y}, width, run.layer, label_of(run, true));
        } else {
            for (std::int64_t i = 0; i < run.count; ++i)
                draw_cell({x + p.letter * static_cast<float>(i), from.y}, p.letter, run.layer,
                          label_of(run, false));
        }
        x += width;
    }
    if (runs.empty()) {
        text_at({x, from.y}, "–", colors().faint);
        x += p.letter;
    }
    platform::test_mark(fmt::format("stage {} {} {}", rank, chunk, letters_of(*stage)).c_str(), from.x,
                        from.y, x, from.y + px(kCell));
    if (ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(from, {x, from.y + px(kRow)}))
        tell_stage(p.map, rank, chunk, runs);
}

// There can be very many chunks.
bool in_sight(float from, float to) {
    const ImDrawList& list = *ImGui::GetWindowDrawList();
    return to >= list.GetClipRectMin().x && from <= list.GetClipRectMax().x;
}

void rank_row(const Picture& p, std::int64_t rank, float width) {
    const ImVec2 from = ImGui::GetCursorScreenPos();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const bool known = rank < static_cast<std::int64_t>(state().report.ranks.size());
    const bool selected = known && rank == state().selected_rank;
    const std::string id = fmt::format("stages {}", rank);
    if (ImGui::InvisibleButton(id.c_str(), {width, px(kRow)}, ImGuiButtonFlags_EnableNav) && known)
        select_rank(rank);
    if (selected || ImGui::IsItemHovered())
        list.AddRectFilled(from, {from.x + width, from.y + px(kRow)},
                           selected ? colors().accent_soft : colors().field_hover, px(4));
    text_ending_at_place(fmt::format("{}", rank), from.x + px(kRankLabel - 8), from.y + px(2),
                         selected ? colors().text : colors().muted);
    for (std::size_t chunk = 0; chunk < p.columns.size(); ++chunk) {
        const float x = from.x + p.columns[chunk];
        const float end = chunk + 1 < p.columns.size() ? from.x + p.columns[chunk + 1] : from.x + p.width;
        if (in_sight(x, end)) draw_stage(p, rank, static_cast<std::int64_t>(chunk), {x, from.y + px(1)});
    }
}

// Numbers of the chunks, where there are several.
void chunk_row(const Picture& p) {
    const ImVec2 from = ImGui::GetCursorScreenPos();
    float free = from.x;
    for (std::size_t chunk = 0; chunk < p.columns.size(); ++chunk) {
        const float x = from.x + p.columns[chunk];
        const float end = chunk + 1 < p.columns.size() ? from.x + p.columns[chunk + 1] : from.x + p.width;
        if (!in_sight(x, end)) continue;
        std::string label = fmt::format(words::kChunk, chunk);
        if (width_of(label) > end - x) label = fmt::format("{}", chunk);
        if (x < free) continue;
        text_at({x, from.y}, label, colors().faint);
        free = x + width_of(label);
    }
    ImGui::Dummy({p.width, ImGui::GetTextLineHeight() + px(2)});
}

void legend(const Picture& p, float left, float room) {
    const ImVec2 start(left, ImGui::GetCursorScreenPos().y);
    ImVec2 at = start;
    const float line = px(kCell + 3);
    for (std::size_t i = 0; i < std::size(kKinds); ++i) {
        if (!p.used[i]) continue;
        const float width = px(kLetter + 4) + width_of(kKinds[i].name) + px(12);
        if (at.x > start.x && at.x + width - px(12) > start.x + room) at = {start.x, at.y + line};
        draw_cell(at, px(kLetter), static_cast<Layer>(i), std::string(1, kKinds[i].letter));
        text_at({at.x + px(kLetter + 4), at.y + px(1)}, kKinds[i].name, colors().muted);
        at.x += width;
    }
    ImGui::Dummy({0, at.y + line - start.y});
}

// Bytes that go on a UTF-8 character.
bool goes_on(char c) {
    return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
}

}  // namespace

void layout_fault(float left, float right) {
    const Picture& p = picture(ImGui::GetWindowWidth() - px(left + right));
    if (!p.map.fault) return;
    // As much of the text as there is room for, around the character.
    const Font face(Type::code);
    const std::string_view all = state().scenario.pipeline_model_parallel_layout;
    const auto most = static_cast<std::size_t>(
        std::max((ImGui::GetWindowWidth() - px(left + right)) / width_of("0") - 3, 8.0f));
    const std::size_t place = std::min(p.map.fault->position, all.size());
    std::size_t from = all.size() <= most || place <= most / 2 ? 0 : place - most / 2;
    while (from > 0 && goes_on(all[from]))
        --from;
    std::size_t to = std::min(all.size(), from + most);
    while (to < all.size() && goes_on(all[to]))
        ++to;
    std::size_t after = std::min(place + 1, all.size());
    while (after < all.size() && goes_on(all[after]))
        ++after;
    const std::string before = (from > 0 ? "…" : "") + std::string(all.substr(from, place - from));
    ImGui::SetCursorPosX(px(left));
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float line = ImGui::GetTextLineHeight();
    verbatim(before, colors().muted);
    const float x = ImGui::GetItemRectMax().x;
    ImGui::SameLine(0, 0);
    verbatim(all.substr(place, after - place), colors().bad);
    // There is no character at the end.
    const float end = std::max(ImGui::GetItemRectMax().x, x + px(6));
    ImGui::SameLine(0, 0);
    verbatim(std::string(all.substr(after, std::max(to, after) - after)) + (to < all.size() ? "…" : ""),
             colors().muted);
    ImGui::GetWindowDrawList()->AddRectFilled({x, at.y + line}, {end, at.y + line + px(1.5f)}, colors().bad);
    arrow_head({(x + end) / 2, at.y + line + px(6)}, Point::up, colors().bad);
    platform::test_mark(fmt::format("layout-fault {}", place).c_str(), x, at.y, end, at.y + line);
    ImGui::Dummy({0, px(6)});
}

void stages_picture(float left, float right) {
    const Font small(Type::small);
    const float room = ImGui::GetWindowWidth() - px(left + right);
    const Picture& p = picture(room);
    if (!p.map.pipeline) return;
    ImGui::SetCursorPosX(px(left));
    const bool given = !state().scenario.pipeline_model_parallel_layout.empty();
    std::string title(translated(given ? words::kStagesTitle : words::kSplitTitle));
    if (p.columns.size() > 1) title.append(": ").append(translated(words::kRanksAndChunks));
    verbatim(fitted_verbatim(title, room), colors().muted);
    ImGui::SetCursorPosX(px(left));
    const float start = ImGui::GetCursorScreenPos().x;
    const auto ranks = static_cast<int>(p.map.pipeline->ranks);
    const bool wide = p.width > room;
    const float head = p.columns.size() > 1 ? ImGui::GetTextLineHeight() + px(2) : 0;
    const float full =
        head + px(kRow) * static_cast<float>(ranks) + (wide ? ImGui::GetStyle().ScrollbarSize : 0);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
    ImGui::BeginChild("stages", {room, std::min(full, px(kTallest))}, ImGuiChildFlags_NavFlattened,
                      wide ? ImGuiWindowFlags_HorizontalScrollbar : ImGuiWindowFlags_None);
    if (head > 0) chunk_row(p);
    ImGuiListClipper clipper;
    clipper.Begin(ranks, px(kRow));
    while (clipper.Step()) {
        for (int rank = clipper.DisplayStart; rank < clipper.DisplayEnd; ++rank)
            rank_row(p, rank, std::max(p.width, room));
    }
    ImGui::EndChild();
    ImGui::PopStyleVar();
    ImGui::Dummy({0, px(2)});
    legend(p, start, room);
}

}  // namespace megamem::web

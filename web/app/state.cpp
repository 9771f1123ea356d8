#include "app/state.h"

#include <algorithm>

#include "app/link_sync.h"
#include "link/link_pair.h"
#include "memory/estimate.h"
#include "scenario/presets.h"

namespace megamem::web {

namespace {

constexpr std::string_view kFirstPreset = "deepseek-v3";

void evaluate() {
    State& s = state();
    s.report = estimate(s.scenario, s.method);
    if (s.pinned && s.pinned->report.method != s.method)
        s.pinned->report = estimate(s.pinned->scenario, s.method);
    ++s.version;
    const auto ranks = static_cast<std::int64_t>(std::max(s.report.ranks.size(), s.report.shards.size()));
    if (!s.rank_chosen || s.selected_rank >= ranks) {
        s.selected_rank = std::max<std::int64_t>(s.report.worst_rank, 0);
        s.rank_chosen = false;
    }
}

void put(Step step) {
    State& s = state();
    s.scenario = std::move(step.scenario);
    s.preset = std::move(step.preset);
    s.base = std::move(step.base);
    s.drafts.clear();
    s.rank_chosen = false;
    evaluate();
}

void open(Scenario scenario, std::string_view preset_id) {
    const ModelPreset* preset = find_preset(preset_id);
    close_cell();
    put({std::move(scenario), std::string(preset_id), preset ? scenario_of(*preset) : Scenario{}});
}

void pin(Scenario scenario, std::string preset) {
    Report report = estimate(scenario, state().method);
    state().pinned = Pinned{std::move(scenario), std::move(preset), std::move(report)};
    ++state().version;
}

Step now() {
    return {state().scenario, state().preset, state().base};
}

// Typing goes on in one step; a choice is a step.
std::string_view step_name(const Field& field) {
    switch (field.type) {
        case FieldType::boolean:
        case FieldType::choice:
        case FieldType::words:
            return {};
        default:
            return field.key;
    }
}

}  // namespace

State& state() {
    static State the_state;
    return the_state;
}

void open_link(std::string_view hash) {
    ReadLinkPair pair = read_link_pair(hash);
    ReadLink& link = pair.open;
    state().pinned.reset();
    if (link.empty && link.problems.empty()) {
        state().method = Method::detailed;
        open(scenario_of(*find_preset(kFirstPreset)), kFirstPreset);
        state().link_problems.clear();
        return;
    }
    state().method = link.method;
    open(std::move(link.scenario), link.preset);
    state().link_problems = std::move(link.problems);
    if (!pair.compared) return;
    for (Problem& problem : pair.compared->problems) {
        problem.message.insert(0, "A: ");
        state().link_problems.push_back(std::move(problem));
    }
    pin(std::move(pair.compared->scenario), std::move(pair.compared->preset));
    state().tab = Tab::compare;
}

void visit_link(std::string_view hash) {
    flush_link();
    state().history.remember(now(), {});
    open_link(hash);
    push_link();
}

void open_preset(std::string_view id) {
    const ModelPreset* preset = find_preset(id);
    if (preset == nullptr) return;
    flush_link();  // so that Back returns to the last edit
    state().history.remember(now(), {});
    open(scenario_of(*preset), id);
    state().link_problems.clear();
    push_link();
}

void open_scenario(Scenario scenario) {
    flush_link();
    state().history.remember(now(), {});
    close_cell();
    state().link_problems.clear();
    Scenario base = scenario;
    put({std::move(scenario), {}, std::move(base)});
    push_link();
}

void undo() {
    // Text that can't be used is the last thing that was typed.
    if (!state().drafts.empty()) {
        state().drafts.clear();
        evaluate();
        return;
    }
    if (!state().history.can_undo()) return;
    put(state().history.undo(now()));
    write_link_soon();
}

void redo() {
    if (!state().history.can_redo()) return;
    put(state().history.redo(now()));
    write_link_soon();
}

void edit_field(const Field& field, std::string_view text) {
    State& s = state();
    Step before = now();
    if (auto problem = set_text(s.scenario, field, text)) {
        s.drafts[field.key] = {std::string(text), problem->message};
    } else {
        s.drafts.erase(field.key);
        s.history.remember(std::move(before), step_name(field));
    }
    evaluate();
    write_link_soon();
}

void reset_field(const Field& field) {
    State& s = state();
    s.history.remember(now(), {});
    copy_field(s.scenario, s.base, field);
    s.drafts.erase(field.key);
    evaluate();
    write_link_soon();
}

void select_rank(std::int64_t rank) {
    state().selected_rank = rank;
    state().rank_chosen = true;
}

void select_cell(std::int64_t rank, std::string_view cell) {
    select_rank(rank);
    state().selected_cell = cell;
    state().trail.clear();
}

bool is_selected(std::int64_t rank, std::string_view cell) {
    return state().selected_rank == rank && state().selected_cell == cell;
}

void open_part(std::string_view cell) {
    State& s = state();
    s.trail.push_back(s.selected_cell);
    s.selected_cell = cell;
}

void close_part() {
    State& s = state();
    if (s.trail.empty()) return;
    s.selected_cell = s.trail.back();
    s.trail.pop_back();
}

void close_cell() {
    state().selected_cell.clear();
    state().trail.clear();
}

bool is_explaining() {
    return !state().selected_cell.empty() && state().report.valid;
}

void pin_scenario() {
    pin(state().scenario, state().preset);
    write_link_soon();
}

void swap_pinned() {
    State& s = state();
    if (!s.pinned) return;
    const ModelPreset* preset = find_preset(s.pinned->preset);
    s.history.remember(now(), {});
    Pinned open{s.scenario, s.preset, s.report};
    Scenario base = preset != nullptr ? scenario_of(*preset) : s.pinned->scenario;
    put({std::move(s.pinned->scenario), std::move(s.pinned->preset), std::move(base)});
    s.pinned = std::move(open);
    write_link_soon();
}

void drop_pinned() {
    state().pinned.reset();
    ++state().version;
    write_link_soon();
}

void select_method(Method method) {
    if (state().method == method) return;
    state().method = method;
    close_cell();
    evaluate();
    write_link_soon();
}

void select_tab(Tab tab) {
    state().tab = tab;
}

void dismiss_link_problems() {
    state().link_problems.clear();
}

std::string current_link() {
    const State& s = state();
    const std::string open = write_link(s.scenario, s.preset, s.method);
    if (!s.pinned) return open.substr(1);
    return write_link_pair(open, write_link(s.pinned->scenario, s.pinned->preset)).substr(1);
}

}  // namespace megamem::web

#include "app/explained.h"

#include <fmt/format.h>

#include "app/state.h"
#include "desk_question.h"
#include "link/link.h"
#include "memory/explain_records.h"
#include "platform/platform.h"

namespace megamem::web {

namespace {

struct Answer {
    std::string of;
    bool here = false;
    std::optional<Explanation> explanation;
};

void ask(Answer& answer) {
    const State& s = state();
    answer.explanation.reset();
    answer.here = s.selected_cell.empty() || !s.report.valid;
    if (answer.here) return;
    const std::string question = write_link(s.scenario, s.preset, s.method) + kBeforeCell + s.selected_cell;
    const auto records = platform::ask_desk_now(DeskQuestion::explanation, question,
                                                static_cast<int>(s.selected_rank));
    answer.here = records.has_value();
    if (records) answer.explanation = read_explanation_records(*records);
}

}  // namespace

const std::optional<Explanation>& current_explanation() {
    static Answer answer;
    const State& s = state();
    std::string now = fmt::format("{} {} {}", s.version, s.selected_rank, s.selected_cell);
    const bool come = !answer.here && platform::desk_state() == platform::DeskState::ready;
    if (answer.of != now || come) {
        answer.of = std::move(now);
        ask(answer);
    }
    return answer.explanation;
}

}  // namespace megamem::web

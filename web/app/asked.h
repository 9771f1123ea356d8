// What the program beside the page says of what is open: asked again when that has changed, and when the
// program has come.
#pragma once

#include <optional>
#include <string>

#include "desk/question.h"
#include "platform/platform.h"

namespace megamem::web {

template <class Answer>
class Asked {
  public:
    // `now` names what is open; `question` makes the text and `read` an Answer of the records, where they are
    // needed. Nothing until the program is there.
    template <class Question, class Read>
    const std::optional<Answer>& about(std::string now, DeskQuestion kind, int number, Question question,
                                       Read read) {
        const bool come = !here_ && platform::desk_state() == platform::DeskState::ready;
        if (of_ == now && !come) return answer_;
        of_ = std::move(now);
        const auto records = platform::ask_desk_now(kind, question(), number);
        here_ = records.has_value();
        answer_.reset();
        if (records) answer_ = read(*records);
        return answer_;
    }

  private:
    std::string of_;
    bool here_ = false;
    std::optional<Answer> answer_;
};

// Of the open scenario and method: for what depends on nothing else.
std::string open_version();

// Asks again after the program couldn't be loaded.
void ask_desk_again();

}  // namespace megamem::web

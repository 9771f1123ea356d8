#include "app/history.h"

#include <utility>

namespace megamem::web {

namespace {

constexpr std::size_t kMostSteps = 200;

Step take_last(std::vector<Step>& steps) {
    Step step = std::move(steps.back());
    steps.pop_back();
    return step;
}

}  // namespace

void History::remember(Step before, std::string_view name) {
    future_.clear();
    if (!name.empty() && name == open_name_) return;
    open_name_ = name;
    if (past_.size() == kMostSteps) past_.erase(past_.begin());
    past_.push_back(std::move(before));
}

Step History::undo(Step now) {
    future_.push_back(std::move(now));
    open_name_.clear();
    return take_last(past_);
}

Step History::redo(Step now) {
    past_.push_back(std::move(now));
    open_name_.clear();
    return take_last(future_);
}

}  // namespace megamem::web

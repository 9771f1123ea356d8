// Undo and redo of the open scenario, as long as the page is open.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scenario/scenario.h"

namespace megamem::web {

// What a step brings back.
struct Step {
    Scenario scenario;
    std::string preset;
    Scenario base;
};

class History {
  public:
    // Keeps `before`, the state that is about to be left. Changes with the same name one after the other,
    // such as the digits typed into a field, are one step; a change without a name always is one of its own.
    void remember(Step before, std::string_view name);

    bool can_undo() const { return !past_.empty(); }
    bool can_redo() const { return !future_.empty(); }

    // Gives the step to go to, and keeps `now` for the other direction. Only where can_undo(), can_redo().
    Step undo(Step now);
    Step redo(Step now);

    // The next change is a step of its own, whatever its name.
    void close_step() { open_name_.clear(); }

  private:
    std::vector<Step> past_;
    std::vector<Step> future_;
    std::string open_name_;
};

}  // namespace megamem::web

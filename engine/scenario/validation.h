// Megatron-LM's size checks, as a table of rules. A rule is an error for some methods and a warning for the
// others: a number that can still be given is given, with the refusal beside it.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/problem.h"
#include "scenario/defaults.h"
#include "scenario/method.h"
#include "scenario/scenario.h"

namespace megamem {

// The methods for which a broken rule is an error.
class MethodSet {
  public:
    template <class... Methods>
    static constexpr MethodSet of(Methods... methods) {
        MethodSet set;
        ((set.bits_ |= 1u << static_cast<unsigned>(methods)), ...);
        return set;
    }
    static constexpr MethodSet none() { return {}; }
    static constexpr MethodSet all() {
        return of(Method::detailed, Method::calculator, Method::megatron_report);
    }
    constexpr bool contains(Method method) const {
        return (bits_ >> static_cast<unsigned>(method) & 1u) != 0;
    }

  private:
    unsigned bits_ = 0;
};

struct Rule {
    std::string_view code;
    std::array<std::string_view, 4> fields;  // what it speaks of; the first is the problem's path
    MethodSet errors_in;
    std::string_view source;
    // The sentence to show where the rule is broken.
    std::optional<std::string> (*broken)(const Scenario&, const Resolved&);
};

std::span<const Rule> rules();

// Applies every rule: all problems at once.
void validate(const Scenario& scenario, const Resolved& resolved, Method method, Problems& problems);

}  // namespace megamem

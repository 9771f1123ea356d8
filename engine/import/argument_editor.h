// A stream of arguments that a reader rewrites: flags of its own into fields.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "import/megatron_arguments.h"

namespace megamem {

class ArgumentEditor {
  public:
    explicit ArgumentEditor(std::vector<Argument> arguments);

    std::vector<Argument> take() { return std::move(arguments_); }

    // The last one, which counts; null where there is none.
    const Argument* find(std::string_view flag) const;
    // Likewise, and not where its value turns it off.
    const Argument* find_on(std::string_view flag) const;
    // Its value where that is a whole number from 1 to `most`.
    std::optional<std::int64_t> number(std::string_view flag, std::int64_t most = 100'000) const;

    void remove(std::string_view flag);
    // A value that follows from another argument.
    void add(std::string_view flag, std::string value, const Argument& from);
    // A question that another argument raises.
    void ask(std::string_view flag, std::string why, const Argument& from);
    void rename(std::string_view flag, std::string_view to);

  private:
    std::vector<Argument> arguments_;
};

}  // namespace megamem

// verl's sizes of a step, which are none of Megatron-LM's: prompt and response make a sequence, prompts and
// answers a batch, and dynamic batches pack tokens.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "import/megatron_arguments.h"
#include "import/settings.h"

namespace megamem {

class VerlSizes {
  public:
    // False where the name is none of these. The setting must live until settle().
    bool take(std::string_view name, const Setting& setting);

    // Fills in what follows, once all settings are taken.
    void settle();

    std::vector<Argument> arguments;
    std::vector<std::pair<const Setting*, std::string_view>> neutral;  // with a note
    std::vector<const Setting*> foreign;                               // strategies that aren't Megatron-LM

  private:
    struct Number {
        const Setting* setting = nullptr;
        std::optional<std::int64_t> value;
    };

    void add(std::string_view flag, const Setting& setting);
    void combine(std::string_view flag, const Number& a, const Number& b, bool product);

    Number mini_batch_;
    Number answers_;
    Number prompt_;
    Number response_;
    const Setting* dynamic_ = nullptr;
    const Setting* tokens_ = nullptr;
};

}  // namespace megamem

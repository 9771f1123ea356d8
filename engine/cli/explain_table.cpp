#include "cli/explain_table.h"

#include <fmt/format.h>

#include "base/units.h"

namespace megamem::cli {

std::string explain_table(const std::vector<Explanation>& explanations) {
    std::string text;
    for (const Explanation& e : explanations) {
        text += fmt::format("\n{}, {}{}\n", e.component, e.kind,
                            e.module.empty() ? "" : fmt::format(" of {}", e.module));
        text += fmt::format("  {}\n", e.symbols);
        const std::string times =
            e.multiplicity == 1 ? "" : fmt::format(" × {} layers in flight", e.multiplicity);
        const std::string numbers = times.empty() || e.substitution.empty()
                                        ? e.substitution
                                        : fmt::format("({}){}", e.substitution, times);
        text += fmt::format("  {}{}= {} bytes = {} GiB\n", numbers, numbers.empty() ? "" : " ", e.result,
                            gib(e.result));
        for (const Symbol& symbol : e.legend)
            text += fmt::format("    {} = {}: {}\n", symbol.name, symbol.value, symbol.meaning);
        for (const ExplanationPart& part : e.parts)
            text += fmt::format("    {}: {}, {} bytes\n", part.name, part.text, part.bytes);
        text += fmt::format("  {}\n", e.source);
    }
    return text;
}

}  // namespace megamem::cli

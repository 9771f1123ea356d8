#include "cli/explain_table.h"

#include <fmt/format.h>

#include "base/units.h"

namespace megamem::cli {

namespace {

std::string amount(const Explanation& e) {
    if (e.exact) return fmt::format("{} {}", number(*e.exact), e.unit);
    if (e.unit != "bytes") return fmt::format("{} {}", e.result, e.unit);
    const bool negative = e.result < 0;
    return fmt::format("{} bytes = {}{} GiB", e.result, negative ? "-" : "",
                       gib(negative ? -e.result : e.result));
}

std::string part_line(const ExplanationPart& part, std::string_view unit) {
    std::string line = fmt::format("    {}: ", part.name);
    if (!part.text.empty()) line += part.text + ", ";
    line += part.exact ? number(*part.exact) : fmt::format("{}", part.bytes);
    line += fmt::format(" {}", unit);
    if (!part.cell.empty()) line += fmt::format("  [{}]", part.cell);
    return line + "\n";
}

}  // namespace

std::string explain_table(const std::vector<Explanation>& explanations) {
    std::string text;
    for (const Explanation& e : explanations) {
        text += fmt::format("\n{}\n  {}\n", e.title, e.symbols);
        const std::string times =
            e.multiplicity == 1 ? "" : fmt::format(" × {} layers in flight", e.multiplicity);
        const std::string numbers = times.empty() || e.substitution.empty()
                                        ? e.substitution
                                        : fmt::format("({}){}", e.substitution, times);
        text += fmt::format("  {}{}= {}\n", numbers, numbers.empty() ? "" : " ", amount(e));
        for (const Symbol& symbol : e.legend)
            text += fmt::format("    {} = {}: {}\n", symbol.name, symbol.value, symbol.meaning);
        for (const ExplanationPart& part : e.parts)
            text += part_line(part, e.unit);
        text += fmt::format("  {}\n", e.source);
        for (const Assumption& assumption : e.assumptions)
            text += fmt::format("  - {}\n", assumption.message);
    }
    return text;
}

}  // namespace megamem::cli

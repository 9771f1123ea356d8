#include "app/explained.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/asked.h"
#include "app/state.h"
#include "base/units.h"
#include "link/link.h"
#include "memory/explain_records.h"
#include "text/translate.h"

namespace megamem::web {

const std::optional<Explanation>& current_explanation() {
    static Asked<Explanation> asked;
    static const std::optional<Explanation> none;
    const State& s = state();
    if (s.selected_cell.empty() || !s.report.valid) return none;
    return asked.about(
        fmt::format("{} {} {}", open_version(), s.selected_rank, s.selected_cell), DeskQuestion::explanation,
        static_cast<int>(s.selected_rank),
        [&] { return write_link(s.scenario, s.preset, s.method) + kBeforeCell + s.selected_cell; },
        read_explanation_records);
}

FormulaTexts formula_texts(const Explanation& e) {
    constexpr std::size_t kShortSum = 4;
    const bool in_words = e.sum && e.parts.size() > kShortSum;
    const std::size_t end = std::min(e.symbols.find(';'), e.symbols.size());
    FormulaTexts texts;
    if (!in_words && e.sum && !e.parts.empty()) {
        // "weights + gradients"
        for (const ExplanationPart& part : e.parts)
            texts.symbols.append(texts.symbols.empty() ? "" : " + ").append(translated(part.name));
    } else if (!in_words) {
        texts.symbols = translated_whole(std::string_view(e.symbols).substr(0, end));
    }
    texts.words = e.symbols.substr(std::min(end + 2, e.symbols.size()));
    texts.numbers =
        in_words ? std::string(translated(fmt::format("{} parts", e.parts.size()))) : e.substitution;
    if (e.multiplicity > 1 && !texts.numbers.empty())
        texts.numbers += translated(fmt::format("\n× {} layers and micro-batches", e.multiplicity));
    texts.numbers +=
        fmt::format("{}= {} {}", texts.numbers.empty() ? "" : "\n", amount(e.result), translated(e.unit));
    return texts;
}

std::string amount(Bytes value) {
    return value < 0 ? "-" + grouped(-value) : grouped(value);
}

}  // namespace megamem::web

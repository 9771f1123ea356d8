#include "memory/explain_records.h"

#include "base/records.h"

namespace megamem {

namespace {

// Kinds of records.
constexpr std::string_view kCell = "cell";        // what it is
constexpr std::string_view kFormula = "formula";  // how it came about
constexpr std::string_view kSymbol = "symbol";
constexpr std::string_view kPart = "part";
constexpr std::string_view kAssumption = "assumption";

void take(const Record& record, Explanation& e) {
    if (record.kind == kCell) {
        e.cell = record.text(0);
        e.title = record.text(1);
        e.component = record.text(2);
        e.module = record.text(3);
        e.kind = record.text(4);
        e.source = record.text(5);
    } else if (record.kind == kFormula) {
        e.symbols = record.text(0);
        e.substitution = record.text(1);
        e.result = record.number(2);
        e.unit = record.text(3);
        e.multiplicity = record.number(4);
        e.sum = record.number(5) != 0;
    } else if (record.kind == kSymbol) {
        e.legend.push_back({record.text(0), record.text(1), record.text(2)});
    } else if (record.kind == kPart) {
        e.parts.push_back({record.text(0), record.text(1), record.number(2), record.text(3), {}});
    } else if (record.kind == kAssumption) {
        e.assumptions.push_back({{}, record.text(0)});
    }
}

}  // namespace

std::string write_explanation_records(const std::optional<Explanation>& explanation) {
    if (!explanation) return {};
    const Explanation& e = *explanation;
    RecordWriter out;
    out.add(kCell, e.cell, e.title, e.component, e.module, e.kind, e.source);
    out.add(kFormula, e.symbols, e.substitution, e.result, e.unit, e.multiplicity, e.sum);
    for (const Symbol& symbol : e.legend)
        out.add(kSymbol, symbol.name, symbol.value, symbol.meaning);
    for (const ExplanationPart& part : e.parts)
        out.add(kPart, part.name, part.text, part.bytes, part.cell);
    for (const Assumption& assumption : e.assumptions)
        out.add(kAssumption, assumption.message);
    return out.take();
}

std::optional<Explanation> read_explanation_records(std::string_view records) {
    if (!records.starts_with(kCell)) return std::nullopt;
    Explanation e;
    while (!records.empty())
        take(take_record(records), e);
    return e;
}

}  // namespace megamem

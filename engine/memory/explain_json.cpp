#include "memory/explain_json.h"

namespace megamem {

namespace {

// As the report has it: a shard's bytes are no integers.
OrderedJson number_of(Bytes bytes, const std::optional<double>& exact) {
    return exact ? OrderedJson(*exact) : OrderedJson(bytes);
}

}  // namespace

OrderedJson json_of(const Explanation& e) {
    OrderedJson legend = OrderedJson::array();
    for (const Symbol& symbol : e.legend)
        legend.push_back({{"symbol", symbol.name}, {"value", symbol.value}, {"meaning", symbol.meaning}});
    OrderedJson parts = OrderedJson::array();
    for (const ExplanationPart& part : e.parts)
        parts.push_back({{"name", part.name},
                         {"text", part.text},
                         {"bytes", number_of(part.bytes, part.exact)},
                         {"cell", part.cell}});
    OrderedJson assumptions = OrderedJson::array();
    for (const Assumption& assumption : e.assumptions)
        assumptions.push_back({{"id", assumption.id}, {"message", assumption.message}});
    return {{"cell", e.cell},
            {"title", e.title},
            {"component", e.component},
            {"module", e.module.empty() ? e.component : e.module},
            {"kind", e.kind},
            {"symbols", e.symbols},
            {"substitution", e.substitution},
            {"multiplicity", e.multiplicity},
            {"bytes", number_of(e.result, e.exact)},
            {"unit", e.unit},
            {"sum", e.sum},
            {"source", e.source},
            {"legend", legend},
            {"parts", parts},
            {"assumptions", assumptions}};
}

OrderedJson json_of(const std::vector<Explanation>& explanations) {
    OrderedJson json = OrderedJson::array();
    for (const Explanation& explanation : explanations)
        json.push_back(json_of(explanation));
    return json;
}

std::string with_explanations(std::string report, const std::vector<Explanation>& explanations, int indent) {
    if (explanations.empty()) return report;
    OrderedJson json = OrderedJson::parse(report, nullptr, false);
    json["explanations"] = json_of(explanations);
    return json.dump(indent, ' ', false, OrderedJson::error_handler_t::replace);
}

}  // namespace megamem

#include "memory/explain_json.h"

namespace megamem {

OrderedJson json_of(const Explanation& e) {
    OrderedJson legend = OrderedJson::array();
    for (const Symbol& symbol : e.legend)
        legend.push_back({{"symbol", symbol.name}, {"value", symbol.value}, {"meaning", symbol.meaning}});
    OrderedJson parts = OrderedJson::array();
    for (const ExplanationPart& part : e.parts)
        parts.push_back({{"name", part.name}, {"text", part.text}, {"bytes", part.bytes}});
    return {{"component", e.component},
            {"module", e.module.empty() ? e.component : e.module},
            {"kind", e.kind},
            {"symbols", e.symbols},
            {"substitution", e.substitution},
            {"multiplicity", e.multiplicity},
            {"bytes", e.result},
            {"source", e.source},
            {"legend", legend},
            {"parts", parts}};
}

std::string with_explanations(std::string report, const std::vector<Explanation>& explanations, int indent) {
    if (explanations.empty()) return report;
    OrderedJson json = OrderedJson::parse(report, nullptr, false);
    json["explanations"] = OrderedJson::array();
    for (const Explanation& explanation : explanations)
        json["explanations"].push_back(json_of(explanation));
    return json.dump(indent, ' ', false, OrderedJson::error_handler_t::replace);
}

}  // namespace megamem

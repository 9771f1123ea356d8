#include "import/import_json.h"

#include "base/json_reader.h"
#include "memory/report_json.h"

namespace megamem {

namespace {

OrderedJson json_of(const std::vector<Taken>& list) {
    OrderedJson json = OrderedJson::array();
    for (const Taken& t : list)
        json.push_back({{"key", t.key}, {"value", t.value}, {"source", t.source}, {"line", t.line}});
    return json;
}

OrderedJson json_of(const std::vector<Mention>& list) {
    OrderedJson json = OrderedJson::array();
    for (const Mention& m : list)
        json.push_back({{"source", m.source}, {"line", m.line}, {"note", m.note}});
    return json;
}

OrderedJson json_of(const std::vector<Question>& list) {
    OrderedJson json = OrderedJson::array();
    for (const Question& q : list)
        json.push_back({{"key", q.key}, {"source", q.source}, {"line", q.line}, {"message", q.message}});
    return json;
}

OrderedJson json_of(const Problems& list) {
    OrderedJson json = OrderedJson::array();
    for (const Problem& problem : list)
        json.push_back(megamem::json_of(problem));
    return json;
}

}  // namespace

std::string write_import_json(const Import& import) {
    OrderedJson json;
    json["format"] = static_cast<int>(import.format);
    json["recognised"] = import.recognised;
    json["taken"] = json_of(import.taken);
    json["defaults"] = json_of(import.defaults);
    json["neutral"] = json_of(import.neutral);
    json["unknown"] = json_of(import.unknown);
    json["questions"] = json_of(import.questions);
    json["problems"] = json_of(import.problems);
    return json.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

}  // namespace megamem

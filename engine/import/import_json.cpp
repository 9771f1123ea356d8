#include "import/import_json.h"

#include "base/json_reader.h"
#include "memory/report_json.h"
#include "scenario/field.h"

namespace megamem {

namespace {

constexpr Severity kSeverities[] = {Severity::error, Severity::warning, Severity::info};

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

std::string text_of(const Json& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::size_t line_of(const Json& object) {
    const auto found = object.find("line");
    return found != object.end() && found->is_number_unsigned() ? found->get<std::size_t>() : 0;
}

// The table's own key, which lives as long as the program; empty where no field has it.
std::string_view key_of(const Json& object) {
    const Field* field = find_field(text_of(object, "key"));
    return field != nullptr ? field->key : std::string_view();
}

template <class Add>
void each(const Json& object, const char* key, Add add) {
    const auto found = object.find(key);
    if (found == object.end() || !found->is_array()) return;
    for (const Json& item : *found) {
        if (item.is_object()) add(item);
    }
}

void read_taken(const Json& json, const char* key, std::vector<Taken>& list) {
    each(json, key, [&](const Json& item) {
        if (const std::string_view field = key_of(item); !field.empty())
            list.push_back({field, text_of(item, "value"), text_of(item, "source"), line_of(item)});
    });
}

void read_mentions(const Json& json, const char* key, std::vector<Mention>& list) {
    each(json, key, [&](const Json& item) {
        list.push_back({text_of(item, "source"), line_of(item), text_of(item, "note")});
    });
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

Import read_import_json(std::string_view text) {
    Import import;
    const ReadJson read = read_json(text);
    if (has_error(read.problems) || !read.value.is_object()) {
        import.problems.push_back({Severity::error, "import", "", "the text could not be read"});
        return import;
    }
    const Json& json = read.value;
    if (const auto format = json.find("format"); format != json.end() && format->is_number_unsigned())
        import.format = static_cast<Format>(
            format->get<unsigned>() <= static_cast<unsigned>(Format::overrides) ? format->get<unsigned>()
                                                                                : 0);
    import.recognised = text_of(json, "recognised");
    read_taken(json, "taken", import.taken);
    read_taken(json, "defaults", import.defaults);
    read_mentions(json, "neutral", import.neutral);
    read_mentions(json, "unknown", import.unknown);
    each(json, "questions", [&](const Json& item) {
        import.questions.push_back(
            {key_of(item), text_of(item, "source"), line_of(item), text_of(item, "message")});
    });
    each(json, "problems", [&](const Json& item) {
        Severity severity = Severity::error;
        for (const Severity known : kSeverities) {
            if (text_of(item, "severity") == name_of(known)) severity = known;
        }
        import.problems.push_back({severity, "import", text_of(item, "path"), text_of(item, "message")});
    });
    return import;
}

}  // namespace megamem

// The engine for JavaScript: JSON in, JSON out, every function total. Errors are data in the answer.
#include <emscripten/bind.h>

#include <cstdint>
#include <string>

#include "accuracy/evidence_json.h"
#include "base/json_reader.h"
#include "export/export.h"
#include "import/import_json.h"
#include "import/merge.h"
#include "link/link_pair.h"
#include "memory/estimate.h"
#include "memory/explain_cell.h"
#include "memory/explain_json.h"
#include "memory/report_json.h"
#include "scenario/listing_json.h"
#include "scenario/scenario_json.h"

namespace megamem {

namespace {

constexpr int kOneLine = -1;

std::string problem_report(Method method, Problems problems) {
    Report report;
    report.method = method;
    report.problems = std::move(problems);
    return write_report_json(report, kOneLine);
}

// The report of a scenario, as the command line gives it with --format json.
std::string evaluate(const std::string& scenario_json, const std::string& method_name) {
    const auto method = method_named(method_name.empty() ? kMethodNames[0] : std::string_view(method_name));
    if (!method) {
        return problem_report(Method::calculator,
                              {{Severity::error, "unknown_method", "method", "unknown method"}});
    }
    const ReadScenario read = read_scenario_json(scenario_json);
    if (has_error(read.problems)) return problem_report(*method, read.problems);
    Report report = estimate(read.scenario, *method);
    report.problems.insert(report.problems.begin(), read.problems.begin(), read.problems.end());
    return write_report_with_evidence(read.scenario, report, kOneLine);
}

// {"explanations"} of a cell, module or term of a report, as the command line gives them with --explain; none
// where there is no such name or rank, or no result. A negative rank is the worst one.
std::string explain_name(const std::string& scenario_json, const std::string& method_name, int rank,
                         const std::string& name) {
    OrderedJson json;
    json["explanations"] = OrderedJson::array();
    const ReadScenario read = read_scenario_json(scenario_json);
    const auto method = method_named(method_name.empty() ? kMethodNames[0] : std::string_view(method_name));
    if (method && !has_error(read.problems)) {
        const Report report = estimate(read.scenario, *method);
        const std::int64_t place = rank < 0 ? report.worst_rank : rank;
        json["explanations"] = json_of(explain_named(read.scenario, report, place, name));
    }
    return json.dump(kOneLine, ' ', false, OrderedJson::error_handler_t::replace);
}

// {"text", "problems"} of a scenario in another program's words, as the command line gives it with `export`.
std::string export_text(const std::string& scenario_json, const std::string& format_name,
                        const std::string& method_name) {
    const ReadScenario read = read_scenario_json(scenario_json);
    const auto method = method_named(method_name.empty() ? kMethodNames[0] : std::string_view(method_name));
    const ExportFormat* format = find_export(format_name);
    Export made{.text = {}, .problems = read.problems};
    if (!method) {
        made.problems.push_back({Severity::error, "unknown_method", "method", "unknown method"});
    } else if (format == nullptr) {
        made.problems.push_back({Severity::error, "unknown_format", "format", "unknown format"});
    } else if (!has_error(read.problems)) {
        Export rest = make_export(read.scenario, *method, *format);
        made.text = std::move(rest.text);
        made.problems.insert(made.problems.end(), rest.problems.begin(), rest.problems.end());
    }
    OrderedJson json;
    json["text"] = made.text;
    json["problems"] = OrderedJson::array();
    for (const Problem& problem : made.problems)
        json["problems"].push_back(json_of(problem));
    return text_of(json, kOneLine);
}

// {"methods", "formats"}: the names that the other functions take.
std::string names() {
    OrderedJson json;
    json["methods"] = kMethodNames;
    json["formats"] = OrderedJson::array();
    for (const ExportFormat& format : kExportFormats) {
        json["formats"].push_back({{"name", format.name},
                                   {"label", format.label},
                                   {"file", format.file},
                                   {"mime_type", format.mime_type}});
    }
    return json.dump(kOneLine);
}

OrderedJson json_of_scenario(const ReadLink& read) {
    OrderedJson json;
    json["preset"] = read.preset;
    json["scenario"] = OrderedJson::parse(write_scenario_json(read.scenario, kOneLine));
    json["problems"] = OrderedJson::array();
    for (const Problem& problem : read.problems)
        json["problems"].push_back(json_of(problem));
    return json;
}

// {"preset", "scenario", "problems", "method", "view"} of a link, and where it has them "stamp" and
// "compared": {"preset", "scenario", "problems"}.
std::string decode_link(const std::string& link) {
    const ReadLinkPair read = read_link_pair(link);
    OrderedJson json = json_of_scenario(read.open);
    json["method"] = name_of(read.open.method);
    OrderedJson view = OrderedJson::object();
    if (!read.open.view.tab.empty()) view["tab"] = read.open.view.tab;
    if (read.open.view.rank) view["rank"] = *read.open.view.rank;
    if (!read.open.view.cell.empty()) view["cell"] = read.open.view.cell;
    if (!read.open.view.language.empty()) view["language"] = read.open.view.language;
    json["view"] = std::move(view);
    if (read.open.stamp)
        json["stamp"] = {{"version", read.open.stamp->version}, {"gib", read.open.stamp->gib}};
    if (read.compared) json["compared"] = json_of_scenario(*read.compared);
    return json.dump(kOneLine, ' ', false, OrderedJson::error_handler_t::replace);
}

LinkView view_of(const OrderedJson& json) {
    LinkView view;
    if (!json.is_object()) return view;
    const auto text = [&](const char* key) {
        return json.contains(key) && json[key].is_string() ? json[key].get<std::string>() : std::string();
    };
    view.tab = text("tab");
    view.cell = text("cell");
    view.language = text("language");
    if (json.contains("rank") && json["rank"].is_number_integer())
        view.rank = json["rank"].get<std::int64_t>();
    return view;
}

// The link of a scenario, as a difference from a preset (empty: from the defaults); empty where the scenario
// can't be read. The view is JSON as decodeLink gives it; "" and an unknown method stand for the first.
std::string encode_shown_link(const std::string& scenario_json, const std::string& preset,
                              const std::string& method, const std::string& view_json) {
    const ReadScenario read = read_scenario_json(scenario_json);
    if (has_error(read.problems)) return {};
    return write_link(read.scenario, preset, method_named(method).value_or(Method::detailed),
                      view_of(OrderedJson::parse(view_json, nullptr, /*allow_exceptions=*/false)));
}

std::string encode_link(const std::string& scenario_json, const std::string& preset) {
    return encode_shown_link(scenario_json, preset, "", "");
}

// What foreign text says: engine/import/import_json.h. Its bytes are put into the room first, all at once:
// Embind would copy a text one character at a time, which is long for megabytes (bindings.js).
std::string foreign;

std::uintptr_t room_for_import(std::size_t size) {
    foreign.resize(size);
    return reinterpret_cast<std::uintptr_t>(foreign.data());
}

std::string import_foreign() {
    const Import import = import_text(foreign);
    foreign = {};
    return write_import_json(import);
}

// {"scenario", "missing", "imports", "problems"} of the room's texts, a JSON array, put on a scenario one
// after the other. What is no text is passed over.
std::string import_scenario(const std::string& base_json) {
    const OrderedJson texts = OrderedJson::parse(foreign, nullptr, false);
    foreign = {};
    const ReadScenario base = read_scenario_json(base_json);
    OrderedJson json;
    OrderedJson problems = OrderedJson::array();
    for (const Problem& problem : base.problems)
        problems.push_back(json_of(problem));
    std::vector<Import> imports;
    json["imports"] = OrderedJson::array();
    for (const OrderedJson& text : texts) {
        if (!text.is_string()) continue;
        imports.push_back(import_text(text.get_ref<const std::string&>()));
        json["imports"].push_back(OrderedJson::parse(write_import_json(imports.back())));
        for (const Problem& problem : imports.back().problems)
            problems.push_back(json_of(problem));
    }
    const Merged merged = merge_imports(base.scenario, imports);
    for (const Problem& problem : merged.problems)
        problems.push_back(json_of(problem));
    json["scenario"] = OrderedJson::parse(write_scenario_json(merged.scenario, kOneLine));
    json["missing"] = merged.missing;
    json["problems"] = problems;
    return text_of(json, kOneLine);
}

std::string fields() {
    return write_fields_json(kOneLine);
}
std::string presets() {
    return write_presets_json(kOneLine);
}
std::string version() {
    return MEGAMEM_VERSION;
}

// For scripts/bench: estimates the scenario `count` times, so that the time of reading and writing JSON falls
// away. The answer, a sum of the results, keeps the compiler from leaving the work out.
double benchmark(const std::string& scenario_json, const std::string& method_name, int count) {
    const Method method = method_named(method_name).value_or(Method::detailed);
    const ReadScenario read = read_scenario_json(scenario_json);
    double sum = 0;
    for (int i = 0; i < count; ++i) {
        const Report report = estimate(read.scenario, method);
        if (report.valid) sum += static_cast<double>(report.worst().totals.total);
    }
    return sum;
}

}  // namespace

EMSCRIPTEN_BINDINGS(megamem) {
    emscripten::function("evaluate", &evaluate);
    emscripten::function("explain", &explain_name);
    emscripten::function("exportText", &export_text);
    emscripten::function("names", &names);
    emscripten::function("decodeLink", &decode_link);
    // Two arguments or four: Embind tells overloads apart by their number.
    emscripten::function("encodeLink", &encode_link);
    emscripten::function("encodeLink", &encode_shown_link);
    emscripten::function("roomForImport", &room_for_import);
    emscripten::function("importRoom", &import_foreign);
    emscripten::function("importRoomInto", &import_scenario);
    emscripten::function("fields", &fields);
    emscripten::function("presets", &presets);
    emscripten::function("version", &version);
    emscripten::function("benchmark", &benchmark);
}

}  // namespace megamem

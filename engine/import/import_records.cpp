#include "import/import_records.h"

#include "base/records.h"
#include "scenario/field.h"

namespace megamem {

namespace {

// Kinds of records.
constexpr std::string_view kHead = "import";
constexpr std::string_view kTaken = "taken";
constexpr std::string_view kDefault = "default";
constexpr std::string_view kNeutral = "neutral";
constexpr std::string_view kUnknown = "unknown";
constexpr std::string_view kQuestion = "question";
constexpr std::string_view kProblem = "problem";

// The table's own key, which lives as long as the program; empty where no field has it.
std::string_view key_in(std::string_view part) {
    const Field* field = find_field(part);
    return field != nullptr ? field->key : std::string_view();
}

std::size_t line_in(const Record& record, std::size_t part) {
    return static_cast<std::size_t>(record.number(part));
}

void take(const Record& record, Import& import) {
    if (record.kind == kTaken || record.kind == kDefault) {
        const std::string_view key = key_in(record.parts[0]);
        if (key.empty()) return;
        (record.kind == kTaken ? import.taken : import.defaults)
            .push_back({key, record.text(1), record.text(2), line_in(record, 3)});
    } else if (record.kind == kNeutral || record.kind == kUnknown) {
        (record.kind == kNeutral ? import.neutral : import.unknown)
            .push_back({record.text(0), line_in(record, 1), record.text(2)});
    } else if (record.kind == kQuestion) {
        import.questions.push_back(
            {key_in(record.parts[0]), record.text(1), line_in(record, 2), record.text(3)});
    } else if (record.kind == kProblem) {
        Severity severity = Severity::error;
        for (const Severity known : {Severity::warning, Severity::info}) {
            if (record.parts[0] == name_of(known)) severity = known;
        }
        import.problems.push_back({severity, "import", record.text(1), record.text(2)});
    }
}

}  // namespace

std::string write_import_records(const Import& import) {
    RecordWriter out;
    out.add(kHead, static_cast<int>(import.format), import.recognised);
    for (const Taken& t : import.taken)
        out.add(kTaken, t.key, t.value, t.source, t.line);
    for (const Taken& t : import.defaults)
        out.add(kDefault, t.key, t.value, t.source, t.line);
    for (const Mention& m : import.neutral)
        out.add(kNeutral, m.source, m.line, m.note);
    for (const Mention& m : import.unknown)
        out.add(kUnknown, m.source, m.line, m.note);
    for (const Question& q : import.questions)
        out.add(kQuestion, q.key, q.source, q.line, q.message);
    for (const Problem& p : import.problems)
        out.add(kProblem, name_of(p.severity), p.path, p.message);
    return out.take();
}

Import read_import_records(std::string_view records) {
    Import import;
    bool has_head = false;
    while (!records.empty()) {
        const Record record = take_record(records);
        if (record.kind != kHead) {
            take(record, import);
            continue;
        }
        has_head = true;
        const std::int64_t format = record.number(0);
        if (format > 0 && format <= static_cast<int>(kLastFormat)) import.format = static_cast<Format>(format);
        import.recognised = record.text(1);
    }
    if (!has_head)
        import.problems.push_back({Severity::error, "import", "", "the text could not be read"});
    return import;
}

}  // namespace megamem

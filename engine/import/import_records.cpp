#include "import/import_records.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.h"
#include "scenario/field.h"

namespace megamem {

namespace {

// ASCII's own separators. Text that holds one, by accident or in malice, gets a blank in its place.
constexpr char kRecordEnd = '\x1E';
constexpr char kPartEnd = '\x1F';

// The first part of a record: what the others are.
constexpr std::string_view kHead = "import";
constexpr std::string_view kTaken = "taken";
constexpr std::string_view kDefault = "default";
constexpr std::string_view kNeutral = "neutral";
constexpr std::string_view kUnknown = "unknown";
constexpr std::string_view kQuestion = "question";
constexpr std::string_view kProblem = "problem";
constexpr std::size_t kMostParts = 5;

class Writer {
  public:
    // Numbers and texts, one part each.
    template <class... Parts>
    void record(std::string_view kind, const Parts&... parts) {
        out += kind;
        (part(parts), ...);
        out += kRecordEnd;
    }

    std::string out;

  private:
    void part(std::string_view text) {
        out += kPartEnd;
        for (const char c : text)
            out += c == kPartEnd || c == kRecordEnd ? ' ' : c;
    }
    void part(std::size_t number) { part(std::string_view(fmt::format("{}", number))); }
};

std::size_t number_in(std::string_view part) {
    return static_cast<std::size_t>(parse_unsigned(part).value_or(0));
}

// The table's own key, which lives as long as the program; empty where no field has it.
std::string_view key_in(std::string_view part) {
    const Field* field = find_field(part);
    return field != nullptr ? field->key : std::string_view();
}

// A record's parts after its kind; those that aren't there are empty.
using Parts = std::array<std::string_view, kMostParts>;

void take(std::string_view kind, const Parts& parts, Import& import) {
    if (kind == kTaken || kind == kDefault) {
        const std::string_view key = key_in(parts[0]);
        if (key.empty()) return;
        (kind == kTaken ? import.taken : import.defaults)
            .push_back({key, std::string(parts[1]), std::string(parts[2]), number_in(parts[3])});
    } else if (kind == kNeutral || kind == kUnknown) {
        (kind == kNeutral ? import.neutral : import.unknown)
            .push_back({std::string(parts[0]), number_in(parts[1]), std::string(parts[2])});
    } else if (kind == kQuestion) {
        import.questions.push_back(
            {key_in(parts[0]), std::string(parts[1]), number_in(parts[2]), std::string(parts[3])});
    } else if (kind == kProblem) {
        Severity severity = Severity::error;
        for (const Severity known : {Severity::warning, Severity::info}) {
            if (parts[0] == name_of(known)) severity = known;
        }
        import.problems.push_back({severity, "import", std::string(parts[1]), std::string(parts[2])});
    }
}

}  // namespace

std::string write_import_records(const Import& import) {
    Writer writer;
    writer.record(kHead, static_cast<std::size_t>(import.format), import.recognised);
    for (const Taken& t : import.taken)
        writer.record(kTaken, t.key, t.value, t.source, t.line);
    for (const Taken& t : import.defaults)
        writer.record(kDefault, t.key, t.value, t.source, t.line);
    for (const Mention& m : import.neutral)
        writer.record(kNeutral, m.source, m.line, m.note);
    for (const Mention& m : import.unknown)
        writer.record(kUnknown, m.source, m.line, m.note);
    for (const Question& q : import.questions)
        writer.record(kQuestion, q.key, q.source, q.line, q.message);
    for (const Problem& p : import.problems)
        writer.record(kProblem, name_of(p.severity), p.path, p.message);
    return std::move(writer.out);
}

Import read_import_records(std::string_view records) {
    Import import;
    bool has_head = false;
    while (!records.empty()) {
        const std::size_t end = records.find(kRecordEnd);
        std::string_view record = records.substr(0, end);
        records.remove_prefix(end == std::string_view::npos ? records.size() : end + 1);
        std::array<std::string_view, kMostParts + 1> parts;
        for (std::string_view& part : parts) {
            part = record.substr(0, record.find(kPartEnd));
            record.remove_prefix(std::min(part.size() + 1, record.size()));
        }
        if (parts[0] == kHead) {
            has_head = true;
            const std::size_t format = number_in(parts[1]);
            if (format <= static_cast<std::size_t>(Format::notes))
                import.format = static_cast<Format>(format);
            import.recognised = std::string(parts[2]);
            continue;
        }
        Parts after;
        std::copy(parts.begin() + 1, parts.end(), after.begin());
        take(parts[0], after, import);
    }
    if (!has_head)
        import.problems.push_back({Severity::error, "import", "", "the text could not be read"});
    return import;
}

}  // namespace megamem

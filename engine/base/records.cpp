#include "base/records.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace megamem {

namespace {

// ASCII's own separators. A text that holds one, by accident or in malice, gets a blank in its place.
constexpr char kRecordEnd = '\x1E';
constexpr char kPartStart = '\x1F';

std::string_view take_until(std::string_view& text, char mark) {
    const std::string_view piece = text.substr(0, text.find(mark));
    text.remove_prefix(std::min(piece.size() + 1, text.size()));
    return piece;
}

}  // namespace

void RecordWriter::part(std::string_view text) {
    text_ += kPartStart;
    for (const char c : text)
        text_ += c == kPartStart || c == kRecordEnd ? ' ' : c;
}

void RecordWriter::number(std::int64_t number) {
    part(std::string_view(fmt::format("{}", number)));
}

void RecordWriter::end() {
    text_ += kRecordEnd;
}

std::int64_t Record::number(std::size_t part) const {
    return parse_integer(parts[part]).value_or(0);
}

Record take_record(std::string_view& text) {
    std::string_view rest = take_until(text, kRecordEnd);
    Record record;
    record.kind = take_until(rest, kPartStart);
    for (std::string_view& part : record.parts)
        part = take_until(rest, kPartStart);
    return record;
}

}  // namespace megamem

#include "memory/compare_records.h"

#include "base/records.h"

namespace megamem {

namespace {

// Kinds of records.
constexpr std::string_view kWhole = "comparison";
constexpr std::string_view kRow = "row";

// No text where there is no number.
std::string text_of(const std::optional<Bytes>& bytes) {
    return bytes ? std::to_string(*bytes) : std::string();
}

std::optional<Bytes> bytes_of(const Record& record, std::size_t part) {
    if (record.parts[part].empty()) return std::nullopt;
    return record.number(part);
}

}  // namespace

std::string write_comparison_records(const Comparison& c) {
    RecordWriter out;
    out.add(kWhole, c.detailed_rank, c.calculator_rank, c.has_megatron_report);
    for (const MethodRow& row : c.rows)
        out.add(kRow, row.name, text_of(row.detailed), text_of(row.calculator), text_of(row.megatron_report),
                row.reason);
    return out.take();
}

Comparison read_comparison_records(std::string_view records) {
    Comparison c;
    while (!records.empty()) {
        const Record record = take_record(records);
        if (record.kind == kWhole) {
            c.detailed_rank = record.number(0);
            c.calculator_rank = record.number(1);
            c.has_megatron_report = record.number(2) != 0;
        } else if (record.kind == kRow) {
            c.rows.push_back({record.text(0), bytes_of(record, 1), bytes_of(record, 2), bytes_of(record, 3),
                              record.text(4)});
        }
    }
    return c;
}

}  // namespace megamem

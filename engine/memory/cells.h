// The cells of the tables that a report is shown in, and their names. A table has a row for each module (or
// component that belongs to none) and a column for each kind of memory, parameters and a total besides.
//
//   attention.weight           a row's column
//   attention.activation.q     one item of it; "#2" behind it where there are more of that name
//   total.weight               the sum of a column
//   all layers.weight          the sum of a section's rows
//   weight, peak_allocated, total, in_flight, headroom ...     of the rank
//
// The shards of `megatron-report` have rows and totals too, with columns of their own.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "memory/report.h"

namespace megamem {

inline constexpr std::size_t kKinds = 10;
inline constexpr std::string_view kParametersColumn = "parameters";
inline constexpr std::string_view kStatesColumn = "weight_and_optimizer";  // of a shard
inline constexpr std::string_view kTotalColumn = "total";                  // also the row of sums

struct TableRow {
    std::string_view name;
    Part part = Part::language;
    std::int64_t multiplicity = 1;  // of a component that belongs to no module
    std::int64_t elements = 0;
    std::array<Bytes, kKinds> bytes{};  // by kind

    Bytes of(Kind kind) const { return bytes[static_cast<std::size_t>(kind)]; }
    Bytes total() const;  // without what isn't there at the peak
};

// In the order of the items.
std::vector<TableRow> table_rows(const RankReport& rank);
std::string_view row_of(const LineItem& item);

// What the rows of a table are gathered under, in this order.
enum class Section { embedding, layers, mtp, head, vision, beside, reserve };
inline constexpr std::size_t kSections = 7;
std::string_view name_of(Section section);
Section section_of(const TableRow& row);
std::string section_row(Section section);  // its name in cells
std::optional<Section> section_named(std::string_view row);

std::optional<Kind> kind_named(std::string_view name);
// "gradients" for "grad"; the name itself where it says enough.
std::string_view words_for(std::string_view column);

std::string cell_name(std::string_view row, std::string_view column);
// Of one item of the rank.
std::string cell_name(const RankReport& rank, std::size_t item);

// The rank's own cells: totals that the report has for it.
std::vector<std::string_view> totals_names(const Report& report, std::int64_t rank);
// Every cell that holds something: totals, rows with their columns, sums of columns.
std::vector<std::string> cell_names(const Report& report, std::int64_t rank);

}  // namespace megamem

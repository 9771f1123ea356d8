#include "memory/cells.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace megamem {

namespace {

constexpr std::pair<std::string_view, std::string_view> kWords[] = {
    {"weight", "weights"},
    {"fp8_cache", "FP8 copies"},
    {"grad", "gradients"},
    {"master", "master weights"},
    {"optimizer", "optimizer states"},
    {"activation", "activations"},
    {"transient", "alive at the peak only"},
    {"workspace", "workspaces"},
    {"held", "held between steps"},
    {"steady_allocated", "allocated between steps"},
    {"peak_allocated", "peak allocated"},
    {"peak_reserved", "peak reserved"},
    {"in_flight", "micro-batches in flight"},
    {kStatesColumn, "weight and optimizer"},
};

constexpr std::string_view kSectionNames[kSections] = {"embedding", "layers", "MTP",    "head",
                                                       "vision",    "beside", "reserve"};
constexpr std::string_view kAll = "all ";  // before a section's name

constexpr Kind kind_at(std::size_t i) {
    return static_cast<Kind>(i);
}

}  // namespace

Bytes TableRow::total() const {
    return std::accumulate(bytes.begin(), bytes.end(), Bytes{0}) - of(Kind::held);
}

std::string_view row_of(const LineItem& item) {
    return item.module.empty() ? item.component : item.module;
}

std::vector<TableRow> table_rows(const RankReport& rank) {
    std::vector<TableRow> rows;
    for (const LineItem& item : rank.items) {
        const std::string_view name = row_of(item);
        auto row = std::find_if(rows.begin(), rows.end(), [&](const TableRow& r) { return r.name == name; });
        if (row == rows.end()) {
            row = rows.insert(rows.end(), TableRow{.name = name, .part = item.part});
            if (item.module.empty()) row->multiplicity = item.multiplicity;
        }
        row->bytes[static_cast<std::size_t>(item.kind)] += item.bytes;
        row->elements = std::max(row->elements, item.elements);
    }
    return rows;
}

std::string_view name_of(Section section) {
    return kSectionNames[static_cast<std::size_t>(section)];
}

// The rows are the methods' own, by their names for embedding and head; what has neither states nor
// activations is no part of the model.
Section section_of(const TableRow& row) {
    if (row.part == Part::vision) return Section::vision;
    if (row.part == Part::reserve) return Section::reserve;
    if (row.name == "embedding" || row.name == "Embedding") return Section::embedding;
    if (row.name == "output_layer" || row.name == "OutputLayer") return Section::head;
    if (row.name == "mtp") return Section::mtp;
    if (row.name == "owned_parameters") return Section::beside;
    Bytes of_model = row.of(Kind::activation);
    for (std::size_t i = 0; is_state(kind_at(i)); ++i)
        of_model += row.bytes[i];
    return of_model > 0 || row.elements > 0 ? Section::layers : Section::beside;
}

std::string section_row(Section section) {
    return std::string(kAll).append(name_of(section));
}

std::optional<Section> section_named(std::string_view row) {
    if (!row.starts_with(kAll)) return std::nullopt;
    for (std::size_t i = 0; i < kSections; ++i) {
        if (kSectionNames[i] == row.substr(kAll.size())) return static_cast<Section>(i);
    }
    return std::nullopt;
}

std::optional<Kind> kind_named(std::string_view name) {
    for (std::size_t i = 0; i < kKinds; ++i) {
        if (name_of(kind_at(i)) == name) return kind_at(i);
    }
    return std::nullopt;
}

std::string_view words_for(std::string_view column) {
    const auto found = std::find_if(std::begin(kWords), std::end(kWords),
                                    [&](const auto& entry) { return entry.first == column; });
    return found == std::end(kWords) ? column : found->second;
}

std::string cell_name(std::string_view row, std::string_view column) {
    return fmt::format("{}.{}", row, column);
}

std::string cell_name(const RankReport& rank, std::size_t item) {
    const LineItem& own = rank.items[item];
    std::size_t before = 0;
    std::size_t all = 0;
    for (std::size_t i = 0; i < rank.items.size(); ++i) {
        const LineItem& other = rank.items[i];
        const bool same =
            other.component == own.component && other.kind == own.kind && row_of(other) == row_of(own);
        all += same ? 1 : 0;
        before += same && i <= item ? 1 : 0;
    }
    std::string name = fmt::format("{}.{}.{}", row_of(own), name_of(own.kind), own.component);
    if (all > 1) name += fmt::format("#{}", before);
    return name;
}

std::vector<std::string_view> totals_names(const Report& report, std::int64_t rank) {
    if (!report.shards.empty()) {
        std::vector<std::string_view> names = {kParametersColumn, kStatesColumn};
        if (rank == 0) names.insert(names.end(), {name_of(Kind::activation), kTotalColumn, "headroom"});
        return names;
    }
    std::vector<std::string_view> names = {"weight",    "fp8_cache",  "grad",   "master",
                                           "optimizer", "activation", "vision", "reserve"};
    // Only a method that follows the allocator has a schedule and events.
    if (!report.ranks[static_cast<std::size_t>(rank)].in_flight.empty())
        names.insert(names.end(), {"transient", "workspace", "held", "steady_allocated", "peak_allocated",
                                   "peak_reserved", "in_flight"});
    names.insert(names.end(), {kTotalColumn, "headroom"});
    return names;
}

std::vector<std::string> cell_names(const Report& report, std::int64_t rank) {
    std::vector<std::string> names;
    const auto at = static_cast<std::size_t>(rank);
    if (rank < 0 || at >= std::max(report.ranks.size(), report.shards.size())) return names;
    for (const std::string_view name : totals_names(report, rank))
        names.emplace_back(name);
    if (!report.shards.empty()) {
        for (const ShardItem& item : report.shards[at].modules) {
            names.push_back(cell_name(item.component, kParametersColumn));
            names.push_back(cell_name(item.component, kStatesColumn));
        }
        for (const ShardItem& item : report.shards[at].activations)
            names.push_back(cell_name(item.component, name_of(Kind::activation)));
        return names;
    }
    std::array<Bytes, kKinds> sums{};
    for (const TableRow& row : table_rows(report.ranks[at])) {
        if (row.elements > 0) names.push_back(cell_name(row.name, kParametersColumn));
        for (std::size_t i = 0; i < kKinds; ++i) {
            sums[i] += row.bytes[i];
            if (row.bytes[i] > 0) names.push_back(cell_name(row.name, name_of(kind_at(i))));
        }
        if (row.total() > 0) names.push_back(cell_name(row.name, kTotalColumn));
    }
    names.push_back(cell_name(kTotalColumn, kParametersColumn));
    for (std::size_t i = 0; i < kKinds; ++i) {
        if (sums[i] > 0) names.push_back(cell_name(kTotalColumn, name_of(kind_at(i))));
    }
    names.push_back(cell_name(kTotalColumn, kTotalColumn));
    return names;
}

}  // namespace megamem

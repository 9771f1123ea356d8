#include "memory/explain_cell.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "memory/cells.h"
#include "memory/explain_assumptions.h"
#include "memory/explain_symbols.h"
#include "scenario/presets.h"

namespace megamem {

namespace {

constexpr std::string_view kSumSource = "a sum: each of its parts has a source of its own";

// The parts' names in place of symbols.
void add_up(Explanation& e) {
    e.sum = true;
    if (e.source.empty()) e.source = kSumSource;
    double exact = 0;
    bool all_exact = !e.parts.empty();
    for (const ExplanationPart& part : e.parts) {
        const char* plus = e.substitution.empty() ? "" : " + ";
        e.symbols += plus + part.name;
        e.substitution += plus + (part.exact ? number(*part.exact) : number(Wide{part.bytes}));
        e.result = narrow(Wide{e.result} + part.bytes);
        all_exact = all_exact && part.exact.has_value();
        exact += part.exact.value_or(0);
    }
    if (all_exact) e.exact = exact;
    if (!e.parts.empty()) return;
    e.symbols = "0; there is nothing of this kind here";
    e.substitution = "0";
}

std::vector<std::string_view> pieces_of(std::string_view name) {
    std::vector<std::string_view> pieces;
    for (;;) {
        const std::size_t dot = name.find('.');
        pieces.push_back(name.substr(0, dot));
        if (dot == std::string_view::npos) return pieces;
        name.remove_prefix(dot + 1);
    }
}

// What the GPU has, less a total.
Explanation headroom(const Report& report, ExplanationPart total) {
    Explanation e;
    e.symbols = "usable - total; what the GPU can allocate in all, less what is needed";
    e.substitution = fmt::format("{} - {}", report.capacity.usable, total.bytes);
    e.result = report.capacity.usable - total.bytes;
    e.legend = {{"usable", number(Wide{report.capacity.usable}), "bytes that a process can allocate"}};
    const Gpu* gpu = find_gpu(report.capacity.gpu);
    if (gpu != nullptr) e.source = fmt::format("{}: {}", gpu->title, gpu->source);
    e.parts.push_back(std::move(total));
    return e;
}

class RankCells {
  public:
    RankCells(const Scenario& scenario, const Report& report, std::int64_t rank)
        : scenario_(scenario),
          report_(report),
          at_(rank),
          rank_(report.ranks[static_cast<std::size_t>(rank)]),
          rows_(table_rows(rank_)) {}

    std::optional<Explanation> find(std::string_view name) {
        const auto pieces = pieces_of(name);
        std::optional<Explanation> e;
        if (pieces.size() == 1) e = total(name);
        if (pieces.size() == 2) {
            const auto section = section_named(pieces[0]);
            e = section                     ? section_sum(*section, pieces[1])
                : pieces[0] == kTotalColumn ? column_sum(pieces[1])
                                            : row_cell(pieces[0], pieces[1]);
        }
        if (pieces.size() == 3) e = item(pieces[0], pieces[1], pieces[2]);
        if (!e) return e;
        // An item found by another name goes by the one that was asked for.
        if (e->cell != name) e->title = title_of(pieces);
        e->cell = name;
        e->assumptions = assumptions_for(report_, coverage_);
        return e;
    }

  private:
    std::string title_of(const std::vector<std::string_view>& pieces) const {
        std::string title = place_name(report_, at_) + ": ";
        if (pieces.size() == 1) return title.append(words_for(pieces[0]));
        title += fmt::format("{} {}", pieces[0] == kTotalColumn ? "sum of" : pieces[0], words_for(pieces[1]));
        if (pieces.size() == 3) title += fmt::format(", {}", pieces[2]);
        return title;
    }

    const TableRow* row_named(std::string_view name) const {
        const auto found =
            std::find_if(rows_.begin(), rows_.end(), [&](const TableRow& r) { return r.name == name; });
        return found == rows_.end() ? nullptr : &*found;
    }

    // Items of a row's column; all of them where `component` is empty.
    std::vector<std::size_t> items_of(std::string_view row, Kind kind,
                                      std::string_view component = {}) const {
        std::vector<std::size_t> found;
        for (std::size_t i = 0; i < rank_.items.size(); ++i) {
            const LineItem& item = rank_.items[i];
            if (row_of(item) == row && item.kind == kind &&
                (component.empty() || item.component == component))
                found.push_back(i);
        }
        return found;
    }

    void cover(std::string_view row, std::string_view column) { coverage_.emplace_back(row, column); }

    static void add_part(Explanation& e, std::string_view name, Bytes bytes, std::string cell,
                         std::int64_t multiplicity = 1) {
        if (bytes == 0) return;
        std::string text = multiplicity > 1 ? fmt::format("× {}", multiplicity) : std::string();
        e.parts.push_back({std::string(name), std::move(text), bytes, std::move(cell)});
    }

    std::optional<Explanation> of_items(const std::vector<std::size_t>& items) {
        if (items.size() == 1) {
            auto all = explain_items(scenario_, report_, at_, items, Quantity::bytes);
            return all.empty() ? std::nullopt : std::optional(std::move(all.front()));
        }
        Explanation e;
        for (const std::size_t i : items)
            add_part(e, rank_.items[i].component, rank_.items[i].bytes, cell_name(rank_, i),
                     rank_.items[i].multiplicity);
        add_up(e);
        // With the number of each where there are several of a name.
        for (ExplanationPart& part : e.parts)
            part.name = part.cell.substr(part.cell.rfind('.') + 1);
        return e;
    }

    std::optional<Explanation> item(std::string_view row, std::string_view column, std::string_view term) {
        const auto kind = kind_named(column);
        if (!kind || row_named(row) == nullptr) return std::nullopt;
        cover(row, column);
        const std::size_t hash = term.find('#');
        const auto items = items_of(row, *kind, term.substr(0, hash));
        if (items.empty()) return std::nullopt;
        if (hash == std::string_view::npos) return of_items(items);
        for (const std::size_t i : items) {
            if (cell_name(rank_, i).ends_with(term)) return of_items({i});
        }
        return std::nullopt;
    }

    std::optional<Explanation> row_cell(std::string_view name, std::string_view column) {
        const TableRow* row = row_named(name);
        if (row == nullptr) return std::nullopt;
        if (column == kParametersColumn) return parameters(*row);
        if (column == kTotalColumn) return row_total(*row);
        const auto kind = kind_named(column);
        if (!kind) return std::nullopt;
        cover(name, column);
        return of_items(items_of(name, *kind));
    }

    std::optional<Explanation> parameters(const TableRow& row) {
        cover(row.name, kParametersColumn);
        Explanation none;
        none.unit = kParametersColumn;
        if (row.elements == 0) {
            add_up(none);
            return none;
        }
        const auto found = std::find_if(rank_.items.begin(), rank_.items.end(), [&](const LineItem& i) {
            return row_of(i) == row.name && i.elements == row.elements;
        });
        const std::size_t index = static_cast<std::size_t>(found - rank_.items.begin());
        auto all = explain_items(scenario_, report_, at_, std::array{index}, Quantity::parameters);
        return all.empty() ? std::nullopt : std::optional(std::move(all.front()));
    }

    std::optional<Explanation> row_total(const TableRow& row) {
        std::vector<Kind> kinds;
        for (std::size_t i = 0; i < kKinds; ++i) {
            const auto kind = static_cast<Kind>(i);
            if (kind != Kind::held && row.bytes[i] > 0) kinds.push_back(kind);
        }
        if (kinds.size() == 1) return row_cell(row.name, name_of(kinds[0]));
        Explanation e;
        for (const Kind kind : kinds) {
            add_part(e, words_for(name_of(kind)), row.of(kind), cell_name(row.name, name_of(kind)));
            cover(row.name, name_of(kind));
        }
        add_up(e);
        return e;
    }

    // The column's cells, of the rows that `wanted` lets through.
    template <typename Wanted>
    Explanation column(std::string_view column, Wanted wanted) {
        Explanation e;
        const auto kind = kind_named(column);
        for (const TableRow& row : rows_) {
            if (!wanted(row)) continue;
            const Bytes bytes = kind ? row.of(*kind) : column == kTotalColumn ? row.total() : row.elements;
            if (bytes == 0) continue;
            add_part(e, row.name, bytes, cell_name(row.name, column));
            if (column == kTotalColumn) {
                cover_all(row);
            } else {
                cover(row.name, column);
            }
        }
        add_up(e);
        return e;
    }

    void cover_all(const TableRow& row) {
        for (std::size_t i = 0; i < kKinds; ++i) {
            if (row.bytes[i] > 0) cover(row.name, name_of(static_cast<Kind>(i)));
        }
    }

    std::optional<Explanation> column_sum(std::string_view name) {
        if (name == kTotalColumn) return total(name);
        return sum_of_rows(name, [](const TableRow&) { return true; });
    }

    std::optional<Explanation> section_sum(Section section, std::string_view name) {
        return sum_of_rows(name, [&](const TableRow& row) { return section_of(row) == section; });
    }

    template <typename Wanted>
    std::optional<Explanation> sum_of_rows(std::string_view name, Wanted wanted) {
        if (name != kTotalColumn && name != kParametersColumn && !kind_named(name)) return std::nullopt;
        Explanation e = column(name, wanted);
        if (name == kParametersColumn) e.unit = kParametersColumn;
        return e;
    }

    // --- totals of the rank

    std::optional<Explanation> total(std::string_view name) {
        const auto names = totals_names(report_, at_);
        if (std::find(names.begin(), names.end(), name) == names.end()) return std::nullopt;
        if (name == "vision") {
            return column(kTotalColumn, [](const TableRow& row) { return row.part == Part::vision; });
        }
        if (kind_named(name)) {
            return column(name, [](const TableRow& row) { return row.part != Part::vision; });
        }
        if (name == "in_flight") {
            cover("", name);
            return explain_in_flight(scenario_, report_, at_);
        }
        for (const TableRow& row : rows_)
            cover_all(row);
        cover("", kTotalColumn);
        if (name == "headroom")
            return headroom(report_, {"total", "", rank_.totals.total, std::string(kTotalColumn)});
        Explanation e;
        if (name == "steady_allocated") steady(e);
        if (name == "peak_allocated") peak(e);
        if (name == "peak_reserved") reserved(e);
        if (name == kTotalColumn) {
            const Totals& t = rank_.totals;
            if (rank_.in_flight.empty()) {
                at_peak(e);
            } else {
                add_part(e, words_for("peak_allocated"), t.peak_allocated, "peak_allocated");
            }
            add_part(e, "reserve", t.reserve, "reserve");
            if (!rank_.in_flight.empty())
                e.source = "what nvidia-smi shows: torch's peak, and what lies beyond it";
        }
        add_up(e);
        return e;
    }

    void add_kinds(Explanation& e, std::initializer_list<Kind> kinds) const {
        for (const Kind kind : kinds) {
            Bytes bytes = 0;
            for (const TableRow& row : rows_)
                bytes += row.part == Part::vision ? 0 : row.of(kind);
            add_part(e, words_for(name_of(kind)), bytes, std::string(name_of(kind)));
        }
    }

    void steady(Explanation& e) const {
        e.source = "torch.cuda.memory_allocated between steps";
        add_kinds(e, {Kind::weight, Kind::fp8_cache, Kind::grad, Kind::master, Kind::optimizer,
                      Kind::workspace, Kind::held});
        for (const TableRow& row : rows_) {
            if (row.part != Part::vision) continue;
            for (std::size_t i = 0; i <= static_cast<std::size_t>(Kind::optimizer); ++i) {
                const std::string_view kind = name_of(static_cast<Kind>(i));
                add_part(e, fmt::format("{} {}", row.name, words_for(kind)), row.bytes[i],
                         cell_name(row.name, kind));
            }
        }
    }

    void at_peak(Explanation& e) const {
        add_kinds(e, {Kind::weight, Kind::fp8_cache, Kind::grad, Kind::master, Kind::optimizer,
                      Kind::activation, Kind::transient, Kind::workspace});
        add_part(e, "vision", rank_.totals.vision, "vision");
    }

    // What is there between steps was there at their end: the peak is never less.
    void peak(Explanation& e) const {
        e.source = "torch.cuda.max_memory_allocated";
        at_peak(e);
        Bytes alive = 0;
        for (const ExplanationPart& part : e.parts)
            alive += part.bytes;
        if (alive >= rank_.totals.peak_allocated) return;
        e.parts.clear();
        e.source +=
            fmt::format("; never less than between steps, though the backward pass holds {} bytes", alive);
        add_part(e, words_for("steady_allocated"), rank_.totals.steady_allocated, "steady_allocated");
    }

    void reserved(Explanation& e) const {
        e.source = "torch.cuda.max_memory_reserved";
        add_part(e, words_for("peak_allocated"), rank_.totals.peak_allocated, "peak_allocated");
        add_part(e, kFragmentationItem, rank_.totals.peak_reserved - rank_.totals.peak_allocated,
                 cell_name(kFragmentationItem, name_of(Kind::reserve)));
    }

    const Scenario& scenario_;
    const Report& report_;
    std::int64_t at_;
    const RankReport& rank_;
    std::vector<TableRow> rows_;
    Coverage coverage_;
};

class ShardCells {
  public:
    ShardCells(const Scenario& scenario, const Report& report, std::int64_t at)
        : scenario_(scenario),
          report_(report),
          at_(at),
          shard_(report.shards[static_cast<std::size_t>(at)]) {}

    std::optional<Explanation> find(std::string_view name) {
        const auto pieces = pieces_of(name);
        std::optional<Explanation> e;
        if (pieces.size() == 1) e = total(name);
        if (pieces.size() == 2) {
            e = explain_shard(scenario_, report_, at_, pieces[0], pieces[1]);
            coverage_.emplace_back(pieces[0], pieces[1]);
        }
        if (!e) return e;
        if (e->title.empty()) e->title = fmt::format("{}: {}", place_name(report_, at_), words_for(name));
        e->cell = name;
        e->assumptions = assumptions_for(report_, coverage_);
        return e;
    }

  private:
    static Bytes rounded_up(double value) {
        constexpr auto kMost = static_cast<double>(kMaxExactBytes);
        return value < kMost ? static_cast<Bytes>(std::ceil(value)) : kMaxExactBytes;
    }

    static void add_part(Explanation& e, std::string_view name, double value, std::string cell) {
        e.parts.push_back({std::string(name), "", rounded_up(value), std::move(cell), value});
    }

    void add_items(Explanation& e, std::string_view column) {
        const bool activation = column == name_of(Kind::activation);
        for (const ShardItem& item : activation ? shard_.activations : shard_.modules) {
            add_part(e, item.component, column == kParametersColumn ? item.parameters : item.bytes,
                     cell_name(item.component, column));
            coverage_.emplace_back(item.component, column);
        }
    }

    std::optional<Explanation> total(std::string_view name) {
        const auto names = totals_names(report_, at_);
        if (std::find(names.begin(), names.end(), name) == names.end()) return std::nullopt;
        Explanation e;
        e.source = "megatron/training/theoretical_memory_usage.py@d98e8a64";
        if (name == kParametersColumn) e.unit = kParametersColumn;
        if (name == kTotalColumn || name == "headroom") {
            for (const std::string_view column : {kStatesColumn, name_of(Kind::activation)})
                add_items(e, column);
            e.parts.clear();
            coverage_.emplace_back("", kTotalColumn);
            if (name == "headroom")
                return headroom(report_, {"total", "", report_.needed(), std::string(kTotalColumn)});
            add_part(e, words_for(kStatesColumn), shard_.weight_and_optimizer_bytes,
                     std::string(kStatesColumn));
            add_part(e, words_for(name_of(Kind::activation)), shard_.activation_bytes.value_or(0),
                     std::string(name_of(Kind::activation)));
        } else {
            add_items(e, name);
        }
        add_up(e);
        if (e.exact) e.result = rounded_up(*e.exact);
        return e;
    }

    const Scenario& scenario_;
    const Report& report_;
    std::int64_t at_;
    const Shard& shard_;
    Coverage coverage_;
};

}  // namespace

std::optional<Explanation> explain_cell(const Scenario& scenario, const Report& report, std::int64_t rank,
                                        std::string_view name) {
    const auto places = std::max(report.ranks.size(), report.shards.size());
    if (!report.valid || rank < 0 || static_cast<std::size_t>(rank) >= places) return std::nullopt;
    if (!report.shards.empty()) return ShardCells(scenario, report, rank).find(name);
    return RankCells(scenario, report, rank).find(name);
}

std::vector<Explanation> explain_named(const Scenario& scenario, const Report& report, std::int64_t rank,
                                       std::string_view name) {
    if (auto cell = explain_cell(scenario, report, rank, name)) {
        std::vector<Explanation> one;
        one.push_back(std::move(*cell));
        return one;
    }
    return explain(scenario, report, rank, name);
}

}  // namespace megamem

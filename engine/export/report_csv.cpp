#include <fmt/format.h>

#include "export/report_text.h"
#include "memory/components.h"

namespace megamem {

namespace {

// RFC 4180. A text that a spreadsheet would take for a formula gets an apostrophe in front.
std::string cell(std::string_view text) {
    std::string out(text);
    if (!out.empty() && std::string_view("=+-@\t\r").find(out[0]) != std::string_view::npos)
        out.insert(0, "'");
    if (out.find_first_of("\",\r\n") == std::string::npos) return out;
    std::string quoted = "\"";
    for (const char c : out) {
        if (c == '"') quoted += '"';
        quoted += c;
    }
    return quoted + "\"";
}

std::string row(std::string_view place, std::string_view module, std::string_view component,
                std::string_view kind, std::string_view bytes) {
    return fmt::format("{},{},{},{},{}\r\n", cell(place), cell(module), cell(component), cell(kind), bytes);
}

// Shards have fractions of a byte: rounded to the nearest.
std::string whole(double bytes) {
    return fmt::format("{}", static_cast<Bytes>(bytes + 0.5));
}

}  // namespace

std::string export_csv(const Report& report) {
    std::string csv = "rank,module,component,kind,bytes\r\n";
    for (const RankReport& rank : report.ranks) {
        const std::string place = fmt::format("{}", rank.pipeline_rank);
        for (const LineItem& item : rank.items) {
            csv += row(place, item.module.empty() ? item.component : item.module, item.component,
                       name_of(item.kind), fmt::format("{}", item.bytes));
        }
        for (const Component& component : kComponentsOfTotal)
            csv += row(place, "", component.name, "total", fmt::format("{}", rank.totals.*component.bytes));
        csv += row(place, "", "total", "total", fmt::format("{}", rank.totals.total));
    }
    for (const Shard& shard : report.shards) {
        for (const ShardItem& item : shard.modules)
            csv += row(shard.name, item.component, item.component, "weight and optimizer", whole(item.bytes));
        for (const ShardItem& item : shard.activations)
            csv += row(shard.name, item.component, item.component, "activation", whole(item.bytes));
        if (const auto total = shard.total_bytes())
            csv += row(shard.name, "", "total", "total", whole(*total));
    }
    return csv;
}

}  // namespace megamem

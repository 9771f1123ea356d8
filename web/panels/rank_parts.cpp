#include "panels/rank_parts.h"

#include <algorithm>

#include "app/module_rows.h"
#include "app/preferences.h"
#include "app/state.h"
#include "memory/cells.h"
#include "panels/components.h"
#include "style/theme.h"
#include "text/text.h"
#include "text/translate.h"

namespace megamem::web {

namespace {

constexpr const char* kGroupingKey = "bars_by";
constexpr std::size_t kNamed = 7;  // modules with a colour of their own, a vision tower included

// Of a part: the rows that it gathers have its name, or are of its section.
struct Division {
    std::string_view row;  // a module; empty: of the section, or all that have none of their own
    std::optional<Section> section;
    std::string label;
    std::string cell;
    Bytes sum = 0;
};

struct Divided {
    std::uint64_t version = 0;
    int grouping = -1;
    bool dark = false;
    bool chinese = false;
    std::vector<Division> divisions;
    std::vector<BarPart> parts;
};

Divided& divided() {
    static Divided the_divided;
    return the_divided;
}

// Sections that aren't made of layers are one part each.
bool is_whole(Section section) {
    return section >= Section::vision;
}

std::size_t division_of(const TableRow& row) {
    const std::vector<Division>& all = divided().divisions;
    const Section section = section_of(row);
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (is_whole(section) ? all[i].section == section : !all[i].section && all[i].row == row.name)
            return i;
    }
    // The others stand behind the modules that have a name.
    return static_cast<std::size_t>(
        std::find_if(all.begin(), all.end(), [](const Division& d) { return d.row.empty(); }) - all.begin());
}

void divide_by_module(const Report& report) {
    std::vector<Division>& all = divided().divisions;
    Bytes whole[kSections]{};
    for (const RankReport& rank : report.ranks) {
        for (const TableRow& row : table_rows(rank)) {
            const Section section = section_of(row);
            if (is_whole(section)) {
                whole[static_cast<std::size_t>(section)] += row.total();
                continue;
            }
            auto found =
                std::find_if(all.begin(), all.end(), [&](const Division& d) { return d.row == row.name; });
            if (found == all.end()) {
                found = all.insert(
                    found,
                    {.row = row.name, .label = spoken(row.name), .cell = cell_name(row.name, kTotalColumn)});
                // The embedding comes first, whichever rank has it.
                if (section == Section::embedding) std::rotate(all.begin(), found, all.end());
                found = std::find_if(all.begin(), all.end(),
                                     [&](const Division& d) { return d.row == row.name; });
            }
            found->sum += row.total();
        }
    }
    bool others = false;
    const bool tower = whole[static_cast<std::size_t>(Section::vision)] > 0;
    while (all.size() > (tower ? kNamed - 1 : kNamed)) {
        all.erase(std::min_element(all.begin(), all.end(),
                                   [](const Division& a, const Division& b) { return a.sum < b.sum; }));
        others = true;
    }
    if (others) all.push_back({.label = words::kOtherModules});
    constexpr std::pair<Section, const char*> kWhole[] = {{Section::vision, words::kPartVision},
                                                          {Section::beside, words::kPartWorkspaces},
                                                          {Section::reserve, words::kPartReserve}};
    for (const auto& [section, title] : kWhole) {
        if (whole[static_cast<std::size_t>(section)] == 0) continue;
        all.push_back({.section = section,
                       .label = title,
                       .cell = section == Section::beside ? cell_name(section_row(section), kTotalColumn)
                                                          : std::string(name_of(section))});
    }
}

ImU32 color_of(const Division& division, std::size_t place) {
    const style::Palette& c = style::colors();
    const ImU32 modules[] = {c.weight, c.grad, c.activation, c.transient, c.optimizer, c.master, c.vision};
    if (division.section == Section::vision) return c.vision;
    if (division.section == Section::beside) return c.workspace;
    if (division.section == Section::reserve) return c.reserve;
    return division.row.empty() ? c.fp8_cache : modules[place % std::size(modules)];
}

// With what the parts hold on the rank.
void fill(const RankReport& rank, std::vector<BarPart>& parts) {
    if (grouping() == Grouping::component) {
        const auto all = parts_of(rank.totals);
        for (BarPart& part : parts) {
            for (const BarPart& own : all) {
                if (own.cell == part.cell) part.bytes = own.bytes;
            }
        }
        return;
    }
    for (BarPart& part : parts)
        part.bytes = 0;
    for (const TableRow& row : table_rows(rank)) {
        const std::size_t i = division_of(row);
        if (i < parts.size()) parts[i].bytes += row.total();
    }
}

}  // namespace

Grouping grouping() {
    int& chosen = divided().grouping;
    if (chosen < 0) chosen = preferred(kGroupingKey, 0) == 1 ? 1 : 0;
    return static_cast<Grouping>(chosen);
}

void group_by(Grouping chosen) {
    divided().grouping = static_cast<int>(chosen);
    divided().version = 0;
    prefer(kGroupingKey, static_cast<int>(chosen));
}

const std::vector<BarPart>& rank_parts() {
    const State& s = state();
    Divided& d = divided();
    if (d.version == s.version && d.dark == style::is_dark() && d.chinese == is_chinese()) return d.parts;
    d.version = s.version;
    d.dark = style::is_dark();
    d.chinese = is_chinese();
    d.divisions.clear();
    d.parts.clear();
    if (grouping() == Grouping::component) {
        for (const BarPart& part : parts_of(Totals{}))
            d.parts.push_back(part);
    } else {
        divide_by_module(s.report);
        for (const Division& division : d.divisions)
            d.parts.push_back({division.label, 0, color_of(division, d.parts.size()), division.cell});
    }
    std::vector<Bytes> most(d.parts.size());
    for (const RankReport& rank : s.report.ranks) {
        std::vector<BarPart> own = d.parts;
        fill(rank, own);
        for (std::size_t i = 0; i < own.size(); ++i)
            most[i] = std::max(most[i], own[i].bytes);
    }
    for (std::size_t i = 0; i < most.size(); ++i)
        d.parts[i].bytes = most[i];
    // Modules that are there always hold something; components don't.
    if (grouping() == Grouping::component)
        std::erase_if(d.parts, [](const BarPart& part) { return part.bytes == 0; });
    return d.parts;
}

std::vector<BarPart> parts_of(const RankReport& rank) {
    std::vector<BarPart> parts = rank_parts();
    fill(rank, parts);
    return parts;
}

}  // namespace megamem::web

#include "link/frozen.h"

#include <algorithm>
#include <vector>

#include "base/text.h"
#include "scenario/field.h"

namespace megamem {

namespace {

// The row that held for the version: of those that did, the oldest.
template <class Row, class Matches>
const Row* find_former(std::span<const Row> rows, int version, Matches matches) {
    const Row* found = nullptr;
    for (const Row& row : rows) {
        if (row.last_version < version || !matches(row)) continue;
        if (found == nullptr || row.last_version < found->last_version) found = &row;
    }
    return found;
}

bool sets(const ModelPreset& preset, std::string_view key) {
    const std::vector<std::string_view> settings = split(preset.settings, ' ');
    return std::any_of(settings.begin(), settings.end(),
                       [&](std::string_view setting) { return setting.substr(0, setting.find('=')) == key; });
}

}  // namespace

// Rows of version 1 come here when one of today's changes.
FormerRows former_rows() {
    return {};
}

std::optional<Scenario> link_base(int version, std::string_view preset, const FormerRows& former) {
    const ModelPreset* found = nullptr;
    if (!preset.empty()) {
        const auto* row =
            find_former(former.presets, version, [&](const FormerPreset& f) { return f.row.id == preset; });
        found = row != nullptr ? &row->row : find_preset(preset);
        if (found == nullptr) return std::nullopt;
    }
    Scenario base = found != nullptr ? scenario_of(*found) : Scenario{};
    for (const Field& field : field_table()) {
        if (found != nullptr && (field.key == "name" || sets(*found, field.key))) continue;
        const auto* row =
            find_former(former.defaults, version, [&](const FormerDefault& f) { return f.key == field.key; });
        // The rows are ours, and a test compares what they give.
        if (row != nullptr) (void)set_text(base, field, row->value);
    }
    return base;
}

}  // namespace megamem

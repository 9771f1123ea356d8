#include "app/comparison.h"

#include <fmt/format.h>

#include "app/mirror.h"
#include "base/units.h"
#include "memory/components.h"
#include "text/text.h"

namespace megamem::web {

std::vector<const Field*> differing_fields(const Scenario& a, const Scenario& b) {
    std::vector<const Field*> fields;
    for (const Field& field : field_table()) {
        if (field.key != "name" && !equal(a, b, field)) fields.push_back(&field);
    }
    return fields;
}

std::string value_of(const Scenario& scenario, const Field& field) {
    return is_set(scenario, field) ? get_text(scenario, field) : words::kUnset;
}

std::vector<ComponentLine> component_lines(const Report& a, const Report& b) {
    if (a.ranks.empty() || b.ranks.empty()) return {};
    std::vector<ComponentLine> lines;
    for (const Component& component : kComponentsOfTotal) {
        const ComponentLine line = {component.name, a.worst().totals.*component.bytes,
                                    b.worst().totals.*component.bytes};
        if (line.a != 0 || line.b != 0) lines.push_back(line);
    }
    lines.push_back({words::kTotal, a.needed(), b.needed()});
    return lines;
}

std::string signed_gib(Bytes bytes) {
    if (bytes == 0) return gib(0);
    return bytes > 0 ? "+" + gib(bytes) : "−" + gib(-bytes);
}

std::string verdict_text(const Report& report) {
    const Verdict verdict = verdict_of(report);
    if (verdict == Verdict::invalid)
        return report.problems.empty() ? word_of(verdict) : report.problems[0].message;
    return fmt::format("{}: {}, {} GiB of {} GiB", word_of(verdict), where_of(report), gib(report.needed()),
                       gib(report.capacity.usable));
}

}  // namespace megamem::web

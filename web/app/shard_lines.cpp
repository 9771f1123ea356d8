#include "app/shard_lines.h"

#include <algorithm>
#include <cmath>

#include "base/units.h"

namespace megamem::web {

namespace {

std::int64_t whole(double value) {
    return static_cast<std::int64_t>(std::ceil(std::min(value, static_cast<double>(kMaxExactBytes))));
}

ShardLine line(std::string_view name, double parameters, double states, double activation) {
    const auto size = [](double bytes) { return bytes == 0 ? std::string() : gib(whole(bytes)); };
    return {
        name,
        {parameters == 0 ? std::string() : short_count(whole(parameters)), size(states), size(activation)}};
}

}  // namespace

std::vector<ShardLine> shard_lines(const Shard& shard) {
    std::vector<ShardLine> lines;
    for (const ShardItem& item : shard.modules)
        lines.push_back(line(item.component, item.parameters, item.bytes, 0));
    for (const ShardItem& item : shard.activations)
        lines.push_back(line(item.component, 0, 0, item.bytes));
    lines.push_back(
        line({}, shard.parameters, shard.weight_and_optimizer_bytes, shard.activation_bytes.value_or(0)));
    return lines;
}

}  // namespace megamem::web

#include "cli/shards_table.h"

#include <fmt/format.h>

#include "base/units.h"

namespace megamem::cli {

namespace {

// Megatron's MB is 1024 x 1024 bytes; two decimals as it prints them.
std::string mb(double bytes) {
    return fixed(bytes / static_cast<double>(kMiB), 2);
}

std::string mb(std::optional<double> bytes) {
    return bytes ? mb(*bytes) : "-";
}

// Megatron gives shards in billions with four decimals.
std::string billions(double count) {
    return fixed(count / 1e9, 4) + " B";
}

std::string head(const Scenario& scenario, const Report& report) {
    const Shard& most = report.shards.front();
    std::string text = fmt::format("{}{}: the most loaded shard needs {} MB of {} MB on {}\n",
                                   scenario.name.empty() ? "" : scenario.name + ": ",
                                   report.fits() ? "fits" : "does not fit", mb(most.total_bytes()),
                                   mb(static_cast<double>(report.capacity.usable)), report.capacity.gpu);
    text += fmt::format(
        "{} parameters, {} active; {} GPUs, DP {}, EDP {}, VPP {}, {} micro-batches; method {}\n",
        short_count(report.parameters.total), short_count(report.parameters.active), report.groups.world_size,
        report.groups.data_parallel_size, report.groups.expert_data_parallel_size, report.virtual_stages,
        report.micro_batches, name_of(report.method));
    text +=
        fmt::format("Megatron prints: weight and optimizer={} MB, activation={} MB, total={} MB\n\n",
                    mb(most.weight_and_optimizer_bytes), mb(most.activation_bytes), mb(most.total_bytes()));
    return text;
}

std::string items_table(const Shard& shard) {
    std::string text = fmt::format("\n{:<20} {:>12} {:>14}\n", shard.name, "parameters", "MB");
    for (const ShardItem& item : shard.modules) {
        text +=
            fmt::format("{:<20} {:>12} {:>14}\n", item.component, billions(item.parameters), mb(item.bytes));
    }
    for (const ShardItem& item : shard.activations)
        text += fmt::format("{:<20} {:>12} {:>14}\n", item.component, "", mb(item.bytes));
    return text;
}

}  // namespace

std::string shards_table(const Scenario& scenario, const Report& report) {
    std::string text = head(scenario, report);
    text += fmt::format("{:<12} {:>12} {:>24} {:>14} {:>14}\n", "shard", "parameters",
                        "weight and optimizer MB", "activation MB", "total MB");
    for (const Shard& shard : report.shards) {
        text += fmt::format("{:<12} {:>12} {:>24} {:>14} {:>14}\n", shard.name, billions(shard.parameters),
                            mb(shard.weight_and_optimizer_bytes), mb(shard.activation_bytes),
                            mb(shard.total_bytes()));
    }
    return text + items_table(report.shards.front());
}

}  // namespace megamem::cli

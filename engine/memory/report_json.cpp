#include "memory/report_json.h"

#include "base/json_reader.h"
#include "scenario/scenario_json.h"

namespace megamem {

namespace {

OrderedJson json_of(const ModuleRow& row) {
    return {{"module", row.module},       {"elements", row.elements}, {"weight", row.weight},
            {"fp8_cache", row.fp8_cache}, {"grad", row.grad},         {"master", row.master},
            {"optimizer", row.optimizer}};
}

OrderedJson modules_of(const RankReport& rank, Part part) {
    OrderedJson rows = OrderedJson::array();
    for (const ModuleRow& row : module_rows(rank, part))
        rows.push_back(json_of(row));
    return rows;
}

OrderedJson activations_of(const RankReport& rank, Part part) {
    OrderedJson rows = OrderedJson::array();
    for (const ActivationRow& row : activation_rows(rank, part)) {
        rows.push_back({{"term", row.term}, {"bytes", row.bytes}, {"multiplicity", row.multiplicity}});
        if (!row.module.empty()) rows.back()["module"] = row.module;
    }
    return rows;
}

OrderedJson json_of(const Totals& totals, bool allocator) {
    OrderedJson json = {{"weight", totals.weight},       {"fp8_cache", totals.fp8_cache},
                        {"grad", totals.grad},           {"master", totals.master},
                        {"optimizer", totals.optimizer}, {"activation", totals.activation},
                        {"vision", totals.vision}};
    if (allocator) {
        json["transient"] = totals.transient;
        json["workspace"] = totals.workspace;
        json["held"] = totals.held;
        json["steady_allocated"] = totals.steady_allocated;
        json["peak_allocated"] = totals.peak_allocated;
        json["peak_reserved"] = totals.peak_reserved;
    }
    json["reserve"] = totals.reserve;
    json["total"] = totals.total;
    return json;
}

// What is neither a parameter's state nor saved for backward.
OrderedJson others_of(const RankReport& rank) {
    OrderedJson rows = OrderedJson::array();
    for (const LineItem& item : rank.items) {
        if (is_state(item.kind) || item.kind == Kind::activation) continue;
        rows.push_back({{"component", item.component},
                        {"kind", name_of(item.kind)},
                        {"bytes", item.bytes},
                        {"formula", item.formula}});
    }
    return rows;
}

OrderedJson json_of(const RankReport& rank) {
    OrderedJson json = {{"pipeline_rank", rank.pipeline_rank},
                        {"layers",
                         {{"embedding", rank.layers.embedding},
                          {"dense", rank.layers.dense},
                          {"moe", rank.layers.moe},
                          {"mtp", rank.layers.mtp},
                          {"output", rank.layers.output}}},
                        {"chunks", rank.chunks},
                        {"modules", modules_of(rank, Part::language)},
                        {"activations", activations_of(rank, Part::language)}};
    if (rank.totals.vision > 0) {
        json["vision"] = {{"modules", modules_of(rank, Part::vision)},
                          {"activations", activations_of(rank, Part::vision)}};
    }
    // Only a method that follows the allocator has a schedule and events.
    const bool allocator = !rank.in_flight.empty();
    if (allocator) {
        json["others"] = others_of(rank);
        json["in_flight"] = rank.in_flight;
        json["peak_event"] = rank.peak_event;
    }
    json["totals"] = json_of(rank.totals, allocator);
    return json;
}

OrderedJson json_of(const Shard& shard) {
    OrderedJson modules = OrderedJson::array();
    for (const ShardItem& item : shard.modules) {
        modules.push_back(
            {{"module", item.component}, {"parameters", item.parameters}, {"bytes", item.bytes}});
    }
    OrderedJson activations = OrderedJson::array();
    for (const ShardItem& item : shard.activations)
        activations.push_back({{"term", item.component}, {"bytes", item.bytes}});
    const auto number_or_null = [](std::optional<double> value) {
        return value ? OrderedJson(*value) : OrderedJson(nullptr);
    };
    return {{"name", shard.name},
            {"parameters", shard.parameters},
            {"weight_and_optimizer_bytes", shard.weight_and_optimizer_bytes},
            {"activation_bytes", number_or_null(shard.activation_bytes)},
            {"total_bytes", number_or_null(shard.total_bytes())},
            {"modules", modules},
            {"activations", activations}};
}

}  // namespace

OrderedJson json_of(const Problem& problem) {
    return {{"severity", name_of(problem.severity)},
            {"code", problem.code},
            {"path", problem.path},
            {"message", problem.message}};
}

OrderedJson json_of(const Report& report) {
    OrderedJson json;
    json["schema"] = kSchema;
    json["method"] = name_of(report.method);
    json["valid"] = report.valid;
    json["groups"] = {{"world_size", report.groups.world_size},
                      {"data_parallel_size", report.groups.data_parallel_size},
                      {"expert_data_parallel_size", report.groups.expert_data_parallel_size},
                      {"shared_expert_data_parallel_size", report.groups.shared_expert_data_parallel_size},
                      {"vision_data_parallel_size", report.groups.vision_data_parallel_size}};
    json["parameters"] = {{"total", report.parameters.total}, {"active", report.parameters.active}};
    json["micro_batches"] = report.micro_batches;
    json["virtual_stages"] = report.virtual_stages;
    json["ranks"] = OrderedJson::array();
    for (const RankReport& rank : report.ranks)
        json["ranks"].push_back(json_of(rank));
    json["worst_rank"] = report.worst_rank >= 0 ? OrderedJson(report.worst_rank) : OrderedJson(nullptr);
    if (report.method == Method::megatron_report) {
        json["shards"] = OrderedJson::array();
        for (const Shard& shard : report.shards)
            json["shards"].push_back(json_of(shard));
    }
    json["gpu"] = {{"id", report.capacity.gpu}, {"usable_bytes", report.capacity.usable}};
    if (report.valid) {
        json["gpu"]["fits"] = report.fits();
        json["gpu"]["headroom_bytes"] = report.headroom();
    }
    json["problems"] = OrderedJson::array();
    for (const Problem& problem : report.problems)
        json["problems"].push_back(json_of(problem));
    json["assumptions"] = OrderedJson::array();
    for (const Assumption& assumption : report.assumptions) {
        json["assumptions"].push_back({{"id", assumption.id}, {"message", assumption.message}});
    }
    return json;
}

std::string text_of(const OrderedJson& json, int indent) {
    return json.dump(indent, ' ', false, OrderedJson::error_handler_t::replace);
}

std::string write_report_json(const Report& report, int indent) {
    return text_of(json_of(report), indent);
}

}  // namespace megamem

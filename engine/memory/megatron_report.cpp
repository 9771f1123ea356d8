#include "memory/megatron_report.h"

#include <algorithm>

#include "pipeline/layout.h"

namespace megamem {

namespace megatron_report {

double Context::padded_vocab() const {
    return real(z.vocab_local * z.tp);
}

bool Context::with_sequence_parallel() const {
    return z.sp && s.recompute_granularity == RecomputeGranularity::selective;
}

// By the day of each change on main: 9ad5906556 (in v0.16), a7c9e8c44a (v0.18), 1bcb3b9e0b (v0.19).
Rules rules_of(const Software& software) {
    return {.norms_by_kind = software.megatron >= Date{2026, 1, 30},
            .split_by_kind = software.megatron >= Date{2026, 5, 14},
            .latent = software.megatron >= Date{2026, 6, 15}};
}

namespace {

// arguments.py:940-983@d98e8a64. nullopt where it can't be told.
OptionalInt virtual_stages(const Scenario& s, const Resolved& r) {
    const std::int64_t pp = s.pipeline_model_parallel_size;
    if (!s.pipeline_model_parallel_layout.empty()) {
        const LayoutText layout = parse_layout(s.pipeline_model_parallel_layout);
        const auto stages = static_cast<std::int64_t>(layout.stages.size());
        if (layout.error || stages == 0 || stages % pp != 0) return std::nullopt;
        return stages / pp;
    }
    if (!s.num_layers_per_virtual_pipeline_stage) return s.num_virtual_stages_per_pipeline_rank.value_or(1);
    const std::int64_t counted = r.layers + (s.account_for_embedding_in_pipeline_split ? 1 : 0) +
                                 (s.account_for_loss_in_pipeline_split ? 1 : 0);
    const std::int64_t per_rank = counted / pp;
    const std::int64_t per_stage = *s.num_layers_per_virtual_pipeline_stage;
    if (per_rank == 0 || per_rank % per_stage != 0) return std::nullopt;
    return pp == 1 ? 1 : per_rank / per_stage;
}

}  // namespace

Context context_of(const Plan& plan, Problems& problems) {
    const Software software = resolve_software(plan.scenario, problems);
    const auto moe = std::count(plan.moe.begin(), plan.moe.end(), true);
    return {.s = plan.scenario,
            .r = plan.resolved,
            .z = sizes_of(plan.scenario, plan.resolved),
            .software = software,
            .rules = rules_of(software),
            .virtual_stages = plan.pipeline.chunks,
            .dense_layers = plan.resolved.layers - moe,
            .moe_layers = moe,
            .last_is_moe = !plan.moe.empty() && plan.moe.back()};
}

namespace {

// The bytes of a parameter with its gradient and optimizer: bf16 weight, fp32 gradient, fp32 main parameter
// and two fp32 moments (293-296).
double bytes_of_parameter(const Context& c, std::int64_t data_parallel_size) {
    return c.s.use_distributed_optimizer ? 6 + 12 / real(data_parallel_size) : 18;
}

struct Share {
    double divisor = 1;
    double bytes = 18;  // of a parameter
};

Share share_of(const Context& c, Split split) {
    // The data-parallel size leaves out CP (298-303).
    const double dense = bytes_of_parameter(c, c.z.dp);
    switch (split) {
        case Split::tensor:
            return {real(c.z.tp), dense};
        case Split::replicated:
            return {1, dense};
        case Split::expert:
            return {real(Wide{c.z.etp} * c.z.ep), bytes_of_parameter(c, c.z.edp)};
    }
    return {};
}

void add(Shard& shard, std::string_view component, std::string_view formula, double parameters,
         const Share& share) {
    if (parameters == 0) return;
    const double here = parameters / share.divisor;
    shard.modules.push_back(
        {.component = component, .parameters = here, .bytes = here * share.bytes, .formula = formula});
    shard.parameters += here;
    shard.weight_and_optimizer_bytes += here * share.bytes;
}

// 1/PP of the layers, all of MTP and one embedding; with PP 1 an untied output layer too (247-267).
Shard most_loaded(const Context& c, const std::vector<Module>& modules) {
    Shard shard{.name = "most loaded"};
    for (const Module& module : modules) {
        add(shard, module.name, module.formula, module.block / real(c.z.pp) + module.mtp,
            share_of(c, module.split));
    }
    const double embedding = real(c.z.h) * c.padded_vocab();
    const Share share = share_of(c, Split::tensor);
    add(shard, "embedding", "megatron_report.embedding", embedding, share);
    if (c.s.untie_embeddings_and_output_weights && c.z.pp == 1)
        add(shard, "output_layer", "megatron_report.output_layer", embedding, share);

    shard.activations = activations_of(c);
    double sum = 0;
    for (const ShardItem& item : shard.activations)
        sum += item.bytes;
    shard.activation_bytes = sum;
    return shard;
}

// 1/PP of the layers (274-286). Megatron gives its parameters only; the bytes are by the same rule.
Shard other(const Context& c, const std::vector<Module>& modules) {
    Shard shard{.name = "other"};
    for (const Module& module : modules)
        add(shard, module.name, module.formula, module.block / real(c.z.pp), share_of(c, module.split));
    return shard;
}

std::int64_t whole(double count) {
    constexpr auto kMost = static_cast<double>(kMaxExactBytes);
    return count < kMost ? static_cast<std::int64_t>(count) : kMaxExactBytes;
}

}  // namespace

std::optional<Pipeline> pipeline_size(const Scenario& s, const Resolved& r, Problems& problems) {
    const OptionalInt chunks = virtual_stages(s, r);
    Problems found;
    (void)plan_pipeline(s, r, found);
    for (Problem& problem : found) {
        if (chunks) problem.severity = std::max(problem.severity, Severity::warning);
        problems.push_back(std::move(problem));
    }
    if (!chunks) return std::nullopt;
    return Pipeline{.ranks = s.pipeline_model_parallel_size, .chunks = *chunks, .stages = {}};
}

Parameters parameters_of(const Context& c, const std::vector<Module>& modules) {
    // 160-183. Of MTP layers all experts count as active.
    const double embedding = real(c.z.h) * c.padded_vocab();
    double total = c.s.untie_embeddings_and_output_weights ? 2 * embedding : embedding;
    double active = total;
    for (const Module& module : modules) {
        total += module.block + module.mtp;
        active += module.active_block + module.mtp;
    }
    return {whole(total), whole(active)};
}

std::vector<Shard> shards_of(const Context& c, const std::vector<Module>& modules) {
    std::vector<Shard> shards = {most_loaded(c, modules)};
    if (c.z.pp > 1) shards.push_back(other(c, modules));
    return shards;
}

}  // namespace megatron_report

void report_as_megatron(const Plan& plan, Report& report) {
    using namespace megatron_report;
    const Context c = context_of(plan, report.problems);
    report.groups = {.world_size = plan.resolved.world_size,
                     .data_parallel_size = c.z.dp,
                     .expert_data_parallel_size = c.z.edp,
                     .shared_expert_data_parallel_size = c.z.dp,
                     .vision_data_parallel_size = c.z.dp};
    const std::vector<Module> modules = modules_of(c);
    report.parameters = parameters_of(c, modules);
    report.shards = shards_of(c, modules);
    add_assumptions(c, report.assumptions);
}

}  // namespace megamem

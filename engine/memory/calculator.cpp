#include "memory/calculator.h"

#include <algorithm>

namespace megamem {

namespace calculator {

Terms terms_of(const Scenario& s, const Resolved& r) {
    const bool moe = s.num_experts > 0;
    Terms t;
    t.tp = s.tensor_model_parallel_size;
    t.cp = s.context_parallel_size;
    t.hidden = r.hidden;
    t.vocab = r.vocab;
    t.query = Wide{r.head_width} * r.heads;
    t.key = Wide{r.head_width} * r.groups;
    // The method's one ffn is the expert's width; a dense model has its own, and a top-k of 1.
    t.ffn = moe ? r.moe_ffn : r.ffn;
    t.topk = moe ? s.moe_router_topk : 1;
    t.shared = moe ? s.moe_shared_expert_intermediate_size : 0;
    t.tokens = r.tokens();
    t.fp8 = s.fp8_format != Fp8Format::none;
    t.linear_bytes = t.fp8 ? 1 : (s.precision == Precision::fp32 ? 4 : 2);
    t.recompute_moe_act = s.recompute_granularity == RecomputeGranularity::selective &&
                          std::find(s.recompute_modules.begin(), s.recompute_modules.end(), "moe_act") !=
                              s.recompute_modules.end();
    return t;
}

// Section 2 of the method; every division has been checked to be exact.
Groups groups_of(const Scenario& s, const Resolved& r) {
    const std::int64_t pp = s.pipeline_model_parallel_size;
    return {
        .world_size = r.world_size,
        .data_parallel_size = r.world_size / pp / s.tensor_model_parallel_size / s.context_parallel_size,
        .expert_data_parallel_size = r.world_size / pp / s.expert_model_parallel_size,
        .shared_expert_data_parallel_size = r.world_size / pp,
        .vision_data_parallel_size = r.world_size,
    };
}

}  // namespace calculator

namespace {

LayerCounts count_layers(const Plan& plan, std::int64_t rank) {
    LayerCounts counts;
    for (std::int64_t chunk = 0; chunk < plan.pipeline.chunks; ++chunk) {
        const Stage& stage = plan.pipeline.stage(rank, chunk);
        const auto first = plan.moe.begin() + static_cast<std::ptrdiff_t>(stage.first_layer);
        const auto moe = std::count(first, first + static_cast<std::ptrdiff_t>(stage.layers), true);
        counts.embedding += stage.embedding ? 1 : 0;
        counts.moe += moe;
        counts.dense += stage.layers - moe;
        counts.mtp += stage.mtp;
        counts.output += stage.output ? 1 : 0;
    }
    return counts;
}

}  // namespace

void calculate(const Plan& plan, Report& report) {
    using namespace calculator;
    const Terms terms = terms_of(plan.scenario, plan.resolved);
    report.groups = groups_of(plan.scenario, plan.resolved);
    report.parameters = parameters_of(plan, terms);
    add_assumptions(plan, terms, report.assumptions);

    const std::vector<ActivationTerm> activations = activation_terms(plan.scenario, terms);

    constexpr std::size_t kItemsOfARank = 128;  // about: 11 modules x 5, 20 terms, a vision tower
    report.ranks.resize(static_cast<std::size_t>(plan.pipeline.ranks));
    for (std::size_t i = 0; i < report.ranks.size(); ++i) {
        RankReport& rank = report.ranks[i];
        rank.pipeline_rank = static_cast<std::int64_t>(i);
        rank.layers = count_layers(plan, rank.pipeline_rank);
        for (std::int64_t chunk = 0; chunk < plan.pipeline.chunks; ++chunk) {
            rank.chunks.push_back(letters_of(plan.pipeline.stage(rank.pipeline_rank, chunk)));
        }
        rank.items.reserve(kItemsOfARank);
        add_modules(plan, terms, report.groups, rank.layers, rank.items);
        add_activations(activations, rank.layers, plan.pipeline.chunks, rank.items);
        if (plan.resolved.vision.layers > 0) add_vision(plan, report.groups, rank.items);
        rank.items.push_back({.component = "nccl_buffer",
                              .part = Part::reserve,
                              .kind = Kind::reserve,
                              .bytes = plan.scenario.nccl_buffer_gib.ten_thousandths * kGiB / Decimal4::kOne,
                              .formula = "calculator.nccl_buffer"});
        rank.totals = totals_of(rank.items);
    }
}

}  // namespace megamem

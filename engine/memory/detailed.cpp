#include "memory/detailed.h"

#include <algorithm>

#include "memory/detailed_assumptions.h"
#include "memory/detailed_chunk.h"
#include "model/vision.h"
#include "pipeline/schedule.h"

namespace megamem {

namespace detailed {

bool Context::recomputes(std::string_view module) const {
    if (s.recompute_granularity != RecomputeGranularity::selective) return false;
    // Selective without modules is core_attn (transformer_config.py:1940@d98e8a64).
    if (s.recompute_modules.empty()) return module == "core_attn";
    return std::find(s.recompute_modules.begin(), s.recompute_modules.end(), module) !=
           s.recompute_modules.end();
}

Context context_of(const Plan& plan, Problems& problems) {
    const Scenario& s = plan.scenario;
    const Software software = resolve_software(s, problems);
    const Sizes z = sizes_of(s, plan.resolved);
    const bool last_is_moe = !plan.moe.empty() && plan.moe.back();
    const bool tower = plan.resolved.vision.layers > 0 && plan.resolved.vision.kind != nullptr;
    const auto of_tower = [&](auto tensors) { return tower ? tensors(s, plan.resolved, z) : Tensors{}; };
    const bool frozen = freezes_language(s);
    const auto language = [&](Tensors tensors) {
        for (Tensor& tensor : tensors)
            tensor.frozen = frozen;
        return tensors;
    };
    return {
        .s = s,
        .r = plan.resolved,
        .pipeline = plan.pipeline,
        .moe = plan.moe,
        .z = z,
        .software = software,
        .attention = attention_backend(s, software),
        .dispatcher = s.moe_token_dispatcher_type,
        .last_is_moe = last_is_moe,
        .inventory = {.embedding = language(embedding(s, plan.resolved, z)),
                      .dense_layer = language(decoder_layer(s, z, false)),
                      .moe_layer = s.num_experts > 0 ? language(decoder_layer(s, z, true)) : Tensors{},
                      .mtp_layer = s.mtp_num_layers > 0 ? language(mtp_layer(s, z, last_is_moe)) : Tensors{},
                      .final_norm = language(final_norm(z)),
                      .output_layer = language(output_layer(z)),
                      .vision_ends = of_tower(vision_ends),
                      .vision_layer = of_tower(vision_layer),
                      .vision_merger = plan.resolved.vision.deepstack > 0 ? of_tower(vision_deepstack_merger)
                                                                          : Tensors{}}};
}

namespace {

Parameters parameters_of(const Context& c) {
    // The whole model: one GPU that shares nothing.
    Scenario whole = c.s;
    whole.tensor_model_parallel_size = whole.pipeline_model_parallel_size = whole.context_parallel_size = 1;
    whole.expert_model_parallel_size = 1;
    whole.expert_tensor_parallel_size = 1;
    Resolved resolved = c.r;
    resolved.etp = 1;
    const Sizes z = sizes_of(whole, resolved);
    const auto moe_layers = std::count(c.moe.begin(), c.moe.end(), true);
    Wide total = 0;
    Wide idle = 0;  // experts that a token doesn't visit
    const auto add = [&](const Tensors& tensors, Wide count) {
        for (const Tensor& tensor : tensors) {
            if (tensor.buffer == Buffer::none) continue;
            total += tensor.elements() * count;
            if (tensor.module != "experts") continue;
            const Wide visited = std::min(c.s.moe_router_topk, c.s.num_experts);
            idle += tensor.elements() / tensor.copies * (tensor.copies - visited) * count;
        }
    };
    add(embedding(whole, resolved, z), 1);
    add(decoder_layer(whole, z, false), static_cast<Wide>(c.moe.size()) - moe_layers);
    if (moe_layers > 0) add(decoder_layer(whole, z, true), moe_layers);
    if (c.s.mtp_num_layers > 0) {
        add(mtp_layer(whole, z, c.last_is_moe), c.s.mtp_use_repeated_layer ? 1 : c.s.mtp_num_layers);
    }
    add(final_norm(z), 1);
    if (c.s.untie_embeddings_and_output_weights) add(output_layer(z), 1);
    if (!c.inventory.vision_layer.empty()) {
        // Dummy heads are there for TP and have weights like the others.
        const VisionSizes tower = vision_sizes(c.s, c.r);
        resolved.vision.heads = narrow(tower.n);
        resolved.vision.groups = narrow(tower.g);
        add(vision_ends(whole, resolved, z), 1);
        add(vision_layer(whole, resolved, z), c.r.vision.layers);
        add(vision_deepstack_merger(whole, resolved, z), c.r.vision.deepstack);
    }
    return {narrow(total), narrow(total - idle)};
}

// Beyond what torch has allocated: what its allocator holds besides, and what lies outside it.
void add_reserve(const Context& c, std::vector<LineItem>& items) {
    items.push_back({.component = "fragmentation",
                     .part = Part::reserve,
                     .kind = Kind::reserve,
                     .bytes = narrow(Wide{totals_of(items).peak_allocated} * c.fragmentation().middle / 100),
                     .formula = "detailed.fragmentation"});
    const ExpertBuffers buffers = expert_buffers(c);
    if (buffers.bytes > 0) {
        items.push_back({.component = "expert_buffers",
                         .part = Part::reserve,
                         .kind = Kind::reserve,
                         .bytes = narrow(buffers.bytes),
                         .formula = buffers.formula});
    }
    items.push_back({.component = "nccl_buffer",
                     .part = Part::reserve,
                     .kind = Kind::reserve,
                     .bytes = c.s.nccl_buffer_gib.ten_thousandths * kGiB / Decimal4::kOne,
                     .formula = "nccl_buffer"});
}

}  // namespace

RankReport rank_report(const Context& c, std::int64_t rank, const Layers& layers, const RankKind& kind) {
    RankReport report;
    report.pipeline_rank = rank;
    report.chunks.reserve(static_cast<std::size_t>(c.pipeline.chunks));
    for (std::int64_t chunk = 0; chunk < c.pipeline.chunks; ++chunk) {
        const Stage& stage = c.pipeline.stage(rank, chunk);
        const Counts counts = counts_of(c, stage);
        report.layers.embedding += stage.embedding ? 1 : 0;
        report.layers.dense += counts.dense;
        report.layers.moe += counts.moe;
        report.layers.mtp += counts.mtp;
        report.layers.output += stage.output ? 1 : 0;
        report.chunks.push_back(letters_of(stage));
    }
    constexpr std::size_t kMore = 30;  // about: the tensors of one type of layer, events, reserve
    report.items.reserve(kind.items.size() + kMore);
    report.items = kind.items;
    // When most are alive for the first time; where chunks differ, the peak may have as many of other chunks.
    report.in_flight = in_flight(c.s, c.pipeline, rank, c.z.micro_batches, c.overlaps_experts());
    std::vector<std::int64_t> alive;
    report.peak_event = add_peak(c, rank, layers, kind, alive, report.items);
    add_vision(c, report, report.items);
    add_reserve(c, report.items);
    report.totals = totals_of(report.items);
    return report;
}

}  // namespace detailed

void estimate_detailed(const Plan& plan, Report& report) {
    using namespace detailed;
    const Context c = context_of(plan, report.problems);
    report.groups = {.world_size = plan.resolved.world_size,
                     .data_parallel_size = c.z.dp,
                     .expert_data_parallel_size = c.z.edp,
                     .shared_expert_data_parallel_size = c.z.dp * c.z.cp,
                     .vision_data_parallel_size = c.z.dp * c.z.cp};
    report.parameters = parameters_of(c);
    const Layers layers = layers_of_every_kind(c);
    report.ranks.reserve(static_cast<std::size_t>(plan.pipeline.ranks));
    RankKind kind;
    for (std::int64_t rank = 0; rank < plan.pipeline.ranks; ++rank) {
        if (rank == 0 || !same_kind(c, rank, rank - 1)) kind = rank_kind(c, rank, layers);
        report.ranks.push_back(rank_report(c, rank, layers, kind));
    }
    add_assumptions(c, report);
}

}  // namespace megamem

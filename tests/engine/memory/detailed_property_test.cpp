// Properties of the `detailed` method over generated scenarios. Each says why it must hold.
#include <rapidcheck.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <numeric>

#include "engine/support/generators.h"
#include "engine/support/reports.h"
#include "memory/detailed.h"
#include "memory/detailed_chunk.h"
#include "memory/report_json.h"
#include "model/layers.h"

namespace megamem {

namespace {

using test::set;

std::int64_t between(std::int64_t low, std::int64_t high) {
    return *rc::gen::inRange<std::int64_t>(low, high + 1);
}

// A scenario that Megatron would run: the rules are errors for this method.
Scenario running_scenario() {
    const auto power = [](std::int64_t high) { return std::int64_t{1} << between(0, high); };
    Scenario s;
    const std::int64_t tp = power(2);
    const std::int64_t pp = power(2);
    const std::int64_t cp = power(1);
    const std::int64_t vpp = pp > 1 ? power(1) : 1;
    const bool moe = *rc::gen::arbitrary<bool>();
    const std::int64_t ep = moe ? power(2) : 1;
    const std::int64_t scale = between(1, 2);
    set(s, "gpus_per_node", 1);
    set(s, "nodes", tp * pp * cp * ep * scale);
    set(s, "tensor_model_parallel_size", tp);
    set(s, "pipeline_model_parallel_size", pp);
    set(s, "context_parallel_size", cp);
    if (vpp > 1) set(s, "num_virtual_stages_per_pipeline_rank", vpp);
    s.sequence_parallel = moe || *rc::gen::arbitrary<bool>();
    set(s, "num_layers", pp * vpp * between(1, 3));
    set(s, "hidden_size", 64 * between(1, 20));
    set(s, "ffn_hidden_size", 64 * between(1, 40));
    set(s, "num_attention_heads", 4 * between(1, 4));
    s.multi_latent_attention = *rc::gen::arbitrary<bool>();
    set(s, "num_query_groups", s.multi_latent_attention ? *s.num_attention_heads : 4);
    set(s, "kv_channels", 16 * between(1, 8));
    if (s.multi_latent_attention && *rc::gen::arbitrary<bool>()) set(s, "q_lora_rank", 16 * between(1, 20));
    set(s, "vocab_size", between(1, 50'000));
    set(s, "mtp_num_layers", between(0, 2));
    set(s, "seq_length", 64 * between(1, 32));
    set(s, "micro_batch_size", between(1, 4));
    set(s, "global_batch_size", *s.micro_batch_size * ep * scale * pp * between(1, 4));
    if (moe) {
        set(s, "expert_model_parallel_size", ep);
        set(s, "expert_tensor_parallel_size", 1);
        set(s, "num_experts", ep * between(2, 8));
        set(s, "moe_ffn_hidden_size", 64 * between(1, 20));
        set(s, "moe_router_topk", between(1, 2));
        set(s, "moe_shared_expert_intermediate_size", 64 * between(0, 8));
        set(s, "num_dense_layers", between(0, *s.num_layers));
        s.moe_permute_fusion = *rc::gen::arbitrary<bool>();
        s.moe_token_dispatcher_type =
            *rc::gen::element(Dispatcher::alltoall, Dispatcher::allgather, Dispatcher::flex);
    }
    s.swiglu = *rc::gen::arbitrary<bool>();
    s.qk_layernorm = *rc::gen::arbitrary<bool>();
    s.untie_embeddings_and_output_weights = *rc::gen::arbitrary<bool>();
    s.gradient_accumulation_fusion = *rc::gen::arbitrary<bool>();
    s.cross_entropy_loss_fusion = *rc::gen::arbitrary<bool>();
    s.precision = *rc::gen::element(Precision::bf16, Precision::fp16, Precision::fp32);
    s.use_distributed_optimizer = *rc::gen::arbitrary<bool>();
    s.first_iteration = *rc::gen::arbitrary<bool>();
    s.gpu = *rc::gen::element<std::string>("A100-80", "H100-80", "B200");
    if (*rc::gen::arbitrary<bool>()) s.hidden_dropout = Decimal4{1000};
    return s;
}

Report checked(const Scenario& scenario) {
    Report report = estimate(scenario, Method::detailed);
    if (!report.valid) RC_FAIL(test::shown(report.problems));
    return report;
}

Bytes peak_of(const Report& report) {
    Bytes most = 0;
    for (const RankReport& rank : report.ranks)
        most = std::max(most, rank.totals.peak_allocated);
    return most;
}

void never_less(const Report& small, const Report& large) {
    RC_ASSERT(small.ranks.size() == large.ranks.size());
    for (std::size_t i = 0; i < small.ranks.size(); ++i)
        RC_ASSERT(small.ranks[i].totals.peak_allocated <= large.ranks[i].totals.peak_allocated);
}

}  // namespace

// Ranks with like stages are made from one RankKind: each must be what it would be made by itself.
TEST_CASE("Property: a rank doesn't depend on the ranks before it", "[memory][detailed][property]") {
    CHECK(rc::check("ranks", [] {
        Scenario s = running_scenario();
        s.cuda_graph_impl = *rc::gen::element(CudaGraphImpl::none, CudaGraphImpl::transformer_engine);
        s.optimizer = *rc::gen::element(Optimizer::adam, Optimizer::dist_muon);
        s.use_megatron_fsdp = *rc::gen::arbitrary<bool>();
        s.recompute_granularity = *rc::gen::element(RecomputeGranularity::none, RecomputeGranularity::full);
        if (s.num_experts > 0 && *rc::gen::arbitrary<bool>()) {
            s.num_dense_layers.reset();
            s.moe_layer_freq = *rc::gen::element<std::string>("2", "3");
        }
        const Report report = estimate(s, Method::detailed);
        if (!report.valid) return;
        Problems problems;
        Assumptions assumptions;
        const auto resolved = resolve(s, problems, assumptions);
        const auto moe = moe_layers(s, *resolved, problems);
        const auto pipeline = plan_pipeline(s, *resolved, problems);
        const detailed::Context c = detailed::context_of({s, *resolved, *pipeline, *moe}, problems);
        const detailed::Layers layers = detailed::layers_of_every_kind(c);
        for (const RankReport& rank : report.ranks) {
            const std::int64_t r = rank.pipeline_rank;
            const RankReport alone = detailed::rank_report(c, r, layers, detailed::rank_kind(c, r, layers));
            RC_ASSERT(std::equal(rank.items.begin(), rank.items.end(), alone.items.begin(), alone.items.end(),
                                 [](const LineItem& a, const LineItem& b) {
                                     return a.component == b.component && a.kind == b.kind &&
                                            a.bytes == b.bytes && a.elements == b.elements &&
                                            a.multiplicity == b.multiplicity && a.formula == b.formula;
                                 }));
            RC_ASSERT(rank.peak_event == alone.peak_event);
        }
    }));
}

TEST_CASE("Property: totals are sums of items, and nothing is negative", "[memory][detailed][property]") {
    CHECK(rc::check("sums", [] {
        const Report report = checked(running_scenario());
        for (const RankReport& rank : report.ranks) {
            const Totals& t = rank.totals;
            Bytes steady = 0;
            Bytes peak = 0;
            Bytes reserve = 0;
            for (const LineItem& item : rank.items) {
                RC_ASSERT(item.bytes >= 0);
                RC_ASSERT(item.elements >= 0);
                RC_ASSERT(item.multiplicity >= 1);
                RC_ASSERT(!item.formula.empty());
                const bool passing = item.kind == Kind::activation || item.kind == Kind::transient;
                if (item.kind == Kind::reserve) {
                    reserve += item.bytes;
                } else {
                    if (!passing) steady += item.bytes;
                    if (item.kind != Kind::held) peak += item.bytes;
                }
            }
            RC_ASSERT(t.steady_allocated == steady);
            RC_ASSERT(t.peak_allocated == std::max(steady, peak));
            RC_ASSERT(t.total == t.peak_allocated + reserve);
            RC_ASSERT(t.weight > 0);
            RC_ASSERT(!rank.peak_event.empty());
        }
    }));
}

TEST_CASE("Property: micro-batches in flight are within the step's", "[memory][detailed][property]") {
    CHECK(rc::check("in flight", [] {
        const Report report = checked(running_scenario());
        for (const RankReport& rank : report.ranks) {
            RC_ASSERT(rank.in_flight.size() == static_cast<std::size_t>(report.virtual_stages));
            for (const std::int64_t count : rank.in_flight)
                RC_ASSERT(count >= 0 && count <= report.micro_batches);
            RC_ASSERT(rank.in_flight.front() >= 1);
        }
    }));
}

TEST_CASE("Property: more samples or tokens at a time never take less", "[memory][detailed][property]") {
    // Weights don't know the batch, and every activation grows with it. The number of micro-batches is kept.
    CHECK(rc::check("micro-batch", [] {
        const Scenario s = running_scenario();
        Scenario more = s;
        set(more, "micro_batch_size", *s.micro_batch_size * 2);
        set(more, "global_batch_size", *s.global_batch_size * 2);
        never_less(checked(s), checked(more));
    }));
    CHECK(rc::check("sequence", [] {
        const Scenario s = running_scenario();
        Scenario more = s;
        set(more, "seq_length", *s.seq_length * 2);
        never_less(checked(s), checked(more));
    }));
}

TEST_CASE("Property: more layers never take less", "[memory][detailed][property]") {
    // The same stages with one layer more in each; the last layer's type, which MTP takes, must stay.
    CHECK(rc::check("layers", [] {
        const Scenario s = running_scenario();
        RC_PRE(s.num_experts == 0);
        Scenario more = s;
        const std::int64_t stages =
            s.pipeline_model_parallel_size * s.num_virtual_stages_per_pipeline_rank.value_or(1);
        set(more, "num_layers", *s.num_layers + stages);
        never_less(checked(s), checked(more));
    }));
}

TEST_CASE("Property: full recompute keeps no more of any rank's layers than saving all does",
          "[memory][detailed][property]") {
    // What is kept is the inputs, which are among what is saved without it. (The peak may be higher: a
    // rebuilt layer stands beside what older micro-batches keep.)
    CHECK(rc::check("kept", [] {
        const Scenario s = running_scenario();
        Scenario full = s;
        full.recompute_granularity = RecomputeGranularity::full;
        full.recompute_method = *rc::gen::element(RecomputeMethod::uniform, RecomputeMethod::block);
        set(full, "recompute_num_layers",
            full.recompute_method == RecomputeMethod::block ? between(0, 3) : 1);
        const Report saved = checked(s);
        const Report rebuilt = checked(full);
        for (std::size_t i = 0; i < saved.ranks.size(); ++i)
            RC_ASSERT(rebuilt.ranks[i].totals.activation <= saved.ranks[i].totals.activation);
    }));
}

TEST_CASE("Property: full recompute of several layers a stage lowers the peak",
          "[memory][detailed][property]") {
    // One rebuilt layer is less than all saved ones. Dense layers: a dispatcher that holds a checkpoint's
    // leaf between steps can cost more than a small layer.
    CHECK(rc::check("peak", [] {
        Scenario s = running_scenario();
        RC_PRE(s.num_experts == 0);
        set(s, "mtp_num_layers", 0);
        const std::int64_t stages =
            s.pipeline_model_parallel_size * s.num_virtual_stages_per_pipeline_rank.value_or(1);
        set(s, "num_layers", stages * 4);
        Scenario full = s;
        full.recompute_granularity = RecomputeGranularity::full;
        full.recompute_method = RecomputeMethod::uniform;
        set(full, "recompute_num_layers", 1);
        RC_ASSERT(peak_of(checked(full)) <= peak_of(checked(s)));
    }));
}

TEST_CASE("Property: TP never raises a rank's weights beyond the padding", "[memory][detailed][property]") {
    // Every tensor is split or whole; words are padded to a multiple of 128 TP.
    CHECK(rc::check("TP", [] {
        Scenario s = running_scenario();
        set(s, "nodes", 64);
        s.global_batch_size.reset();
        set(s, "tensor_model_parallel_size", 1);
        Scenario split = s;
        set(split, "tensor_model_parallel_size", 2);
        split.sequence_parallel = true;
        const Report one = checked(s);
        const Report two = checked(split);
        const std::int64_t element = s.precision == Precision::fp32 ? 4 : 2;
        for (std::size_t i = 0; i < one.ranks.size(); ++i) {
            // Up to three tables on a rank: embedding, MTP's copies, head; 128 words more at most in each.
            const std::int64_t padding = 3 * 128 * *s.hidden_size * element;
            RC_ASSERT(two.ranks[i].totals.weight <= one.ranks[i].totals.weight + padding);
        }
    }));
}

TEST_CASE("Property: the distributed optimizer never takes more", "[memory][detailed][property]") {
    // The same masters and moments, shared.
    CHECK(rc::check("sharing", [] {
        Scenario s = running_scenario();
        s.use_distributed_optimizer = true;
        Scenario whole = s;
        whole.use_distributed_optimizer = false;
        never_less(checked(s), checked(whole));
    }));
}

TEST_CASE("Property: any scenario gives numbers or errors with each method", "[memory][detailed][property]") {
    CHECK(rc::check("numbers or errors", [] {
        const Scenario scenario = test::any_scenario();
        for (const Method method : {Method::detailed, Method::megatron_report}) {
            const Report report = estimate(scenario, method);
            RC_ASSERT(report.valid == !has_error(report.problems));
            RC_ASSERT(report.valid == (!report.ranks.empty() || !report.shards.empty()));
            for (const RankReport& rank : report.ranks) {
                for (const LineItem& item : rank.items)
                    RC_ASSERT(item.bytes >= 0);
            }
            RC_ASSERT(!nlohmann::json::parse(write_report_json(report, -1), nullptr, false).is_discarded());
        }
    }));
}

TEST_CASE("Property: a scenario that runs stays sound with any other settings",
          "[memory][detailed][property]") {
    CHECK(rc::check("settings", [] {
        Scenario s = running_scenario();
        for (const Field& field : field_table()) {
            const bool own = field.group == Group::precision || field.group == Group::optimizer ||
                             field.group == Group::recompute || field.group == Group::software;
            if (!own || *rc::gen::inRange(0, 3) > 0) continue;
            if (field.type == FieldType::integer || field.key == "recompute_modules") continue;
            if (const auto problem = set_text(s, field, test::good_text(field))) RC_FAIL(problem->message);
        }
        const Report report = estimate(s, Method::detailed);
        RC_PRE(report.valid);
        for (const RankReport& rank : report.ranks) {
            for (const LineItem& item : rank.items)
                RC_ASSERT(item.bytes >= 0);
            RC_ASSERT(rank.totals.steady_allocated <= rank.totals.peak_allocated);
        }
    }));
}

}  // namespace megamem

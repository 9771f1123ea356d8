// Bytes of weights, gradients, masters and optimizer states, on a model that is counted by hand:
// dist_optimizer.md and param_and_grad_buffer.py of Megatron-LM @d98e8a64.
#include <catch2/catch_test_macros.hpp>

#include "engine/support/reports.h"
#include "engine/support/scenarios.h"

namespace megamem {

using test::bytes_of;
using test::with;

namespace {

// clean_dense: 4 layers, h 512, 8 heads of 64, FFN 2048 with a gate, 1000 words padded to 1024; DP 8.
constexpr std::int64_t kQkv = 3 * 512 * 512;
constexpr std::int64_t kProjection = 512 * 512;
constexpr std::int64_t kFc1 = 2 * 2048 * 512;
constexpr std::int64_t kFc2 = 512 * 2048;
constexpr std::int64_t kLinear = 4 * (kQkv + kProjection + kFc1 + kFc2);  // TransformerEngine's
constexpr std::int64_t kVocabulary = 1024 * 512;
constexpr std::int64_t kNorms = 4 * 2 * 512 + 512;
constexpr std::int64_t kAll = kLinear + 2 * kVocabulary + kNorms;
constexpr std::int64_t kDp = 8;
static_assert(kAll == 17830400 && kAll % kDp == 0);

Totals totals(std::string_view settings) {
    return test::detailed_rank(with(test::clean_dense(), settings)).totals;
}

// Bytes a parameter, in eighths so that a share of one GPU is whole.
struct Row {
    const char* settings;
    std::int64_t weight, grad, master, optimizer, gradient_copy;
};

}  // namespace

TEST_CASE("Bytes a parameter by precision and optimizer", "[memory][detailed]") {
    CHECK(test::detailed(test::clean_dense()).parameters.total == kAll);
    const std::vector<Row> rows = {
        // bf16 with fp32 gradients: 6 + 12/d, 18 whole
        {"", 16, 32, 4, 8, 0},
        {"use_distributed_optimizer=0", 16, 32, 32, 64, 0},
        // fp16: 4 + 16/d, of which 4/d are gradients copied to fp32 for the step; 20 whole
        {"precision=fp16", 16, 16, 4, 8, 4},
        {"precision=fp16 use_distributed_optimizer=0", 16, 16, 32, 64, 32},
        {"precision=fp16 accumulate_allreduce_grads_in_fp32=1", 16, 32, 4, 8, 0},
        // fp32: 8 + 8/d, 16 whole: a parameter is its own master
        {"precision=fp32", 32, 32, 0, 8, 0},
        {"precision=fp32 use_distributed_optimizer=0", 32, 32, 0, 64, 0},
        // bf16 gradients: 4 + 12/d, and the copy of 4/d
        {"grad_reduce_in_bf16=1", 16, 16, 4, 8, 4},
        {"main_grads_dtype=bf16", 16, 16, 4, 8, 4},
        {"grad_reduce_in_bf16=1 use_distributed_optimizer=0", 16, 16, 32, 64, 32},
        // precision-aware: the low half of the master only, 6 + 10/d; no copy of gradients
        {"use_precision_aware_optimizer=1", 16, 32, 2, 8, 0},
        {"use_precision_aware_optimizer=1 main_grads_dtype=bf16 exp_avg_dtype=bf16 exp_avg_sq_dtype=bf16", 16,
         16, 2, 4, 0},
        {"use_precision_aware_optimizer=1 main_params_dtype=fp16 exp_avg_dtype=fp8 exp_avg_sq_dtype=fp8", 16,
         32, 2, 2, 0},
        {"use_precision_aware_optimizer=1 exp_avg_dtype=fp8 exp_avg_sq_dtype=fp16", 16, 32, 2, 3, 0},
        {"use_precision_aware_optimizer=1 precision=fp16 accumulate_allreduce_grads_in_fp32=1", 16, 32, 4, 8,
         0},
        // One moment: SGD with momentum, Lion
        {"optimizer=sgd", 16, 32, 4, 4, 0},
        {"optimizer=lion", 16, 32, 4, 4, 0},
        // Two instances: states are shared by DP / 2 GPUs
        {"num_distributed_optimizer_instances=2", 16, 32, 8, 16, 0},
        // Masters and moments in host memory; the rest keeps 12/d
        {"optimizer_cpu_offload=1 use_precision_aware_optimizer=1", 16, 32, 0, 0, 0},
        {"optimizer_cpu_offload=1 use_precision_aware_optimizer=1 optimizer_offload_fraction=0.5", 16, 32, 2,
         4, 0},
    };
    for (const Row& row : rows) {
        INFO(row.settings);
        const RankReport rank = test::detailed_rank(with(test::clean_dense(), row.settings));
        CHECK(rank.totals.weight == kAll * row.weight / 8);
        CHECK(rank.totals.grad == kAll * row.grad / 8);
        CHECK(rank.totals.master == kAll * row.master / 8);
        CHECK(rank.totals.optimizer == kAll * row.optimizer / 8);
        CHECK(rank.totals.fp8_cache == 0);
        // Made for the step and gone before the next forward pass: held between steps, not at the peak.
        CHECK(bytes_of(rank, "fp32_gradient_copy", Kind::held) == kAll * row.gradient_copy / 8);
    }
}

TEST_CASE("FP8 copies of weights by recipe and GPU", "[memory][detailed]") {
    // TE module/base.py:792-887 and utils.py:658-664 @v2.11: a transposed copy unless the GPU multiplies
    // any layout (sm 10.x); the block recipes, which need both everywhere, are in
    // detailed_low_precision_test.
    struct Fp8 {
        const char* settings;
        std::int64_t weight, cache;  // bytes a parameter of a linear layer
    };
    for (const Fp8& row :
         {Fp8{"gpu=H100-80", 2, 2}, Fp8{"gpu=H100-80 fp8_recipe=delayed", 2, 2}, Fp8{"gpu=B200", 2, 1},
          Fp8{"gpu=GB200 fp8_recipe=delayed", 2, 1}, Fp8{"gpu=RTXPRO6000-96", 2, 2},
          Fp8{"gpu=H100-80 fp8_param_gather=1", 1, 1}, Fp8{"gpu=B200 fp8_param_gather=1", 1, 0}}) {
        INFO(row.settings);
        const Totals t = totals(std::string("fp8_format=hybrid ") + row.settings);
        CHECK(t.weight == 2 * (kAll - kLinear) + row.weight * kLinear);
        CHECK(t.fp8_cache == row.cache * kLinear);
        CHECK(t.grad == 4 * kAll);
        CHECK(t.master == 4 * kAll / kDp);
        CHECK(t.optimizer == 8 * kAll / kDp);
    }
    // Remainders of masters need the delayed recipe (optimizer_config.py:192-195, 407-414).
    CHECK(totals("fp8_format=e4m3 use_precision_aware_optimizer=1 fp8_recipe=delayed").master ==
          2 * kAll / kDp);
    CHECK(totals("fp8_format=e4m3 use_precision_aware_optimizer=1 fp8_recipe=tensorwise").master ==
          4 * kAll / kDp);
}

TEST_CASE("Muon: one moment for matrices, Adam's two for embeddings, head and vectors",
          "[memory][detailed]") {
    constexpr std::int64_t kOthers = kAll - kLinear;
    // 14 bytes and 18 bytes where nothing is shared.
    const Totals whole = totals("optimizer=muon use_distributed_optimizer=0");
    CHECK(whole.weight + whole.grad + whole.master + whole.optimizer == 14 * kLinear + 18 * kOthers);

    // Layer-wise layout, largest first to the shard with least: FC1s to four GPUs, FC2s to the other four,
    // which then get QKV and projection; FC1 = FC2 + QKV + projection, so every GPU owns one FC1's worth.
    static_assert(kFc1 == kFc2 + kQkv + kProjection && kLinear == kDp * kFc1);
    const Totals balanced = totals("optimizer=muon");
    CHECK(balanced.weight == 2 * kAll);
    CHECK(balanced.grad == 4 * kAll);
    CHECK(balanced.master == 4 * kFc1 + 4 * kOthers / kDp);
    CHECK(balanced.optimizer == 4 * kFc1 + 8 * kOthers / kDp);

    // One GPU owns everything.
    const Totals alone = totals("optimizer=muon gpus_per_node=1 global_batch_size=8");
    CHECK(alone.master == 4 * kAll);
    CHECK(alone.optimizer == 4 * kLinear + 8 * kOthers);
}

TEST_CASE("Megatron-FSDP: what each strategy shards", "[memory][detailed]") {
    struct Fsdp {
        const char* strategy;
        std::int64_t weight, grad, states;  // how many GPUs share
    };
    for (const Fsdp& row : {Fsdp{"no_shard", 1, 1, 1}, Fsdp{"optim", 1, 1, 8}, Fsdp{"optim_grads", 1, 8, 8},
                            Fsdp{"optim_grads_params", 8, 8, 8}}) {
        INFO(row.strategy);
        const Totals t =
            totals(std::string("use_megatron_fsdp=1 data_parallel_sharding_strategy=") + row.strategy);
        CHECK(t.weight == 2 * kAll / row.weight);
        CHECK(t.grad == 4 * kAll / row.grad);
        CHECK(t.master == 4 * kAll / row.states);
        CHECK(t.optimizer == 8 * kAll / row.states);
    }
}

TEST_CASE("Experts are shared by their own data-parallel group", "[memory][detailed]") {
    // clean_moe: 16 GPUs, TP 2, PP 2, EP 4, ETP 1: EDP 16 / (1 4 2) = 2. 16 / 4 = 4 experts a GPU, each
    // 3 x 1024 x 512; rank 0 has 4 layers of which 2 are MoE.
    constexpr std::int64_t kExperts = 2 * 4 * 3 * 1024 * 512;
    const RankReport rank = test::detailed_rank(test::clean_moe());
    CHECK(bytes_of(rank, "experts", Kind::weight) == 2 * kExperts);
    CHECK(bytes_of(rank, "experts", Kind::grad) == 4 * kExperts);
    CHECK(bytes_of(rank, "experts", Kind::master) == 4 * kExperts / 2);
    CHECK(bytes_of(rank, "experts", Kind::optimizer) == 8 * kExperts / 2);
    // The dense MLP: DP 4.
    constexpr std::int64_t kMlp = 2 * 3 * 1024 * 4096 / 2;
    CHECK(bytes_of(rank, "mlp", Kind::master) == 4 * kMlp / 4);
}

TEST_CASE("Adam's moments aren't there at the peak of iteration 1, and are after it", "[memory][detailed]") {
    // Long enough for activations to outweigh the moments, which are there when the step ends.
    const Scenario scenario = with(test::clean_dense(), "seq_length=4096");
    const RankReport later = test::detailed_rank(scenario);
    const RankReport first = test::detailed_rank(with(scenario, "first_iteration=1"));
    CHECK(first.totals.optimizer == 0);
    CHECK(first.totals.held == later.totals.held + 8 * kAll / kDp);
    CHECK(first.totals.steady_allocated == later.totals.steady_allocated);
    CHECK(later.totals.peak_allocated - first.totals.peak_allocated == 8 * kAll / kDp);
}

TEST_CASE("A router's counters are fp32 and have no gradient", "[memory][detailed]") {
    const Bytes without = bytes_of(test::detailed_rank(test::clean_moe()), "router", Kind::weight);
    const RankReport rank = test::detailed_rank(with(test::clean_moe(), "moe_router_enable_expert_bias=1"));
    CHECK(bytes_of(rank, "router", Kind::weight) - without == 2 * 2 * 16 * 4);
    CHECK(bytes_of(rank, "router", Kind::grad) == 2 * 16 * 1024 * 4);
}

}  // namespace megamem

// Sharded data parallelism beyond the strategies: FP8 under Megatron-FSDP, double buffers, sharding between
// instances, and PyTorch's FSDP2. Megatron-LM @d98e8a64.
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "engine/support/reports.h"
#include "engine/support/scenarios.h"

namespace megamem {

using test::bytes_of;
using test::with;

namespace {

// clean_dense, DP 8: layers of QKV 3 x 512 x 512, projection 512 x 512, FC1 4096 x 512, FC2 512 x 2048, and
// two norms of 512; embedding and output layer of 1024 x 512, a final norm of 512.
constexpr std::int64_t kLinear = 4 * 512 * 512 + 4096 * 512 + 512 * 2048;
constexpr std::int64_t kLayer = kLinear + 2 * 512;
constexpr std::int64_t kVocabulary = 1024 * 512;
constexpr std::int64_t kAll = 4 * kLayer + 2 * kVocabulary + 512;

RankReport rank(std::string_view settings) {
    return test::detailed_rank(with(test::clean_dense(), settings));
}

}  // namespace

TEST_CASE("Megatron-FSDP and copies of FP8 weights", "[memory][detailed]") {
    const auto cache = [](std::string_view settings) {
        return rank(std::string("use_megatron_fsdp=1 fp8_format=hybrid ") + std::string(settings))
            .totals.fp8_cache;
    };
    // TransformerEngine's own copies are whole: FSDP shards what it gathers.
    CHECK(cache("gpu=H100-80") == 2 * 4 * kLinear);
    // FP8 parameters: transposes are made for a pass and dropped (megatron_fsdp.py:627), or kept whole.
    CHECK(cache("gpu=H100-80 fp8_param_gather=1") == 0);
    CHECK(cache("gpu=H100-80 fp8_param_gather=1 keep_fp8_transpose_cache=1") == 4 * kLinear);
    CHECK(cache("gpu=B200 fp8_param_gather=1 keep_fp8_transpose_cache=1") == 0);
    // MXFP8: a second sharded buffer (param_and_grad_buffer.py:2749).
    CHECK(cache("gpu=B200 fp8_recipe=mxfp8 fp8_param_gather=1") == 4 * kLinear * 33 / 32 / 8);
}

TEST_CASE("Masters and states shared by all instances", "[memory][detailed]") {
    // Two instances of 4 ranks: weights and gradients over 4, masters and moments over 4 or 8.
    const std::string two = "use_megatron_fsdp=1 num_distributed_optimizer_instances=2 ";
    const Totals inner = rank(two).totals;
    const Totals outer = rank(two + "outer_dp_sharding_strategy=optim").totals;
    CHECK(inner.weight == 2 * kAll / 4);
    CHECK(outer.weight == 2 * kAll / 4);
    CHECK(outer.grad == 4 * kAll / 4);
    CHECK(inner.optimizer == 8 * kAll / 4);
    CHECK(outer.master == 4 * kAll / 8);
    CHECK(outer.optimizer == 8 * kAll / 8);
}

TEST_CASE("Double buffers hold two layers' weights and gradients from start to end", "[memory][detailed]") {
    // param_and_grad_buffer.py:648-745: bf16 weights and fp32 gradients of a layer, twice.
    const std::string fsdp = "use_megatron_fsdp=1 fsdp_double_buffer=1 ";
    CHECK(bytes_of(rank(fsdp), "fsdp_double_buffers", Kind::workspace) == 2 * (2 + 4) * kLayer);
    CHECK(bytes_of(rank(fsdp + "data_parallel_sharding_strategy=optim_grads"), "fsdp_double_buffers",
                   Kind::workspace) == 2 * 4 * kLayer);
    CHECK(bytes_of(rank(fsdp + "data_parallel_sharding_strategy=optim"), "fsdp_double_buffers") == 0);
    CHECK(bytes_of(rank("fsdp_double_buffer=1"), "fsdp_double_buffers") == 0);
    // MoE models: of the most common kind of layer, its dense and its expert group.
    const RankReport moe =
        test::detailed_rank(with(test::clean_moe(), "use_megatron_fsdp=1 fsdp_double_buffer=1"), 1);
    std::int64_t elements = 0;
    for (const ModuleRow& row : module_rows(moe, Part::language)) {
        if (row.module != "output_layer" && row.module != "norms") elements += row.elements / 4;
    }
    const Bytes pool = bytes_of(moe, "fsdp_double_buffers", Kind::workspace);
    CHECK(pool >= 2 * 6 * elements);
    CHECK(pool <= 2 * 6 * (elements + 4 * 1024));  // norms
}

TEST_CASE("PyTorch's FSDP2 shards everything and gathers layer by layer", "[memory][detailed]") {
    const std::string fsdp2 = "use_torch_fsdp2=1 use_distributed_optimizer=0 gradient_accumulation_fusion=0 ";
    const Totals t = rank(fsdp2).totals;
    CHECK(t.weight == 2 * kAll / 8);
    CHECK(t.master == 4 * kAll / 8);
    CHECK(t.optimizer == 8 * kAll / 8);
    // A wide layer's backward pass: two layers gathered, one's gradients twice, all in bf16.
    const std::string wide = "num_layers=2 vocab_size=128 ";
    const auto peak = [&](const std::string& settings) {
        const RankReport report = rank(wide + settings);
        CHECK(report.peak_event == "layer_backward");
        return bytes_of(report, "at_the_peak", Kind::transient);
    };
    const std::string without = "use_distributed_optimizer=0 gradient_accumulation_fusion=0 ";
    CHECK(peak(fsdp2) - peak(without) == 4 * 2 * kLayer);
    // Not resharded after the forward pass: all weights stay gathered.
    CHECK(peak(fsdp2 + "torch_fsdp2_reshard_after_forward=0 ") - peak(without) ==
          2 * (2 * kLayer + 2 * 128 * 512 + 512) + 2 * 2 * kLayer);
}

}  // namespace megamem

#include "memory/tensor_rows.h"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <set>

#include "engine/support/scenarios.h"
#include "memory/estimate.h"
#include "scenario/presets.h"

namespace megamem {

namespace {

const TensorRow* find(const std::vector<TensorRow>& rows, std::string_view name) {
    const auto found =
        std::find_if(rows.begin(), rows.end(), [&](const TensorRow& row) { return row.name == name; });
    return found == rows.end() ? nullptr : &*found;
}

}  // namespace

TEST_CASE("tensors of a module add up to what its row holds", "[tensor_rows]") {
    for (const char* preset : {"deepseek-v3", "llama-3.1-70b", "gpt-oss-120b", "qwen3-vl-8b", "llava-1.5-7b"}) {
        Scenario s = scenario_of(*find_preset(preset));
        for (const bool first : {false, true}) {
            s.first_iteration = first;
            const Report report = estimate(s, Method::detailed);
            INFO(preset);
            REQUIRE(report.valid);
            for (const RankReport& rank : report.ranks) {
                const auto tensors = tensor_rows(s, report, rank.pipeline_rank);
                std::set<std::string_view> modules;
                for (const TensorRow& tensor : tensors)
                    modules.insert(tensor.module);
                for (const TableRow& row : table_rows(rank)) {
                    if (row.elements == 0) continue;
                    CHECK(modules.count(row.name) == 1);
                    TableRow sum;
                    for (const TensorRow& tensor : tensors) {
                        if (tensor.module != row.name) continue;
                        sum.elements += tensor.held.elements;
                        for (std::size_t i = 0; i < kKinds; ++i)
                            sum.bytes[i] += tensor.held.bytes[i];
                    }
                    CHECK(sum.elements == row.elements);
                    for (std::size_t i = 0; i < kKinds; ++i) {
                        if (is_state(static_cast<Kind>(i)) && row.bytes[i] > 0)
                            CHECK(sum.bytes[i] == row.bytes[i]);
                    }
                }
            }
        }
    }
}

TEST_CASE("a tensor has its shape on this GPU, its type and how often it is there", "[tensor_rows]") {
    Scenario s = scenario_of(*find_preset("llama-3.1-70b"));
    s.tensor_model_parallel_size = 8;
    s.pipeline_model_parallel_size = 4;
    const Report report = estimate(s, Method::detailed);
    REQUIRE(report.valid);
    const auto tensors = tensor_rows(s, report, 1);
    // 64 query heads and 8 groups of 128: (64 + 2 × 8) × 128 / 8 rows of 8192 columns; 80 layers on 4 ranks.
    const TensorRow* qkv = find(tensors, "self_attention.linear_qkv.weight");
    REQUIRE(qkv != nullptr);
    CHECK(qkv->rows == 1280);
    CHECK(qkv->cols == 8192);
    CHECK(qkv->layers == 20);
    CHECK(qkv->dtype == "bf16");
    CHECK(qkv->held.elements == std::int64_t{1280} * 8192 * 20);
    CHECK(qkv->held.of(Kind::weight) == std::int64_t{2} * 1280 * 8192 * 20);
    // Both norms of a layer are vectors.
    CHECK(find(tensors, "input_layernorm.weight")->cols == 0);
    CHECK(find(tensors, "output_layer.weight") == nullptr);  // on the last rank
    CHECK(find(tensor_rows(s, report, 3), "output_layer.weight") != nullptr);
}

TEST_CASE("tensors of dense, MoE and MTP layers of one shape are one row", "[tensor_rows]") {
    const Scenario s = scenario_of(*find_preset("deepseek-v3"));
    const Report report = estimate(s, Method::detailed);
    const RankReport& last = report.ranks.back();
    const auto tensors = tensor_rows(s, report, last.pipeline_rank);
    const TensorRow* norm = find(tensors, "input_layernorm.weight");
    REQUIRE(norm != nullptr);
    CHECK(norm->layers == last.layers.dense + last.layers.moe + last.layers.mtp);
    CHECK(find(tensors, "mlp.experts.linear_fc1.weight")->copies == 256 / s.expert_model_parallel_size);
}

TEST_CASE("no tensors where there are none to tell", "[tensor_rows]") {
    const Scenario s = test::clean_dense();
    const Report calculator = estimate(s, Method::calculator);
    CHECK(tensor_rows(s, calculator, 0).empty());
    const Report detailed = estimate(s, Method::detailed);
    CHECK(tensor_rows(s, detailed, -1).empty());
    CHECK(tensor_rows(s, detailed, 99).empty());
    CHECK(tensor_rows(s, estimate(Scenario{}, Method::detailed), 0).empty());
}

}  // namespace megamem

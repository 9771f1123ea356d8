// Scenarios to start from, changed by settings as people write them.
#pragma once

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <string_view>

#include "base/text.h"
#include "scenario/field.h"
#include "scenario/scenario.h"

namespace megamem::test {

inline const Field& field(std::string_view key) {
    const Field* found = find_field(key);
    INFO(key);
    REQUIRE(found != nullptr);
    return *found;
}

// "hidden_size=1024 swiglu=1": every setting must be taken.
inline Scenario with(Scenario scenario, std::string_view settings) {
    for (const std::string_view setting : split(settings, ' ')) {
        if (setting.empty()) continue;
        const std::size_t equals = setting.find('=');
        REQUIRE(equals != std::string_view::npos);
        const auto problem = set_text(scenario, field(setting.substr(0, equals)), setting.substr(equals + 1));
        INFO(setting << ": " << (problem ? problem->message : ""));
        REQUIRE_FALSE(problem);
    }
    return scenario;
}

// 16 GPUs, TP 2, PP 2, DP 4, EP 4: breaks no rule at all.
inline Scenario clean_moe() {
    return with(
        {},
        "num_layers=8 hidden_size=1024 ffn_hidden_size=4096 num_attention_heads=16 num_query_groups=8 "
        "kv_channels=64 vocab_size=32000 swiglu=1 untie_embeddings_and_output_weights=1 "
        "num_experts=16 moe_ffn_hidden_size=512 moe_router_topk=4 "
        "moe_shared_expert_intermediate_size=512 num_dense_layers=2 "
        "nodes=2 tensor_model_parallel_size=2 pipeline_model_parallel_size=2 "
        "expert_model_parallel_size=4 expert_tensor_parallel_size=1 sequence_parallel=1 "
        "seq_length=2048 micro_batch_size=1 global_batch_size=32");
}

// One node of 8 GPUs, data parallel only.
inline Scenario clean_dense() {
    return with({},
                "num_layers=4 hidden_size=512 ffn_hidden_size=2048 num_attention_heads=8 num_query_groups=8 "
                "kv_channels=64 vocab_size=1000 swiglu=1 untie_embeddings_and_output_weights=1 "
                "seq_length=128 micro_batch_size=1 global_batch_size=64");
}

}  // namespace megamem::test

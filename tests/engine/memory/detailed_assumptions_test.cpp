#include "memory/detailed_assumptions.h"

#include <catch2/catch_test_macros.hpp>

#include "engine/support/assumptions.h"
#include "engine/support/detailed_scenarios.h"
#include "engine/support/problems.h"
#include "memory/estimate.h"

namespace megamem {

using test::holds;
using test::with;

namespace {

std::string assumption(const Report& report, std::string_view id) {
    const Assumption* found = test::find_assumption(report.assumptions, id);
    return found == nullptr ? std::string() : found->message;
}

std::string told(const Scenario& scenario, std::string_view id) {
    return assumption(estimate(scenario, Method::detailed), id);
}

std::vector<std::string> left_out(const Scenario& scenario) {
    std::vector<std::string> fields;
    for (const Problem& problem : estimate(scenario, Method::detailed).problems) {
        if (problem.code != "not_modelled" && problem.code != "no_effect") continue;
        CHECK(problem.severity == Severity::warning);
        CHECK_FALSE(problem.message.empty());
        CHECK(find_field(problem.path) != nullptr);
        fields.push_back(problem.path);
    }
    return fields;
}

}  // namespace

TEST_CASE("Software and attention backend are told with what they rest on",
          "[memory][detailed][assumptions]") {
    const Scenario dense = test::clean_dense();
    CHECK(holds(told(dense, "detailed.software"),
                "Megatron-LM of 2026-08-22 (not set), TransformerEngine 2.17"));
    CHECK(holds(told(dense, "detailed.software"), "compute capability 9.0"));
    CHECK(holds(told(with(dense, "framework_version=core_v0.14.0 transformer_engine_version=2.8"),
                     "detailed.software"),
                "Megatron-LM of 2025-08-18, TransformerEngine 2.8, "));
    CHECK(told(dense, "detailed.attention") ==
          "Attention is cuDNN fused: TransformerEngine's choice for compute capability 9.0.");
    CHECK(holds(told(with(dense, "transformer_impl=local"), "detailed.attention"),
                "unfused: transformer_impl"));
    CHECK(holds(told(with(dense, "gpu=B200 deterministic_mode=1"), "detailed.attention"),
                "FlashAttention: TransformerEngine's choice for deterministic"));
    CHECK(holds(told(with(dense, "attention_backend=flash"), "detailed.attention"),
                "as attention_backend says"));
}

TEST_CASE("Routing is told with its load, and bands where the load is balanced",
          "[memory][detailed][assumptions]") {
    const Scenario moe = test::clean_moe();
    const std::string balanced = told(moe, "detailed.routing");
    CHECK(holds(balanced, "get 4096 tokens a micro-batch, moe_load_factor 1 times"));
    CHECK(holds(balanced, "none are dropped. With 1.1 the worst rank needs"));
    CHECK_FALSE(holds(told(with(moe, "moe_load_factor=1.2"), "detailed.routing"), "With 1.1"));
    CHECK(holds(told(with(moe, "moe_expert_capacity_factor=1 moe_pad_expert_input_to_capacity=1"),
                     "detailed.capacity"),
                "exactly 4096 tokens"));
    CHECK(told(test::clean_dense(), "detailed.routing").empty());
}

TEST_CASE("The bands are what the load factor gives", "[memory][detailed][assumptions]") {
    const Report report = estimate(test::clean_moe(), Method::detailed);
    const Report loaded = estimate(with(test::clean_moe(), "moe_load_factor=1.4"), Method::detailed);
    const auto rank = static_cast<std::size_t>(report.worst_rank);
    const Bytes bytes = loaded.ranks[rank].totals.total;
    const auto hundredths = (bytes * 100 + (Bytes{1} << 29)) >> 30;
    CHECK(holds(assumption(report, "detailed.routing"), "with 1.4 " + std::to_string(hundredths / 100) + "." +
                                                            (hundredths % 100 < 10 ? "0" : "") +
                                                            std::to_string(hundredths % 100) + " GiB"));
}

TEST_CASE("Recompute that saves nothing is named", "[memory][detailed][assumptions]") {
    const auto idle = [](const Scenario& scenario, std::string_view modules) {
        return told(
            with(scenario, "recompute_granularity=selective recompute_modules=" + std::string(modules)),
            "detailed.recompute_idle");
    };
    CHECK(holds(idle(test::clean_dense(), "moe_act"), "moe_act saves nothing here: no layer is MoE"));
    CHECK(holds(idle(test::clean_dense(), "layernorm"), "fuses every norm"));
    CHECK(holds(idle(test::clean_dense(), "mhc"), "not modelled"));
    CHECK(idle(test::clean_dense(), "core_attn,mlp").empty());
    CHECK(idle(test::clean_moe(), "moe_act,layernorm,shared_experts,mlp").empty());
    CHECK(holds(idle(with(test::clean_moe(), "num_dense_layers=0"), "mlp"), "no layer is dense"));
    CHECK(holds(idle(with(test::clean_moe(), "moe_shared_expert_overlap=1"), "shared_experts"), "excludes"));
}

TEST_CASE("Batch, dummy gradients, Muon", "[memory][detailed][assumptions]") {
    CHECK(holds(told(with(test::clean_moe(), "global_batch_size=none"), "detailed.full_pipeline"),
                "4 micro-batches"));
    CHECK(told(test::clean_moe(), "detailed.full_pipeline").empty());
    CHECK(holds(told(test::clean_dense(), "detailed.dummy_gradients"), "one for each weight shape"));
    CHECK(told(with(test::clean_dense(), "gradient_accumulation_fusion=0"), "detailed.dummy_gradients")
              .empty());
    CHECK(holds(told(with(test::clean_moe(), "optimizer=muon"), "detailed.muon"),
                "the one that owns most has"));
    CHECK(holds(
        told(with(test::clean_dense(),
                  "context_parallel_size=2 num_query_groups=2 micro_batch_size=2 attention_backend=flash"),
             "detailed.cp_p2p"),
        "what TransformerEngine's source says"));
}

TEST_CASE("Fields that the method leaves out are named, and only as they are set",
          "[memory][detailed][assumptions]") {
    CHECK(left_out(test::clean_dense()).empty());
    CHECK(left_out(test::clean_moe()).empty());
    const std::pair<const char*, const char*> dense[] = {
        {"fp32_residual_connection=1", "fp32_residual_connection"},
        {"position_embedding_type=relative", "position_embedding_type"},
        {"tp_comm_overlap=1", "tp_comm_overlap"},
        {"distribute_saved_activations=1", "distribute_saved_activations"},
        {"cpu_offloading_num_layers=1 pipeline_model_parallel_size=2", "cpu_offloading_num_layers"},
        {"use_precision_aware_optimizer=1 use_distributed_optimizer=0", "use_precision_aware_optimizer"},
        {"exp_avg_dtype=bf16", "main_params_dtype"},
        {"cuda_graph_impl=local", "cuda_graph_impl"},
        {"attention_output_gate=1 multi_latent_attention=1 kv_lora_rank=64", "attention_output_gate"},
        {"first_last_layers_bf16=1", "first_last_layers_bf16"},
        {"fp4_format=e2m1 fp8_format=hybrid", "fp4_format"},
        {"outer_dp_sharding_strategy=optim", "outer_dp_sharding_strategy"},
        {"fsdp_double_buffer=1", "fsdp_double_buffer"},
        {"use_torch_fsdp2=1", "use_torch_fsdp2"},
        {"weight_2b_for_1b=1", "weight_2b_for_1b"},
        {"embedding_bytes=4", "embedding_bytes"},
        {"router_bytes=4", "router_bytes"},
        {"droprate=0.5", "droprate"},
    };
    for (const auto& [settings, field] : dense) {
        INFO(settings);
        CHECK(left_out(with(test::clean_dense(), settings)) == std::vector<std::string>{field});
    }
    const std::pair<const char*, const char*> moe[] = {
        {"moe_router_dtype=fp64", "moe_router_dtype"},
        {"moe_token_dispatcher_type=flex moe_flex_dispatcher_backend=ncclep", "moe_flex_dispatcher_backend"},
        {"moe_expert_rank_capacity_factor=1", "moe_expert_rank_capacity_factor"},
    };
    for (const auto& [settings, field] : moe) {
        INFO(settings);
        CHECK(left_out(with(test::clean_moe(), settings)) == std::vector<std::string>{field});
    }
}

TEST_CASE("Assumptions are sentences, under ids of the method", "[memory][detailed][assumptions]") {
    for (const test::Named& named : test::detailed_scenarios()) {
        INFO(named.settings);
        const Report report = estimate(named.scenario, Method::detailed);
        for (const Assumption& a : report.assumptions) {
            INFO(a.id << ": " << a.message);
            CHECK(a.message.ends_with("."));
        }
        CHECK(test::assumes(report.assumptions, "detailed.software"));
    }
}

}  // namespace megamem

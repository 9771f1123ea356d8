#include "scenario/validation.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <set>

#include "engine/support/problems.h"
#include "engine/support/scenarios.h"

namespace megamem {

using test::codes_of;
using test::find_problem;
using test::with;

namespace {

Problems validate_all(const Scenario& scenario) {
    Problems problems;
    Assumptions assumptions;
    const auto resolved = resolve(scenario, problems, assumptions);
    INFO(test::shown(problems));
    REQUIRE(resolved);
    validate(scenario, *resolved, Method::calculator, problems);
    return problems;
}

struct Case {
    const char* code;
    const char* settings;  // what changes clean_moe so that the rule breaks
    const char* message;
    // Rules that can't hold where this one is broken (a product that contains this one's, say).
    std::vector<std::string> also = {};
};

const std::vector<Case>& cases() {
    static const std::vector<Case> all = {
        {"world_size", "nodes=6 gpus_per_node=1 expert_model_parallel_size=1",
         "world size 6 is not divisible by TP 2 x PP 2 = 4"},
        {"expert_world_size",
         "expert_model_parallel_size=16",
         "world size 16 is not divisible by PP 2 x EP 16 = 32",
         {"expert_tensor_world_size"}},
        {"expert_tensor_world_size", "expert_tensor_parallel_size=4",
         "world size 16 is not divisible by ETP 4 x EP 4 x PP 2 = 32"},
        {"experts_over_ep", "num_experts=6", "num_experts 6 is not divisible by EP 4"},
        {"ep_without_experts", "num_experts=0", "EP 4 needs experts and num_experts is 0"},
        {"topk_over_experts", "moe_router_topk=17", "moe_router_topk 17 is more than num_experts 16"},
        {"moe_without_sequence_parallel", "sequence_parallel=0",
         "MoE training with TP 2 needs sequence_parallel"},
        {"dense_layers_over_layers", "num_dense_layers=9",
         "num_dense_layers 9 is more than num_layers 8; every layer is dense"},
        {"heads_over_tp", "num_attention_heads=15 num_query_groups=1",
         "num_attention_heads 15 is not divisible by TP 2"},
        {"delayed_scaling_and_bf16_layers", "first_last_layers_bf16=1 fp8_format=hybrid fp8_recipe=delayed",
         "first_last_layers_bf16 needs another fp8_recipe than delayed"},
        {"groups_over_tp", "num_attention_heads=18 num_query_groups=3",
         "neither divides the other: num_query_groups 3 and TP 2"},
        {"heads_over_groups", "num_query_groups=6",
         "num_attention_heads 16 is not divisible by num_query_groups 6"},
        {"query_projection_over_tp",
         "num_attention_heads=15 num_query_groups=1 kv_channels=65",
         "kv_channels x heads = 975 is not divisible by TP 2",
         {"heads_over_tp"}},
        {"mla_with_gqa", "multi_latent_attention=1",
         "multi_latent_attention excludes query groups: num_query_groups 8, heads 16"},
        {"ffn_over_tp", "ffn_hidden_size=4097", "ffn_hidden_size 4097 is not divisible by TP 2"},
        {"moe_ffn_over_etp", "moe_ffn_hidden_size=513 expert_tensor_parallel_size=2",
         "moe_ffn_hidden_size 513 is not divisible by ETP 2"},
        {"shared_expert_over_tp", "moe_shared_expert_intermediate_size=511",
         "moe_shared_expert_intermediate_size 511 is not divisible by TP 2"},
        {"moe_pattern_length", "num_dense_layers=none moe_layer_freq=[0]+[1]*8",
         "moe_layer_freq lists 9 layers and num_layers is 8"},
        {"sequence_over_cp", "tensor_model_parallel_size=1 context_parallel_size=2 seq_length=2050",
         "seq_length 2050 is not divisible by 2 x CP 2 = 4"},
        {"sequence_over_tp", "seq_length=2047",
         "seq_length 2047 is not divisible by TP 2, which sequence_parallel needs"},
        {"global_batch", "global_batch_size=30 micro_batch_size=2",
         "global_batch_size 30 is not divisible by micro_batch_size 2 x DP 4 = 8"},
        {"virtual_stages_without_pipeline",
         "pipeline_model_parallel_size=1 num_virtual_stages_per_pipeline_rank=2",
         "VPP 2 needs a pipeline and PP is 1"},
        {"layout_and_virtual_stages",
         "pipeline_model_parallel_layout=Et*4|t*4L num_virtual_stages_per_pipeline_rank=2",
         "a pipeline layout implies VPP; num_virtual_stages_per_pipeline_rank 2 is ignored"},
        {"recompute_modules_without_selective", "recompute_modules=moe_act,mlp",
         "recompute_modules mlp,moe_act has no effect: recompute_granularity is not selective"},
        {"mla_recompute_without_mla", "recompute_granularity=selective recompute_modules=mla_up_proj",
         "recompute_modules names mla_up_proj and multi_latent_attention is off"},
        {"vision_heads_over_tp",
         "vision_model_type=clip vision_num_layers=1 vision_projector_ffn_hidden_size=64 "
         "vision_patches_per_micro_batch=1 vision_num_attention_heads=15 vision_kv_channels=64",
         "vision_num_attention_heads 15 is not divisible by TP 2"},
        {"vision_ffn_over_tp",
         "vision_model_type=clip vision_num_layers=1 vision_projector_ffn_hidden_size=64 "
         "vision_patches_per_micro_batch=1 vision_ffn_hidden_size=4097",
         "vision_ffn_hidden_size 4097 is not divisible by TP 2"},
        {"image_over_patch",
         "vision_model_type=clip vision_num_layers=1 vision_projector_ffn_hidden_size=64 "
         "vision_patches_per_micro_batch=1 img_h=337",
         "img_h 337 is not divisible by vision_patch_dim 14"},
    };
    return all;
}

// The method's text: its divisions and EP over experts are its only errors, and layer types must be known.
const std::set<std::string_view> kCalculatorErrors = {"world_size", "expert_world_size", "experts_over_ep",
                                                      "moe_pattern_length"};

}  // namespace

TEST_CASE("The clean scenarios break no rule", "[scenario][validation]") {
    for (const Scenario& scenario : {test::clean_moe(), test::clean_dense()}) {
        const Problems problems = validate_all(scenario);
        INFO(test::shown(problems));
        CHECK(problems.empty());
    }
}

TEST_CASE("Each rule breaks alone and says its numbers", "[scenario][validation]") {
    for (const Case& c : cases()) {
        INFO(c.code);
        const Problems problems = validate_all(with(test::clean_moe(), c.settings));
        INFO(test::shown(problems));
        std::vector<std::string> expected = c.also;
        expected.emplace_back(c.code);
        std::sort(expected.begin(), expected.end());
        CHECK(codes_of(problems) == expected);
        const Problem* problem = find_problem(problems, c.code);
        REQUIRE(problem != nullptr);
        CHECK(problem->message == c.message);
        CHECK(find_field(problem->path) != nullptr);
    }
}

TEST_CASE("Only the calculator's own conditions are its errors", "[scenario][validation]") {
    for (const Case& c : cases()) {
        INFO(c.code);
        const Problems problems = validate_all(with(test::clean_moe(), c.settings));
        const Problem* problem = find_problem(problems, c.code);
        REQUIRE(problem != nullptr);
        CHECK(problem->severity ==
              (kCalculatorErrors.contains(c.code) ? Severity::error : Severity::warning));
    }
}

TEST_CASE("What Megatron refuses is an error where its memory is told", "[scenario][validation]") {
    // All rules but the calculator's own division of experts, which leaves ETP out.
    for (const Case& c : cases()) {
        INFO(c.code);
        const Scenario scenario = with(test::clean_moe(), c.settings);
        for (const Method method : {Method::detailed, Method::megatron_report}) {
            INFO(name_of(method));
            Problems problems;
            Assumptions assumptions;
            const auto resolved = resolve(scenario, problems, assumptions);
            REQUIRE(resolved);
            validate(scenario, *resolved, method, problems);
            const Problem* problem = find_problem(problems, c.code);
            REQUIRE(problem != nullptr);
            const bool own = std::string_view(c.code) == "expert_world_size";
            CHECK(problem->severity == (own ? Severity::warning : Severity::error));
        }
    }
}

TEST_CASE("Every rule has a case here, a source, and fields that exist", "[scenario][validation]") {
    std::set<std::string_view> tested;
    for (const Case& c : cases())
        tested.insert(c.code);
    std::set<std::string_view> codes;
    for (const Rule& rule : rules()) {
        INFO(rule.code);
        CHECK(codes.insert(rule.code).second);
        CHECK(tested.contains(rule.code));
        CHECK_FALSE(rule.source.empty());
        CHECK_FALSE(rule.fields[0].empty());
        for (const std::string_view key : rule.fields) {
            if (!key.empty()) CHECK(find_field(key) != nullptr);
        }
    }
}

TEST_CASE("The message of the world size names every factor above 1", "[scenario][validation]") {
    const auto message = [](const char* settings) {
        const Problems problems = validate_all(with(test::clean_dense(), settings));
        const Problem* problem = find_problem(problems, "world_size");
        return problem == nullptr ? std::string() : problem->message;
    };
    CHECK(message("nodes=125 tensor_model_parallel_size=8 pipeline_model_parallel_size=16") ==
          "world size 1000 is not divisible by TP 8 x PP 16 = 128");
    CHECK(message("nodes=1 tensor_model_parallel_size=3") == "world size 8 is not divisible by TP 3");
    CHECK(message("nodes=1 tensor_model_parallel_size=2 pipeline_model_parallel_size=2 "
                  "context_parallel_size=4") == "world size 8 is not divisible by TP 2 x PP 2 x CP 4 = 16");
    CHECK(message("nodes=1 tensor_model_parallel_size=8").empty());
    // The largest factors that the fields take don't wrap.
    CHECK(message("tensor_model_parallel_size=65536 pipeline_model_parallel_size=4096 "
                  "context_parallel_size=65536") ==
          "world size 8 is not divisible by TP 65536 x PP 4096 x CP 65536 = 17592186044416");
}

TEST_CASE("All broken rules are told at once", "[scenario][validation]") {
    const Problems problems = validate_all(with(
        test::clean_moe(),
        "nodes=5 gpus_per_node=1 tensor_model_parallel_size=4 context_parallel_size=3 "
        "expert_model_parallel_size=7 num_experts=10 moe_router_topk=11 sequence_parallel=0 "
        "num_dense_layers=9 num_attention_heads=15 num_query_groups=6 kv_channels=65 ffn_hidden_size=4097 "
        "moe_ffn_hidden_size=513 expert_tensor_parallel_size=2 moe_shared_expert_intermediate_size=511 "
        "moe_layer_freq=[1]*9 seq_length=2047 recompute_modules=moe_act "
        "pipeline_model_parallel_layout=Et*4|t*4L num_virtual_stages_per_pipeline_rank=2"));
    INFO(test::shown(problems));
    CHECK(codes_of(problems) ==
          std::vector<std::string>{"dense_layers_over_layers", "expert_tensor_world_size",
                                   "expert_world_size", "experts_over_ep", "ffn_over_tp", "groups_over_tp",
                                   "heads_over_groups", "heads_over_tp", "layout_and_virtual_stages",
                                   "moe_ffn_over_etp", "moe_pattern_length", "moe_without_sequence_parallel",
                                   "query_projection_over_tp", "recompute_modules_without_selective",
                                   "sequence_over_cp", "shared_expert_over_tp", "topk_over_experts",
                                   "world_size"});
}

TEST_CASE("Rules of MoE say nothing about a dense model", "[scenario][validation]") {
    const Problems problems =
        validate_all(with(test::clean_dense(),
                          "tensor_model_parallel_size=4 sequence_parallel=0 moe_router_topk=99 "
                          "moe_ffn_hidden_size=7 moe_shared_expert_intermediate_size=7 "
                          "moe_layer_freq=[1]*9 expert_tensor_parallel_size=3"));
    INFO(test::shown(problems));
    CHECK(problems.empty());
}

}  // namespace megamem

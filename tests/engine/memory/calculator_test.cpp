#include "memory/calculator.h"

#include <rapidcheck.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "engine/support/assumptions.h"
#include "engine/support/data.h"
#include "engine/support/generators.h"
#include "engine/support/problems.h"
#include "engine/support/scenarios.h"
#include "memory/estimate.h"
#include "memory/report_json.h"
#include "scenario/scenario_json.h"

namespace megamem {

using test::with;

namespace {

Report calculate_all(const Scenario& scenario) {
    Report report = estimate(scenario, Method::calculator);
    INFO(test::shown(report.problems));
    REQUIRE(report.valid);
    return report;
}

Report in_property(const Scenario& scenario) {
    Report report = estimate(scenario, Method::calculator);
    if (!report.valid) RC_FAIL(test::shown(report.problems));
    return report;
}

Scenario read_vector(const nlohmann::json& vector) {
    ReadScenario read = read_scenario_json(vector["scenario"].dump());
    INFO(test::shown(read.problems));
    REQUIRE(read.problems.empty());
    return read.scenario;
}

const nlohmann::json& vectors() {
    static const nlohmann::json all = test::read_data("calculator_vectors.json");
    return all;
}

const nlohmann::json& vector_named(std::string_view name) {
    const auto found = std::find_if(vectors().begin(), vectors().end(),
                                    [&](const nlohmann::json& v) { return v["name"] == name; });
    REQUIRE(found != vectors().end());
    return *found;
}

bool assumes(const Report& report, std::string_view id) {
    return test::assumes(report.assumptions, id);
}

}  // namespace

TEST_CASE("Every vector of the independent restatement, to the byte", "[memory][calculator]") {
    REQUIRE(vectors().size() >= 40);
    for (const nlohmann::json& vector : vectors()) {
        const std::string name = vector["name"];
        const std::string covers = vector["covers"];
        DYNAMIC_SECTION(name << ": " << covers) {
            const Report report = calculate_all(read_vector(vector));
            const nlohmann::json actual = test::parse_json(write_report_json(report, -1));
            const std::vector<std::string> found = test::differences(vector["expected"], actual);
            for (const std::string& difference : found)
                FAIL_CHECK(difference);
        }
    }
}

TEST_CASE("The requested calculator's own figures", "[memory][calculator]") {
    const nlohmann::json& vector = vector_named("issue");
    const Report report = calculate_all(read_vector(vector));
    REQUIRE(report.ranks.size() == 4);
    const Totals& first = report.ranks[0].totals;
    CHECK(first.weight == 6918438912);
    CHECK(first.fp8_cache == 6642728960);
    CHECK(first.grad == 13836877824);
    CHECK(first.master == 2202611712);
    CHECK(first.optimizer == 2202611712);
    CHECK(first.activation == 10569646080);
    CHECK(first.total == 44520398848);
    CHECK(report.ranks[1].totals.total == 45846052864);
    CHECK(report.ranks[2].totals.total == 45036412928);
    CHECK(report.ranks[3].totals.total == 37579743232);
    CHECK(report.worst_rank == 1);
    CHECK(report.virtual_stages == 5);
    CHECK(report.fits());
    // The vectors carry the same figures, for tests in other languages.
    CHECK(vector["cited"]["rank_0"]["total"] == first.total);
    CHECK(vector["cited"]["totals"] == nlohmann::json{44520398848, 45846052864, 45036412928, 37579743232});
}

TEST_CASE("moe_act recompute saves 56 MiB a MoE layer, times VPP", "[memory][calculator]") {
    const Scenario scenario = read_vector(vector_named("issue"));
    const Report plain = calculate_all(scenario);
    const Report recomputed =
        calculate_all(with(scenario, "recompute_granularity=selective recompute_modules=moe_act"));
    for (std::size_t i = 0; i < 4; ++i) {
        const Bytes saved = plain.ranks[i].totals.total - recomputed.ranks[i].totals.total;
        CHECK(saved == 56 * kMiB * plain.ranks[i].layers.moe * 5);
    }
    // Neither the word without "selective" nor other words save anything.
    for (const char* settings : {"recompute_granularity=full", "recompute_modules=moe_act",
                                 "recompute_granularity=selective recompute_modules=core_attn,mlp,moe"}) {
        CHECK(calculate_all(with(scenario, settings)).ranks[0].totals.total == plain.ranks[0].totals.total);
    }
}

TEST_CASE("What the method leaves out or does otherwise is said where it matters", "[memory][calculator]") {
    const Report moe = calculate_all(test::clean_moe());
    for (const char* id :
         {"calculator.optimizer_state", "calculator.shards", "calculator.dense_tp", "calculator.dense_width",
          "calculator.in_flight", "calculator.left_out", "calculator.nccl"}) {
        INFO(id);
        CHECK(assumes(moe, id));
    }
    struct Case {
        const char* id;
        const char* settings;
    };
    for (const Case& c :
         {Case{"calculator.no_etp", "expert_tensor_parallel_size=2"}, Case{"calculator.gated", "swiglu=0"},
          Case{"calculator.mla", "multi_latent_attention=1"}, Case{"calculator.mtp", "mtp_num_layers=1"},
          Case{"calculator.tied", "untie_embeddings_and_output_weights=0"},
          Case{"calculator.fp8_cache", "fp8_format=hybrid"},
          Case{"calculator.recompute", "recompute_granularity=full"},
          Case{"calculator.moe_act", "recompute_granularity=selective recompute_modules=moe_act"},
          Case{"calculator.vpp", "num_virtual_stages_per_pipeline_rank=2"},
          Case{"calculator.sequence_parallel", "sequence_parallel=0"},
          Case{"calculator.vision",
               "vision_num_layers=1 vision_hidden_size=64 vision_ffn_hidden_size=64 "
               "vision_num_attention_heads=4 vision_patch_dim=14 vision_projector_ffn_hidden_size=64 "
               "vision_spatial_merge_size=2 vision_patches_per_micro_batch=1"}}) {
        INFO(c.id);
        CHECK_FALSE(assumes(moe, c.id));
        CHECK(assumes(calculate_all(with(test::clean_moe(), c.settings)), c.id));
    }
    CHECK_FALSE(assumes(calculate_all(test::clean_dense()), "calculator.dense_width"));
}

TEST_CASE("Fields that the method doesn't use change no byte", "[memory][calculator]") {
    const Report before = calculate_all(test::clean_moe());
    for (const char* settings :
         {"name=x", "sequence_parallel=0", "expert_tensor_parallel_size=2", "multi_latent_attention=1",
          "q_lora_rank=7", "kv_lora_rank=7", "qk_head_dim=7", "qk_pos_emb_head_dim=7", "v_head_dim=7",
          "swiglu=0", "ffn_hidden_size=1", "global_batch_size=64", "gpu=B200", "precision=fp16",
          "mtp_num_layers=2", "weight_2b_for_1b=1"}) {
        INFO(settings);
        const Report after = calculate_all(with(test::clean_moe(), settings));
        for (std::size_t i = 0; i < before.ranks.size(); ++i)
            CHECK(after.ranks[i].totals.total == before.ranks[i].totals.total);
        CHECK(after.parameters.total == before.parameters.total);
    }
}

TEST_CASE("Property: the items add up to the totals", "[memory][calculator][property]") {
    CHECK(rc::check("sums", [] {
        const Report report = in_property(test::valid_scenario());
        Bytes largest = 0;
        for (const RankReport& rank : report.ranks) {
            Bytes sum = 0;
            for (const LineItem& item : rank.items) {
                RC_ASSERT(item.bytes >= 0);
                sum += item.bytes;
            }
            RC_ASSERT(sum == rank.totals.total);
            Bytes rows = rank.totals.reserve;
            for (const Part part : {Part::language, Part::vision}) {
                for (const ModuleRow& row : module_rows(rank, part))
                    rows += row.total();
                for (const ActivationRow& row : activation_rows(rank, part))
                    rows += row.bytes;
            }
            RC_ASSERT(rows == rank.totals.total);
            const Totals& t = rank.totals;
            RC_ASSERT(t.weight + t.fp8_cache + t.grad + t.master + t.optimizer + t.activation + t.vision +
                          t.reserve ==
                      t.total);
            largest = std::max(largest, t.total);
        }
        RC_ASSERT(report.worst().totals.total == largest);
    }));
}

TEST_CASE("Property: more tokens or layers never take less memory", "[memory][calculator][property]") {
    CHECK(rc::check("monotone", [] {
        Scenario scenario = test::valid_scenario();
        const Report before = in_property(scenario);
        switch (*rc::gen::inRange(0, 3)) {
            case 0:
                ++*scenario.micro_batch_size;
                break;
            case 1:
                ++*scenario.seq_length;
                break;
            default: {
                const std::int64_t stages = scenario.pipeline_model_parallel_size *
                                            scenario.num_virtual_stages_per_pipeline_rank.value_or(1);
                // As many dense layers as before: the first ones.
                *scenario.num_layers += stages;
            }
        }
        // The number of dense layers is fixed, so a rank may trade dense layers for MoE ones; the sum can't.
        const Report after = in_property(scenario);
        Bytes sum_before = 0;
        Bytes sum_after = 0;
        for (std::size_t i = 0; i < before.ranks.size(); ++i) {
            sum_before += before.ranks[i].totals.total;
            sum_after += after.ranks[i].totals.total;
        }
        RC_ASSERT(sum_after >= sum_before);
        RC_ASSERT(after.parameters.total >= before.parameters.total);
    }));
}

TEST_CASE("Property: without TP and EP the ranks hold the whole model once",
          "[memory][calculator][property]") {
    CHECK(rc::check("elements", [] {
        Scenario scenario = test::valid_scenario();
        scenario.tensor_model_parallel_size = 1;
        scenario.expert_model_parallel_size = 1;
        scenario.untie_embeddings_and_output_weights = true;
        scenario.vision_num_layers = 0;
        const Report report = in_property(scenario);
        std::int64_t elements = 0;
        for (const RankReport& rank : report.ranks) {
            for (const ModuleRow& row : module_rows(rank, Part::language))
                elements += row.elements;
        }
        RC_ASSERT(elements == report.parameters.total);
        RC_ASSERT(report.parameters.active <= report.parameters.total);
    }));
}

TEST_CASE("Property: optimizer shards of all data ranks cover a module", "[memory][calculator][property]") {
    CHECK(rc::check("shards", [] {
        const Scenario scenario = test::valid_scenario();
        const Report report = in_property(scenario);
        for (const RankReport& rank : report.ranks) {
            for (const ModuleRow& row : module_rows(rank, Part::language)) {
                RC_ASSERT(row.grad == 4 * row.elements);
                RC_ASSERT(row.master == row.optimizer);
                RC_ASSERT(row.master <= row.grad);
                // No shard is larger than the world, and a share loses less than one byte.
                const std::int64_t world = report.groups.world_size;
                RC_ASSERT((row.master + 1) * world > row.grad);
                RC_ASSERT(row.fp8_cache == 0 || row.fp8_cache == row.weight);
            }
        }
    }));
}

}  // namespace megamem

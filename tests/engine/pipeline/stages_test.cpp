#include "pipeline/stages.h"

#include <rapidcheck.h>

#include <catch2/catch_test_macros.hpp>

#include "engine/support/data.h"
#include "engine/support/generators.h"
#include "engine/support/problems.h"
#include "engine/support/scenarios.h"

namespace megamem {

using test::find_problem;
using test::holds;
using test::with;

namespace {

struct Planned {
    std::optional<Pipeline> pipeline;
    Problems problems;
};

Planned plan(const Scenario& scenario) {
    Planned out;
    Assumptions assumptions;
    const auto resolved = resolve(scenario, out.problems, assumptions);
    REQUIRE(resolved);
    out.pipeline = plan_pipeline(scenario, *resolved, out.problems);
    return out;
}

Scenario of_case(const nlohmann::json& c) {
    Scenario s = test::clean_dense();
    s.nodes = 1024;
    s.num_layers = c["num_layers"].get<std::int64_t>();
    s.mtp_num_layers = c.value("mtp_num_layers", 0);
    s.pipeline_model_parallel_size = c["pp"].get<std::int64_t>();
    s.global_batch_size.reset();
    if (c.contains("layout")) {
        const auto& layout = c["layout"];
        s.pipeline_model_parallel_layout = layout.is_string() ? layout.get<std::string>() : layout.dump();
    }
    if (c.contains("vpp")) s.num_virtual_stages_per_pipeline_rank = c["vpp"].get<std::int64_t>();
    return s;
}

Problems refused(const Scenario& scenario) {
    Planned out = plan(scenario);
    INFO(scenario.pipeline_model_parallel_layout << '\n' << test::shown(out.problems));
    CHECK_FALSE(out.pipeline);
    REQUIRE(has_error(out.problems));
    for (const Problem& problem : out.problems)
        CHECK(find_field(problem.path) != nullptr);
    return out.problems;
}

// A dense model of four layers with this layout on PP ranks.
Scenario laid_out(std::string_view layout, std::int64_t pp, std::int64_t layers = 4, std::int64_t mtp = 0) {
    Scenario s = test::clean_dense();
    s.pipeline_model_parallel_layout = layout;
    s.pipeline_model_parallel_size = pp;
    s.num_layers = layers;
    s.mtp_num_layers = mtp;
    return s;
}

}  // namespace

TEST_CASE("Layouts that Megatron accepts give its stages, rank by rank", "[pipeline][stages]") {
    const nlohmann::json data = test::read_data("pipeline_layouts.json");
    REQUIRE(data["accepted"].size() >= 37);
    for (const nlohmann::json& c : data["accepted"]) {
        INFO(c.dump());
        const Planned out = plan(of_case(c));
        INFO(test::shown(out.problems));
        CHECK(out.problems.empty());
        REQUIRE(out.pipeline);
        const Pipeline& pipeline = *out.pipeline;
        REQUIRE(pipeline.ranks == static_cast<std::int64_t>(c["ranks"].size()));
        REQUIRE(pipeline.chunks == static_cast<std::int64_t>(c["ranks"][0].size()));
        for (std::int64_t rank = 0; rank < pipeline.ranks; ++rank) {
            for (std::int64_t chunk = 0; chunk < pipeline.chunks; ++chunk) {
                CHECK(letters_of(pipeline.stage(rank, chunk)) ==
                      c["ranks"][static_cast<std::size_t>(rank)][static_cast<std::size_t>(chunk)]);
            }
        }
        // Layers are numbered through the stages, not through the ranks.
        std::int64_t next = 0;
        for (const Stage& stage : pipeline.stages) {
            CHECK(stage.first_layer == next);
            next += stage.layers;
        }
        CHECK(next == c["num_layers"]);
    }
}

TEST_CASE("Layouts that Megatron refuses are refused with the character or the rule", "[pipeline][stages]") {
    const nlohmann::json data = test::read_data("pipeline_layouts.json");
    REQUIRE(data["refused"].size() >= 23);
    for (const nlohmann::json& c : data["refused"]) {
        INFO(c.dump());
        const Problems problems = refused(of_case(c));
        const std::string code = c["code"];
        const Problem* problem = find_problem(problems, code);
        REQUIRE(problem != nullptr);
        CHECK(problem->severity == Severity::error);
        CHECK(problem->path == "pipeline_model_parallel_layout");
        for (const std::string piece : c["says"]) {
            INFO(piece);
            CHECK(holds(problem->message, piece));
        }
    }
}

TEST_CASE("Even splits number the layers as Megatron does", "[pipeline][stages]") {
    const nlohmann::json data = test::read_data("pipeline_layouts.json");
    for (const nlohmann::json& c : data["even_splits"]) {
        const Planned out = plan(of_case(c));
        REQUIRE(out.pipeline);
        const std::vector<Stage>& stages = out.pipeline->stages;
        REQUIRE(stages.size() == c["first_layers"].size());
        for (std::size_t i = 0; i < stages.size(); ++i) {
            CHECK(stages[i].first_layer + 1 == c["first_layers"][i]);
            CHECK(stages[i].first_layer + stages[i].layers == c["last_layers"][i]);
        }
    }
}

TEST_CASE("Uneven splits number the layers as Megatron does", "[pipeline][stages]") {
    const nlohmann::json data = test::read_data("pipeline_layouts.json");
    REQUIRE(data["uneven_splits"].size() >= 2);
    for (const nlohmann::json& c : data["uneven_splits"]) {
        INFO(c.dump());
        Scenario scenario = of_case(c);
        if (!c["first"].is_null())
            scenario.decoder_first_pipeline_num_layers = c["first"].get<std::int64_t>();
        if (!c["last"].is_null()) scenario.decoder_last_pipeline_num_layers = c["last"].get<std::int64_t>();
        scenario.account_for_embedding_in_pipeline_split = c["account_for_embedding"];
        scenario.account_for_loss_in_pipeline_split = c["account_for_loss"];
        const Planned out = plan(scenario);
        INFO(test::shown(out.problems));
        REQUIRE(out.pipeline);
        const std::vector<Stage>& stages = out.pipeline->stages;
        REQUIRE(stages.size() == c["first_layers"].size());
        for (std::size_t i = 0; i < stages.size(); ++i) {
            CHECK(stages[i].first_layer + 1 == c["first_layers"][i]);
            CHECK(stages[i].first_layer + stages[i].layers == c["last_layers"][i]);
        }
    }
}

TEST_CASE("Embedding and loss can each count as a layer", "[pipeline][stages]") {
    // transformer_block.py:150-203@d98e8a64: the first stage, the last stage or both have one layer less.
    const auto letters = [](std::string_view settings) {
        const Planned out = plan(with(with(test::clean_dense(), "global_batch_size=none"), settings));
        INFO(settings << test::shown(out.problems));
        REQUIRE(out.pipeline);
        std::string text;
        for (const Stage& stage : out.pipeline->stages)
            text += letters_of(stage) + " ";
        return text;
    };
    CHECK(letters("num_layers=7 pipeline_model_parallel_size=4 account_for_embedding_in_pipeline_split=1") ==
          "Et tt tt ttL ");
    CHECK(letters("num_layers=7 pipeline_model_parallel_size=4 account_for_loss_in_pipeline_split=1") ==
          "Ett tt tt tL ");
    CHECK(letters("num_layers=6 pipeline_model_parallel_size=2 num_virtual_stages_per_pipeline_rank=2 "
                  "account_for_embedding_in_pipeline_split=1 account_for_loss_in_pipeline_split=1") ==
          "Et tt tt tL ");
    CHECK(letters("num_layers=2 pipeline_model_parallel_size=4 account_for_embedding_in_pipeline_split=1 "
                  "account_for_loss_in_pipeline_split=1") == "E t t L ");
    CHECK(letters("num_layers=9 pipeline_model_parallel_size=4 decoder_first_pipeline_num_layers=3") ==
          "Ettt tt tt ttL ");
    CHECK(letters("num_layers=9 pipeline_model_parallel_size=4 decoder_last_pipeline_num_layers=0") ==
          "Ettt ttt ttt L ");
    CHECK(letters("num_layers=8 pipeline_model_parallel_size=2 num_layers_per_virtual_pipeline_stage=2") ==
          "Ett tt tt ttL ");
}

TEST_CASE("Uneven splits that can't be are refused with their numbers", "[pipeline][stages]") {
    struct Refused {
        const char* settings;
        const char* code;
        const char* says;
    };
    for (const Refused& c :
         {Refused{"num_layers=9 pipeline_model_parallel_size=4 decoder_first_pipeline_num_layers=2",
                  "uneven_split", "leaves 7 for 3 ranks"},
          Refused{"num_layers=4 pipeline_model_parallel_size=2 decoder_first_pipeline_num_layers=3 "
                  "decoder_last_pipeline_num_layers=3",
                  "uneven_split", "leaves -2 for 0 ranks"},
          Refused{"num_layers=12 pipeline_model_parallel_size=4 num_virtual_stages_per_pipeline_rank=2 "
                  "decoder_first_pipeline_num_layers=3 decoder_last_pipeline_num_layers=1",
                  "layers_over_vpp", "3 layers on a rank"},
          Refused{"num_layers=8 pipeline_model_parallel_size=4 account_for_loss_in_pipeline_split=1",
                  "layers_over_pp", "num_layers 8 + 1 for embedding and loss is not divisible by PP 4"},
          Refused{"num_layers=8 pipeline_model_parallel_size=2 num_layers_per_virtual_pipeline_stage=3",
                  "layers_over_virtual_stage", "4 layers a rank are not divisible by 3"}}) {
        INFO(c.settings);
        const Problems problems = refused(with(test::clean_dense(), c.settings));
        const Problem* problem = find_problem(problems, c.code);
        REQUIRE(problem != nullptr);
        CHECK(problem->severity == Severity::error);
        CHECK(holds(problem->message, c.says));
    }
}

TEST_CASE("Groups of micro-batches can be larger than PP", "[pipeline][stages]") {
    // schedules.py:1160-1180@d98e8a64: what is left over after whole groups is nothing or at least PP.
    const Scenario s =
        with(test::clean_dense(),
             "num_layers=8 pipeline_model_parallel_size=2 num_virtual_stages_per_pipeline_rank=2 "
             "global_batch_size=20");  // DP 4: 5 micro-batches
    CHECK(plan(with(s, "microbatch_group_size_per_virtual_pipeline_stage=5")).problems.empty());
    CHECK(plan(with(s, "microbatch_group_size_per_virtual_pipeline_stage=3")).problems.empty());
    CHECK(plan(with(s, "microbatch_group_size_per_virtual_pipeline_stage=4")).problems.size() == 1);
    CHECK(plan(with(s, "microbatch_group_size_per_virtual_pipeline_stage=none")).problems.size() == 1);
}

TEST_CASE("An even split puts E first, MTP and L last", "[pipeline][stages]") {
    const Planned out = plan(with(test::clean_dense(),
                                  "num_layers=12 pipeline_model_parallel_size=2 "
                                  "num_virtual_stages_per_pipeline_rank=3 mtp_num_layers=2 "
                                  "global_batch_size=none"));
    CHECK(out.problems.empty());
    REQUIRE(out.pipeline);
    CHECK(out.pipeline->chunks == 3);
    std::string letters;
    for (const Stage& stage : out.pipeline->stages)
        letters += letters_of(stage) + " ";
    CHECK(letters == "Ett tt tt tt tt ttmmL ");

    const Planned one = plan(test::clean_dense());
    REQUIRE(one.pipeline);
    REQUIRE(one.pipeline->stages.size() == 1);
    CHECK(letters_of(one.pipeline->stages[0]) == "EttttL");
}

TEST_CASE("A split that isn't even is refused with its numbers", "[pipeline][stages]") {
    CHECK(refused(with(test::clean_dense(), "num_layers=10 pipeline_model_parallel_size=4"))[0].message ==
          "num_layers 10 is not divisible by PP 4, and there is no pipeline layout");
    CHECK(refused(with(test::clean_dense(),
                       "num_layers=12 pipeline_model_parallel_size=4 "
                       "num_virtual_stages_per_pipeline_rank=2"))[0]
              .message == "num_layers 12 / PP 4 = 3 layers a rank, which is not divisible by VPP 2");
}

TEST_CASE("All of a layout's mistakes are told at once", "[pipeline][stages]") {
    const Problems problems = refused(laid_out("tEm|tLE|tm", 2, 61, 1));
    CHECK(test::codes_of(problems) ==
          std::vector<std::string>{"layout_count", "layout_count", "layout_first", "layout_last",
                                   "layout_mtp_order", "layout_mtp_split", "layout_once", "layout_stages"});
}

TEST_CASE("Rules of a layout, each with the stage", "[pipeline][stages]") {
    SECTION("two output layers") {
        CHECK(holds(find_problem(refused(laid_out("Ett|ttL|L", 3)), "layout_once")->message,
                    "output layer L stands a second time, in stage 2 (L)"));
    }
    SECTION("MTP in two stages") {
        CHECK(holds(find_problem(refused(laid_out("Ett|tt|m|mL", 4, 4, 2)), "layout_mtp_split")->message,
                    "stage 2 (m) and stage 3 (mL)"));
    }
    SECTION("MTP before its rank's last chunk") {
        CHECK(holds(find_problem(refused(laid_out("Ett|ttm||L", 2, 4, 1)), "layout_mtp_chunk")->message,
                    "stage 1 (ttm) is chunk 0 of 2 on rank 1"));
    }
    SECTION("only empty stages") {
        CHECK(find_problem(refused(laid_out("|", 2)), "layout_empty") != nullptr);
    }
    SECTION("a long stage is cut in the message") {
        const std::string message =
            find_problem(refused(laid_out(std::string(5000, 't') + "|L", 2, 5000)), "layout_first")->message;
        CHECK(message.size() < 200);
        CHECK(holds(message, "…"));
    }
    SECTION("MTP on the first rank's last chunk is allowed") {
        CHECK(plan(laid_out("Ett|tt|m|L", 2, 4, 1)).pipeline);
    }
}

TEST_CASE("Micro-batches that don't go in groups of PP are a warning with VPP", "[pipeline][stages]") {
    // 8 GPUs, PP 2: DP 4, so 12 samples are 3 micro-batches.
    const char* settings = "pipeline_model_parallel_size=2 global_batch_size=12";
    CHECK(plan(with(test::clean_dense(), settings)).problems.empty());
    const Planned out =
        plan(with(with(test::clean_dense(), settings), "num_virtual_stages_per_pipeline_rank=2"));
    CHECK(out.pipeline);
    REQUIRE(out.problems.size() == 1);
    CHECK(out.problems[0].severity == Severity::warning);
    CHECK(out.problems[0].message ==
          "with VPP 2 micro-batches go in groups of PP 2, and there are 3 of them");
}

TEST_CASE("Property: a layout written out from an even split is that split", "[pipeline][stages][property]") {
    CHECK(rc::check("letters read back", [] {
        Scenario scenario = test::valid_scenario();
        const Planned even = plan(scenario);
        RC_ASSERT(even.pipeline.has_value());
        std::string layout;
        for (const Stage& stage : even.pipeline->stages)
            layout += "|" + letters_of(stage);
        scenario.pipeline_model_parallel_layout = layout.substr(1);
        const Planned again = plan(scenario);
        if (!again.pipeline) RC_FAIL(test::shown(again.problems));
        RC_ASSERT(again.pipeline->chunks == even.pipeline->chunks);
        RC_ASSERT(again.pipeline->stages.size() == even.pipeline->stages.size());
        for (std::size_t i = 0; i < even.pipeline->stages.size(); ++i)
            RC_ASSERT(letters_of(again.pipeline->stages[i]) == letters_of(even.pipeline->stages[i]));
    }));
}

}  // namespace megamem

#include "pipeline/stage_map.h"

#include <catch2/catch_test_macros.hpp>

#include "engine/support/problems.h"
#include "engine/support/scenarios.h"
#include "memory/estimate.h"

namespace megamem {

using test::holds;

namespace {

// A model of so many layers on PP ranks.
Scenario model(std::int64_t layers, std::int64_t pp, std::string_view layout = {}) {
    Scenario s = test::clean_dense();
    s.nodes = 1024;
    s.num_layers = layers;
    s.pipeline_model_parallel_size = pp;
    s.global_batch_size.reset();
    s.pipeline_model_parallel_layout = layout;
    return s;
}

std::string letters(const StageMap& map, std::int64_t rank, std::int64_t chunk) {
    const Stage* stage = map.stage(rank, chunk);
    return stage == nullptr ? "none" : letters_of(*stage);
}

}  // namespace

TEST_CASE("a stage map shows the even split where there is no layout", "[stage_map]") {
    Scenario s = model(8, 2);
    s.num_virtual_stages_per_pipeline_rank = 2;
    const StageMap map = stage_map(s);
    REQUIRE(map.pipeline);
    CHECK(map.pipeline->ranks == 2);
    CHECK(map.pipeline->chunks == 2);
    CHECK_FALSE(map.fault);
    // Stage i is chunk i / 2 of rank i % 2, and 8 layers make two a stage.
    CHECK(letters(map, 0, 0) == "Ett");
    CHECK(letters(map, 1, 0) == "tt");
    CHECK(letters(map, 0, 1) == "tt");
    CHECK(letters(map, 1, 1) == "ttL");
    CHECK(map.stage(0, 1)->first_layer == 4);
}

TEST_CASE("a stage map follows uneven splits and what counts as a layer", "[stage_map]") {
    Scenario s = model(14, 4);
    s.account_for_embedding_in_pipeline_split = true;
    s.account_for_loss_in_pipeline_split = true;
    const StageMap counted = stage_map(s);  // 16 / 4, less one at both ends
    REQUIRE(counted.pipeline);
    CHECK(letters(counted, 0, 0) == "Ettt");
    CHECK(letters(counted, 1, 0) == "tttt");
    CHECK(letters(counted, 3, 0) == "tttL");

    s = model(14, 4);
    s.decoder_first_pipeline_num_layers = 2;
    s.decoder_last_pipeline_num_layers = 4;
    const StageMap uneven = stage_map(s);  // (14 - 2 - 4) / 2 in the middle
    REQUIRE(uneven.pipeline);
    CHECK(letters(uneven, 0, 0) == "Ett");
    CHECK(letters(uneven, 2, 0) == "tttt");
    CHECK(letters(uneven, 3, 0) == "ttttL");

    CHECK_FALSE(stage_map(model(7, 2)).pipeline);  // 7 layers aren't dealt to 2 ranks
}

TEST_CASE("a stage map agrees with the report's ranks", "[stage_map]") {
    for (const Scenario& scenario : {model(8, 4), model(8, 2, "Et*3|tt|tt|tL")}) {
        const StageMap map = stage_map(scenario);
        const Report report = estimate(scenario, Method::detailed);
        REQUIRE(map.pipeline);
        REQUIRE(report.ranks.size() == static_cast<std::size_t>(map.pipeline->ranks));
        for (const RankReport& rank : report.ranks) {
            for (std::size_t chunk = 0; chunk < rank.chunks.size(); ++chunk)
                CHECK(letters(map, rank.pipeline_rank, static_cast<std::int64_t>(chunk)) ==
                      rank.chunks[chunk]);
        }
    }
}

TEST_CASE("a stage map tells dense layers from MoE layers", "[stage_map]") {
    Scenario s = model(4, 1);
    s.num_experts = 8;
    s.moe_layer_freq = "([0]*1+[1]*3)";
    const StageMap map = stage_map(s);
    CHECK_FALSE(map.is_moe(0));
    CHECK(map.is_moe(1));
    CHECK(map.is_moe(3));
    CHECK_FALSE(map.is_moe(4));  // there is none

    s.moe_layer_freq = "([0]*1+[1]*9)";  // of another length: said by its own rule
    CHECK(stage_map(s).moe.empty());
}

TEST_CASE("a fault of a layout points at its character", "[stage_map]") {
    // A letter that isn't one: position 4, counted from 0.
    const StageMap misspelt = stage_map(model(4, 2, "Ett|xtL"));
    CHECK_FALSE(misspelt.pipeline);
    REQUIRE(misspelt.fault);
    CHECK(misspelt.fault->position == 4);
    CHECK(holds(misspelt.fault->message, "\"x\""));

    // A second embedding, in the stage that begins at position 4: the stages are shown all the same.
    const StageMap twice = stage_map(model(4, 2, "Ett|EttL"));
    REQUIRE(twice.fault);
    CHECK(twice.fault->position == 4);
    REQUIRE(twice.pipeline);
    CHECK(letters(twice, 1, 0) == "EttL");

    // Too few layers: the last stage that has any. The group (t|)*2 stands at position 3, its t at 4.
    const StageMap few = stage_map(model(9, 2, "Et|(t|)*2,L"));
    REQUIRE(few.fault);
    CHECK(few.fault->position == 4);

    // Three stages don't divide by 2: nothing but the end is to blame, and the last chunk is short.
    const StageMap three = stage_map(model(3, 2, "Et|t|tL"));
    REQUIRE(three.fault);
    CHECK(three.fault->position == 7);
    REQUIRE(three.pipeline);
    CHECK(three.pipeline->chunks == 2);
    CHECK(letters(three, 0, 1) == "tL");
    CHECK(letters(three, 1, 1) == "none");
}

TEST_CASE("a fault in a list points at its stage", "[stage_map]") {
    //            0123456789
    const StageMap map = stage_map(model(4, 2, "['Ett', 'EttL']"));
    REQUIRE(map.fault);
    CHECK(map.fault->position == 9);  // after the quote
    // A repeated list: both of its stages begin where they are written.
    const StageMap repeated = stage_map(model(4, 2, "['Et'] + ['t'] * 2 + ['mL']"));
    REQUIRE(repeated.fault);  // three decoder layers and one MTP layer too many
    CHECK(repeated.fault->position == 11);
}

TEST_CASE("a stage map of a scenario that lacks its model is empty", "[stage_map]") {
    const StageMap map = stage_map(Scenario{});
    CHECK_FALSE(map.pipeline);
    CHECK_FALSE(map.fault);
}

}  // namespace megamem

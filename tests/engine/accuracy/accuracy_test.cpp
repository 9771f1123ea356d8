// The detailed method against the measured runs of tests/data/measured_runs.json, each with its source there.
#include "accuracy/accuracy.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <cmath>
#include <functional>
#include <numeric>

#include "accuracy/accuracy_report.h"
#include "base/json_reader.h"
#include "engine/test_data.h"

using namespace megamem;

namespace {

const std::vector<MeasuredRun>& measured_runs() {
    static const ReadRuns read = read_measured_runs(test::data_file("measured_runs.json"));
    return read.runs;
}

const Accuracy& accuracy() {
    static const Accuracy all = measure_accuracy(measured_runs());
    return all;
}

bool is_b200(const RunAccuracy& run) {
    return run.id.starts_with("simumax_b200_");
}

// Magnitudes of the errors of one figure over the stages of the unflagged runs that are wanted.
std::vector<double> errors(Compared StageAccuracy::*figure,
                           const std::function<bool(const RunAccuracy&)>& wanted) {
    std::vector<double> found;
    for (const RunAccuracy& run : accuracy().runs) {
        if (run.flagged || !wanted(run)) continue;
        for (const StageAccuracy& stage : run.stages) {
            if (const auto error = (stage.*figure).error()) found.push_back(std::fabs(*error));
        }
    }
    return found;
}

// Stages whose steady value is off by more than a share of it and more than so many bytes.
std::size_t steady_beyond(double share, Bytes floor, std::size_t& count) {
    std::size_t beyond = 0;
    count = 0;
    for (const RunAccuracy& run : accuracy().runs) {
        for (const StageAccuracy& stage : run.stages) {
            if (run.flagged || !stage.steady.measured) continue;
            ++count;
            const auto measured = static_cast<double>(*stage.steady.measured);
            const double off = std::fabs(static_cast<double>(stage.steady.predicted) - measured);
            if (off > std::max(share * measured, static_cast<double>(floor))) {
                ++beyond;
                UNSCOPED_INFO(run.id << " rank " << stage.pipeline_rank << " steady "
                                     << stage.steady.predicted << " measured " << *stage.steady.measured);
            }
        }
    }
    return beyond;
}

MeasuredRun small_run() {
    MeasuredRun run;
    run.id = "small";
    Scenario& s = run.scenario;
    s.num_layers = 2;
    s.hidden_size = 256;
    s.num_attention_heads = 4;
    s.vocab_size = 1024;
    s.seq_length = 128;
    s.micro_batch_size = 1;
    s.gpus_per_node = 1;
    run.stages.push_back({-1, std::nullopt, 1 * kGiB, std::nullopt});
    return run;
}

}  // namespace

TEST_CASE("measured runs: every covered run is within the tolerance of its kind", "[accuracy]") {
    REQUIRE(accuracy().runs.size() > 200);
    std::size_t held = 0;
    for (const RunAccuracy& run : accuracy().runs) {
        if (!run.covered || run.flagged) continue;
        ++held;
        const Tolerance& tolerance = tolerance_of(run.kind);
        for (const StageAccuracy& stage : run.stages) {
            const auto check = [&](const Compared& figure, double share, Bytes floor, const char* what) {
                if (!figure.measured) return;
                const auto measured = static_cast<double>(*figure.measured);
                INFO(run.id << " (" << run.kind << ") rank " << stage.pipeline_rank << ": " << what
                            << " predicted " << figure.predicted << " measured " << *figure.measured);
                CHECK(std::fabs(static_cast<double>(figure.predicted) - measured) <=
                      std::max(share * measured, static_cast<double>(floor)));
            };
            check(stage.steady, tolerance.steady, tolerance.steady_floor, "steady");
            check(stage.peak, tolerance.peak, tolerance.peak_floor, "peak");
        }
    }
    CHECK(held > 150);
}

TEST_CASE("measured runs: 95 % of the unflagged ones are covered", "[accuracy]") {
    std::size_t unflagged = 0;
    std::size_t covered = 0;
    for (const RunAccuracy& run : accuracy().runs) {
        if (run.flagged) continue;
        ++unflagged;
        covered += run.covered ? 1 : 0;
        if (!run.covered) {
            CAPTURE(run.id);
            CHECK_FALSE(run.reason.empty());
        }
    }
    REQUIRE(unflagged > 150);
    CHECK(static_cast<double>(covered) >= 0.95 * static_cast<double>(unflagged));
}

TEST_CASE("measured runs: steady values", "[accuracy]") {
    std::size_t count = 0;
    SECTION("95 % within 1 % or 32 MiB") {
        const std::size_t beyond = steady_beyond(0.01, 32 * kMiB, count);
        REQUIRE(count > 150);
        CHECK(static_cast<double>(beyond) <= 0.05 * static_cast<double>(count));
    }
    SECTION("all within 3 % or 150 MiB") {
        const std::size_t beyond = steady_beyond(0.03, 150 * kMiB, count);
        CHECK(beyond == 0);
    }
}

TEST_CASE("measured runs: peaks of each stage on B200", "[accuracy]") {
    const std::vector<double> found = errors(&StageAccuracy::peak, is_b200);
    REQUIRE(found.size() >= 12);
    const double sum = std::accumulate(found.begin(), found.end(), 0.0);
    CHECK(sum / static_cast<double>(found.size()) <= 0.0005);
    CHECK(*std::max_element(found.begin(), found.end()) <= 0.002);
}

TEST_CASE("measured runs: peaks of dense models in NVIDIA's own tests", "[accuracy]") {
    const Spread dense = spread_of("dense", errors(&StageAccuracy::peak, [](const RunAccuracy& run) {
                                       return run.kind == "dense" && !is_b200(run);
                                   }));
    REQUIRE(dense.count > 80);
    CHECK(dense.median <= 0.003);
    CHECK(dense.p90 <= 0.01);
    CHECK(dense.worst <= 0.03);
}

TEST_CASE("measured runs: peaks of MoE models", "[accuracy]") {
    const Spread moe = spread_of(
        "MoE", errors(&StageAccuracy::peak, [](const RunAccuracy& run) { return run.kind == "MoE"; }));
    REQUIRE(moe.count > 30);
    CHECK(moe.median <= 0.008);
    CHECK(moe.p90 <= 0.06);
    CHECK(moe.worst <= 0.08);
}

TEST_CASE("measured runs: each has a source", "[accuracy]") {
    for (const RunAccuracy& run : accuracy().runs) {
        CAPTURE(run.id, run.source);
        CHECK(run.source.size() > 20);
        CHECK_FALSE(run.source.starts_with("@"));
    }
}

TEST_CASE("every kind of run has a tolerance of its own with a reason", "[accuracy]") {
    for (const RunAccuracy& run : accuracy().runs) {
        CAPTURE(run.id, run.kind);
        CHECK(tolerance_of(run.kind).kind == run.kind);
        CHECK_FALSE(tolerance_of(run.kind).reason.empty());
    }
}

TEST_CASE("kinds follow the feature that is known least", "[accuracy]") {
    Scenario s;
    CHECK(kind_of(s) == "dense");
    s.num_experts = 8;
    CHECK(kind_of(s) == "MoE");
    s.recompute_granularity = RecomputeGranularity::full;
    CHECK(kind_of(s) == "recompute");
    s.fp8_format = Fp8Format::hybrid;
    CHECK(kind_of(s) == "FP8");
    s.optimizer = Optimizer::muon;
    CHECK(kind_of(s) == "Muon");
    s.use_megatron_fsdp = true;
    CHECK(kind_of(s) == "FSDP");
}

TEST_CASE("an error is relative to the measurement", "[accuracy]") {
    using Catch::Matchers::WithinAbs;
    CHECK_THAT(Compared({110, 100}).error().value(), WithinAbs(0.1, 1e-12));
    CHECK_THAT(Compared({90, 100}).error().value(), WithinAbs(-0.1, 1e-12));
    CHECK_FALSE(Compared({90, std::nullopt}).error().has_value());
    CHECK_FALSE(Compared({90, 0}).error().has_value());
}

TEST_CASE("a spread has the median, the 90th percentile and the worst", "[accuracy]") {
    const Spread ten = spread_of("ten", {10, 1, 9, 2, 8, 3, 7, 4, 6, 5});
    CHECK(ten.count == 10);
    CHECK(ten.median == 5.5);
    CHECK(ten.p90 == 10);
    CHECK(ten.worst == 10);
    CHECK(spread_of("three", {3, 1, 2}).median == 2);
    CHECK(spread_of("none", {}).count == 0);
}

TEST_CASE("a run beyond its tolerance is told, unless its record is flagged", "[accuracy]") {
    MeasuredRun run = small_run();  // nowhere near the gigabytes that it says it measured
    run.stages[0].peak = 40 * kGiB;
    CHECK_FALSE(measure_accuracy({run}).all_within);
    run.flags.push_back("dp_unknown");
    const Accuracy flagged = measure_accuracy({run});
    CHECK(flagged.all_within);
    CHECK(flagged.flagged == 1);
    CHECK_FALSE(flagged.runs[0].within);
    REQUIRE(flagged.peak.size() == 1);
    CHECK(flagged.peak[0].kind == "dense, flagged");
}

TEST_CASE("a run that can't be predicted says why", "[accuracy]") {
    SECTION("its configuration is invalid") {
        MeasuredRun run = small_run();
        run.scenario.tensor_model_parallel_size = 3;
        const Accuracy result = measure_accuracy({run});
        CHECK_FALSE(result.runs[0].covered);
        CHECK_FALSE(result.runs[0].reason.empty());
    }
    SECTION("a stage was measured that it doesn't have") {
        MeasuredRun run = small_run();
        run.stages[0].pipeline_rank = 4;
        const Accuracy result = measure_accuracy({run});
        CHECK_FALSE(result.runs[0].covered);
        CHECK(result.runs[0].reason.find("pipeline rank 4") != std::string::npos);
        CHECK(result.covered == 0);
    }
}

TEST_CASE("peers are compared where their figures can be assigned to stages", "[accuracy]") {
    using Catch::Matchers::WithinAbs;
    MeasuredRun run = small_run();
    run.stages[0].peak = 2 * kGiB;
    run.stages[0].reserved = 4 * kGiB;
    run.peers = {{"a tool", {3.0}}, {"a tool (peak reserved)", {3.0}}, {"another", {1.0, 2.0}}};
    const RunAccuracy result = measure_accuracy({run}).runs[0];
    CHECK_THAT(peer_error(result, result.peers[0], 0).value(), WithinAbs(0.5, 1e-12));
    CHECK_THAT(peer_error(result, result.peers[1], 0).value(), WithinAbs(-0.25, 1e-12));
    CHECK_FALSE(peer_error(result, result.peers[2], 0).has_value());
}

TEST_CASE("the JSON holds every run, its stages and the summary", "[accuracy]") {
    MeasuredRun covered = small_run();
    covered.id = "dir/a run@<b> \"c\"";
    covered.stages[0].steady = 5 * kMiB;
    MeasuredRun uncovered = small_run();
    uncovered.not_covered = "no arguments";
    const Accuracy result = measure_accuracy({covered, uncovered});
    const Json json = Json::parse(accuracy_json(result), nullptr, false);
    REQUIRE(json.is_object());
    REQUIRE(json["runs"].size() == 2);
    const Json& run = json["runs"][0];
    CHECK(run["id"] == covered.id);
    CHECK(run["covered"] == true);
    CHECK(run["kind"] == "dense");
    const Json& stage = run["stages"][0];
    CHECK(stage["pipeline_rank"] == 0);
    CHECK(stage["steady"]["measured"] == 5 * kMiB);
    CHECK(stage["steady"]["predicted"] == result.runs[0].stages[0].steady.predicted);
    CHECK(stage["peak"]["measured"] == kGiB);
    CHECK(stage["reserved"]["measured"].is_null());
    CHECK(json["runs"][1]["covered"] == false);
    CHECK(json["runs"][1]["reason"] == "no arguments");
    CHECK(json["summary"]["runs"] == 2);
    CHECK(json["summary"]["covered"] == 1);
    CHECK(json["summary"]["not_covered"] == 1);
    CHECK(json["summary"]["peak"]["dense"]["count"] == 1);
}

TEST_CASE("the plot takes no markup from a file", "[accuracy]") {
    MeasuredRun run = small_run();
    run.id = "</title><script>&\x01";
    const std::string svg = accuracy_svg(measure_accuracy({run}));
    CHECK(svg.find("<script>") == std::string::npos);
    CHECK(svg.find('\x01') == std::string::npos);
    CHECK(svg.find("<circle") != std::string::npos);
    CHECK(svg.ends_with("</svg>\n"));
}

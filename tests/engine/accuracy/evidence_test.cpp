// The runs that the engine carries with it are those of tests/data/measured_runs.json with today's errors,
// and a scenario finds the ones that are like it.
#include "accuracy/evidence.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <cmath>
#include <cstdlib>

#include "accuracy/evidence_data.h"
#include "accuracy/evidence_json.h"
#include "accuracy/evidence_table.h"
#include "accuracy/nearest_runs.h"
#include "engine/support/scenarios.h"
#include "engine/test_data.h"
#include "memory/estimate.h"
#include "scenario/presets.h"

using namespace megamem;
using test::with;

namespace {

constexpr const char* kAnew =
    "make the table anew: scripts/accuracy --evidence engine/accuracy/evidence_data.cpp";

const std::vector<MeasuredRun>& measured_runs() {
    static const ReadRuns read = read_measured_runs(test::data_file("measured_runs.json"));
    return read.runs;
}

// Of a preset, changed by settings.
Scenario preset(std::string_view id, std::string_view settings = "") {
    const ModelPreset* found = find_preset(id);
    REQUIRE(found != nullptr);
    return with(scenario_of(*found), settings);
}

Evidence evidence_of(const Scenario& scenario) {
    const Report report = estimate(scenario, Method::detailed);
    for (const Problem& problem : report.problems)
        UNSCOPED_INFO(problem.message);
    REQUIRE(report.valid);
    return evidence_for(scenario, report);
}

bool has(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

void check_texts(const std::vector<std::string>& made, std::span<const std::string_view> committed) {
    INFO(kAnew);
    CHECK(std::equal(made.begin(), made.end(), committed.begin(), committed.end()));
}

}  // namespace

TEST_CASE("the committed evidence is what the engine says of the measured runs today", "[evidence]") {
    const MadeEvidence made = make_evidence(measured_runs(), measure_accuracy(measured_runs()));
    const EvidenceNames& names = evidence_names();
    const std::span<const EvidenceRow> rows = evidence_rows();
    REQUIRE(made.error.empty());
    check_texts(made.tests, names.tests);
    check_texts(made.machines, names.machines);
    check_texts(made.places, names.places);
    check_texts(made.commits, names.commits);
    INFO(kAnew);
    REQUIRE(made.rows.size() == rows.size());
    constexpr int kMost = 5;  // 0.05 %
    for (std::size_t i = 0; i < made.rows.size(); ++i) {
        EvidenceRow row = made.rows[i];
        const EvidenceRow& committed = rows[i];
        INFO("run " << made.tests[row.test] << made.machines[row.machine] << ", peak error " << row.peak_error
                    << ", committed " << committed.peak_error << ", steady error " << row.steady_error
                    << ", committed " << committed.steady_error);
        CHECK(std::abs(row.peak_error - committed.peak_error) <= kMost);
        CHECK(std::abs(row.steady_error - committed.steady_error) <= kMost);
        row.peak_error = committed.peak_error;
        row.steady_error = committed.steady_error;
        CHECK(row == committed);
    }
}

TEST_CASE("the kind follows from the features", "[evidence]") {
    for (const MeasuredRun& run : measured_runs()) {
        CAPTURE(run.id);
        CHECK(kind_of(features_of(run.scenario, 1)) == kind_of(run.scenario));
    }
}

TEST_CASE("the table's errors by kind are those of the measured runs", "[evidence]") {
    const Accuracy accuracy = measure_accuracy(measured_runs());
    const std::vector<Spread> spreads = evidence_spreads();
    std::size_t kinds = 0;
    for (const Spread& measured : accuracy.peak) {
        if (has(measured.kind, "flagged")) continue;
        CAPTURE(measured.kind);
        const auto found = std::find_if(spreads.begin(), spreads.end(),
                                        [&](const Spread& s) { return s.kind == measured.kind; });
        REQUIRE(found != spreads.end());
        CHECK(found->count == measured.count);
        // The table has them in hundredths of a percent.
        CHECK(std::abs(found->median - measured.median) < 0.0001);
        CHECK(std::abs(found->p90 - measured.p90) < 0.0001);
        CHECK(std::abs(found->worst - measured.worst) < 0.0001);
        ++kinds;
    }
    CHECK(kinds == spreads.size());
    CHECK(std::is_sorted(spreads.begin(), spreads.end(),
                         [](const Spread& a, const Spread& b) { return a.count > b.count; }));
}

TEST_CASE("every row has a label and a source that its run has too", "[evidence]") {
    // A scenario that is a measured run finds that run first, or another that is as near.
    std::size_t found = 0;
    for (const MeasuredRun& run : measured_runs()) {
        const Report report = estimate(run.scenario, Method::detailed);
        if (!report.valid) continue;
        for (const EvidenceRun& near : evidence_for(run.scenario, report).runs) {
            CAPTURE(near.label, near.source);
            CHECK_FALSE(has(near.source, "{"));
            const auto at = std::find_if(measured_runs().begin(), measured_runs().end(),
                                         [&](const MeasuredRun& other) { return other.id == near.label; });
            REQUIRE(at != measured_runs().end());
            CHECK(at->flags.empty());
            const std::size_t commit = near.source.find('@');
            const std::size_t path = near.source.find(':');
            CHECK(has(at->source, near.source.substr(0, commit)));
            if (commit != std::string::npos) {
                CHECK(has(at->source, near.source.substr(path)));
                CHECK(has(at->source, near.source.substr(commit, path - commit)));
            }
            ++found;
        }
    }
    CHECK(found > 1000);
}

TEST_CASE("a Llama 70B on B200 finds the runs of SimuMax", "[evidence]") {
    const Evidence evidence = evidence_of(preset("llama-3.1-70b", "gpu=B200"));
    REQUIRE(evidence.alike >= 5);
    CHECK(evidence.alike == evidence.runs.size());
    CHECK(evidence.runs[0].label.starts_with("simumax_b200_llama3_70b"));
    CHECK(evidence.runs[0].source == "MooreThreads/SimuMax@4dcaae5:docs/b200/b200_release_v1.2_summary.json");
    CHECK(evidence.worst < 0.01);
    CHECK(evidence.median <= evidence.worst);
    CHECK(std::max(std::fabs(evidence.lowest), std::fabs(evidence.highest)) == evidence.worst);
    CHECK(evidence.missing.empty());
}

TEST_CASE("a DeepSeek-like model finds MoE runs", "[evidence]") {
    const Evidence evidence =
        evidence_of(preset("deepseek-v3", "gpu=B200 recompute_granularity=none recompute_modules="));
    REQUIRE(evidence.alike > 0);
    CHECK(evidence.runs[0].label.starts_with("simumax_b200_deepseek"));
    for (const EvidenceRun& run : evidence.runs)
        CHECK((has(run.label, "deepseek") || has(run.label, "moe")));
}

TEST_CASE("what was never measured is said", "[evidence]") {
    SECTION("MoE with full recompute") {
        const Evidence evidence = evidence_of(preset("kimi-k2"));
        CHECK(evidence.alike == 0);
        CHECK(evidence.runs.empty());
        CHECK(has(evidence.missing, "no measured run has full recompute with MoE"));
    }
    SECTION("FP8 with Muon") {
        const Evidence evidence =
            evidence_of(preset("qwen3-30b-a3b", "optimizer=muon fp8_format=hybrid gpu=H100-80"));
        CHECK((has(evidence.missing, "FP8") && has(evidence.missing, "measured run")));
    }
    SECTION("a vision tower") {
        const Evidence evidence = evidence_of(
            preset("llama-3.1-8b",
                   "vision_num_layers=4 vision_hidden_size=1024 vision_ffn_hidden_size=4096 "
                   "vision_num_attention_heads=16 vision_patch_dim=1176 vision_patches_per_micro_batch=1024 "
                   "vision_projector_ffn_hidden_size=4096 vision_spatial_merge_size=2"));
        CHECK(has(evidence.missing, "no measured run has a vision tower"));
    }
    SECTION("MoE without MLA of a real size") {
        const Evidence evidence = evidence_of(preset("mixtral-8x7b"));
        CHECK(evidence.alike == 0);
        CHECK(has(evidence.missing, "the nearest has hidden size"));
    }
}

TEST_CASE("every preset on every GPU has runs like it, or a sentence", "[evidence]") {
    for (const ModelPreset& model : model_presets()) {
        for (const Gpu& gpu : gpus()) {
            Scenario scenario = scenario_of(model);
            scenario.gpu = gpu.id;
            const Report report = estimate(scenario, Method::detailed);
            const Evidence evidence = evidence_for(scenario, report);
            CAPTURE(model.id, gpu.id);
            CHECK(evidence.alike == evidence.runs.size());
            CHECK(evidence.alike <= kMostEvidence);
            CHECK((evidence.alike > 0 || !report.valid || !evidence.missing.empty()));
        }
    }
}

TEST_CASE("only a valid report of the detailed method has evidence", "[evidence]") {
    const Scenario scenario = preset("llama-3.1-8b");
    CHECK(evidence_for(scenario, estimate(scenario, Method::calculator)).missing.empty());
    CHECK(evidence_for(scenario, estimate(scenario, Method::megatron_report)).missing.empty());
    CHECK(evidence_for({}, estimate({}, Method::detailed)).alike == 0);
    CHECK_FALSE(
        has(write_report_with_evidence(scenario, estimate(scenario, Method::calculator)), "\"evidence\""));

    const Json json = Json::parse(write_report_with_evidence(scenario, estimate(scenario, Method::detailed)));
    REQUIRE(json["evidence"]["alike"].get<std::size_t>() > 0);
    CHECK(json["evidence"]["runs"].size() == json["evidence"]["alike"].get<std::size_t>());
    for (const char* key : {"label", "source", "pipeline_rank", "error", "measured_peak"})
        CHECK(json["evidence"]["runs"][0].contains(key));
}

TEST_CASE("evidence is found within a keystroke", "[evidence]") {
    const Scenario scenario = preset("llama-3.1-70b", "gpu=B200");
    const Report report = estimate(scenario, Method::detailed);
    constexpr int kTimes = 1000;
    std::size_t sum = 0;
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < kTimes; ++i)
        sum += evidence_for(scenario, report).alike;
    const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - start;
    CHECK(sum > 0);
    // It is 5 us; sanitizers and busy machines take their share.
    CHECK(took.count() / kTimes < 1000);
}

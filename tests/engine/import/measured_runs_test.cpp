#include "import/measured_runs.h"

#include <fmt/format.h>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/generators/catch_generators_range.hpp>

#include "accuracy/accuracy.h"
#include "engine/test_data.h"

using namespace megamem;

namespace {

constexpr std::string_view kArguments =
    R"("args": {"--num-layers": 2, "--hidden-size": 64, "--num-attention-heads": 4, "--seq-length": 64,
                "--micro-batch-size": 1, "--bf16": true})";

// One run with these arguments and whatever else.
MeasuredRun read_one(const std::string& more) {
    const ReadRuns read = read_measured_runs(fmt::format(R"([{{"id": "r", {}, {}}}])", kArguments, more));
    CAPTURE(more);
    REQUIRE(read.runs.size() == 1);
    return read.runs[0];
}

}  // namespace

TEST_CASE("the project's own table is read without loss", "[measured_runs]") {
    const ReadRuns read = read_measured_runs(test::data_file("measured_runs.json"));
    CHECK(read.problems.empty());
    CHECK(read.runs.size() == 267);
    for (const MeasuredRun& run : read.runs) {
        CAPTURE(run.id);
        CHECK_FALSE(run.id.empty());
        CHECK_FALSE(run.stages.empty());
        for (const Problem& problem : run.problems) {
            CAPTURE(problem.message);
            CHECK(problem.severity != Severity::error);
        }
    }
}

TEST_CASE("a file that holds no runs is an error", "[measured_runs]") {
    const std::string text = GENERATE("", "[", "[]", "{}", "7", "null", "[1e999]", "[{\"id\": \"\xff\"}]");
    const ReadRuns read = read_measured_runs(text);
    CAPTURE(text);
    CHECK(has_error(read.problems));
    CHECK(read.runs.empty());
}

TEST_CASE("a run that can't be used is listed with the reason", "[measured_runs]") {
    const ReadRuns read = read_measured_runs(R"([1, null, "x", [], {}, {"id": "a"}, {"id": "b", "args": [1]},
        {"id": "c", "args": {}, "world_size": "eight"}, {"id": "d", "args": {}, "world_size": 0},
        {"id": "e", "args": {}, "world_size": 1e300}, {"id": "f", "args": {}, "world_size": 8e15},
        {"id": "g", "args": {}, "world_size": 8}, {"id": "h", "args": {}, "world_size": 8, "stages": 5},
        {"id": "i", "args": {"--export-kd-teacher-load": "x"}, "world_size": 8, "peak_bytes": 1}])");
    CHECK(read.problems.empty());
    REQUIRE(read.runs.size() == 14);
    for (const MeasuredRun& run : read.runs) {
        CAPTURE(run.id);
        CHECK_FALSE(run.not_covered.empty());
    }
    CHECK(read.runs[0].not_covered == "a run is an object, not a number");
    CHECK(read.runs[5].not_covered == "no arguments");
    CHECK(read.runs[7].not_covered == "world size unknown");
    CHECK(read.runs[10].not_covered == "no cluster has 8000000000000000 GPUs");
    CHECK(read.runs[11].not_covered == "nothing was measured");
    CHECK(read.runs[13].not_covered.find("distillation") != std::string::npos);
    CHECK(measure_accuracy(read.runs).covered == 0);
}

TEST_CASE("runs of other models and loops are told apart by their arguments", "[measured_runs]") {
    const auto reason = [](std::string_view arguments, std::string_view more = "") {
        const std::string text = fmt::format(
            R"([{{"id": "r", "args": {{"--num-layers": 2, {}}}, "world_size": 1, "peak_bytes": 1{}}}])",
            arguments, more);
        return read_measured_runs(text).runs.at(0).not_covered;
    };
    CHECK(reason(R"("--bf16": true)").empty());
    CHECK(reason(R"("--is-hybrid-model": true)").find("Mamba") != std::string::npos);
    CHECK(reason(R"("--hybrid-layer-pattern": "M-M*")").find("Mamba") != std::string::npos);
    CHECK(reason(R"("--is-hybrid-model": false)").empty());
    CHECK(reason(R"("--spec": "[module spec]")").find("specification") != std::string::npos);
    CHECK(reason(R"("--encoder-num-layers": 12)").find("T5") != std::string::npos);
    CHECK(reason(R"("--img-h": 336)").find("vision") != std::string::npos);
    CHECK(reason(R"("--model-provider": "llava_vlm")").find("MIMO") != std::string::npos);
    CHECK(reason(R"("--perform-rl-step": true)").find("reinforcement") != std::string::npos);
    CHECK(reason(R"("--data-path": "my-bert_00_text_sentence")").find("BERT") != std::string::npos);
    CHECK(reason(R"("--tokenizer-type": "BertWordPieceCase")").find("BERT") != std::string::npos);
    CHECK(reason(R"("--bf16": true)", R"(, "source": {"golden": "test_cases/bert/bert_release/g.json"})")
              .find("BERT") != std::string::npos);
}

TEST_CASE("members of the wrong type don't count", "[measured_runs]") {
    const std::string more = GENERATE(
        R"("flags": 3)", R"("flags": "x")", R"("flags": {"a": [1]})", R"("flags": null)", R"("source": 7)",
        R"("source": {"recorded_date": 5, "path": {}})", R"("source": {"recorded_date": "yesterday"})",
        R"("tokenizer_adds_one": "yes")", R"("tokenizer_adds_one": 1)", R"("first_iteration": [])",
        R"("env_vars": 3)", R"("env_vars": {"CUBLAS_WORKSPACE_CONFIG": 7})", R"("software": {})",
        R"("gpu": [])", R"("gpu": 5)", R"("peers": "p")", R"("peers": {"a": "b", "c": {"d": "e"}})",
        R"("transformer_engine": 2)", R"("container": "NGC ")", R"("container": false)");
    const MeasuredRun run = read_one(more + R"(, "world_size": 2, "peak_bytes": 1000000)");
    CHECK(run.not_covered.empty());
    CHECK(run.scenario.vocab_size == 50257);
    CHECK_FALSE(run.scenario.first_iteration);
    CHECK(run.peers.empty());
    CHECK(measure_accuracy({run}).covered == 1);
}

TEST_CASE("figures that are no byte counts are dropped", "[measured_runs]") {
    const MeasuredRun run =
        read_one(R"("world_size": 2, "steady_bytes": -5, "peak_bytes": 1e300, "stages": null)");
    CHECK(run.stages.empty());
    CHECK(run.not_covered == "nothing was measured");
    const MeasuredRun rounded = read_one(R"("world_size": 2, "peak_bytes": 106022002688.0)");
    REQUIRE(rounded.stages.size() == 1);
    CHECK(rounded.stages[0].peak == 106022002688);
    CHECK_FALSE(rounded.stages[0].steady.has_value());
    CHECK(rounded.stages[0].pipeline_rank == -1);
}

TEST_CASE("stages keep their pipeline ranks", "[measured_runs]") {
    const MeasuredRun run = read_one(
        R"("world_size": 2, "stages": [{"pipeline_rank": 1, "peak_bytes": 7, "reserved_bytes": 9}, 5, {}])");
    REQUIRE(run.stages.size() == 1);
    CHECK(run.stages[0].pipeline_rank == 1);
    CHECK(run.stages[0].peak == 7);
    CHECK(run.stages[0].reserved == 9);
}

TEST_CASE("without a vocabulary it is the tokenizer's", "[measured_runs]") {
    const auto vocabulary = [](const std::string& arguments, const std::string& more) {
        const ReadRuns read = read_measured_runs(fmt::format(
            R"([{{"id": "r", "args": {{{}}}, "world_size": 1, "peak_bytes": 1{}}}])", arguments, more));
        REQUIRE(read.runs.size() == 1);
        return read.runs[0].scenario.vocab_size;
    };
    CHECK(vocabulary("", "") == 50257);  // GPT-2 BPE
    CHECK(vocabulary(R"("--tokenizer-type": "Llama2Tokenizer")", "") == 32000);
    CHECK(vocabulary(R"("--tokenizer-type": "GPTSentencePieceTokenizer")", "") == 256000);
    CHECK(vocabulary(R"("--tokenizer-model": "/x/multiMixV8.gpt4o_nc_sd.500000.128k.vocab.json")", "") ==
          50257);
    CHECK(vocabulary(R"("--tokenizer-model": "/x/nemotron_2_256k.model")", "") == 256000);
    // The NullTokenizer added an end-of-document token of its own until August 2025.
    const std::string null = R"("--tokenizer-type": "NullTokenizer", "--vocab-size": 131072)";
    CHECK(vocabulary(null, R"(, "source": {"recorded_date": "2025-07-05"})") == 131073);
    CHECK(vocabulary(null, R"(, "source": {"recorded_date": "2026-01-05"})") == 131072);
    CHECK(vocabulary(null, R"(, "tokenizer_adds_one": true)") == 131073);
}

TEST_CASE("software and machine are taken from the record", "[measured_runs]") {
    const MeasuredRun run = read_one(
        R"("world_size": 8, "peak_bytes": 1, "gpu": "dgx_h100", "software": "dev", "container": "NGC 26.01",
           "transformer_engine": "2.11.0", "source": {"recorded_date": "2026-02-03T10:00:00Z"},
           "env_vars": {"CUBLAS_WORKSPACE_CONFIG": ":4096:8", "NVTE_ALLOW_NONDETERMINISTIC_ALGO": 0})");
    CHECK(run.scenario.gpu == "H100-80");
    CHECK(run.scenario.container_version == "26.01");
    CHECK(run.scenario.transformer_engine_version == "2.11.0");
    CHECK(run.scenario.framework_version == "2026-02-03");
    CHECK(run.scenario.cublas_workspace_config == ":4096:8");
    CHECK_FALSE(run.scenario.nvte_allow_nondeterministic_algo);
    // Figures are of torch's allocator: nothing for NCCL.
    CHECK(run.scenario.nccl_buffer_gib == Decimal4{0});
}

TEST_CASE("the source names repository, commit and path", "[measured_runs]") {
    CHECK(read_one(R"("source": {"repository": "o/n", "path": "a/b.json", "commit": "0123abc"})").source ==
          "o/n@0123abc:a/b.json");
    CHECK(
        read_one(R"("source": {"repository": "o/n", "golden": "g.json", "recorded_commit": "4f"})").source ==
        "o/n@4f:g.json");
    CHECK(read_one(R"("source": {"repository": "o/n", "path": "p", "commit": "4f", "case": "c"})").source ==
          "o/n@4f:p (c)");
    CHECK(read_one(R"("source": {"text": "a log"})").source == "a log");
}

TEST_CASE("peers' figures are numbers, lists or objects of stages", "[measured_runs]") {
    const MeasuredRun run = read_one(
        R"("peers": {"a": 1.5, "b": [2, "x", 3], "c": {"first_stage": 4, "last_stage": 5}, "d": null})");
    REQUIRE(run.peers.size() == 3);
    CHECK(run.peers[0].gib == std::vector<double>{1.5});
    CHECK(run.peers[1].gib == std::vector<double>{2, 3});
    CHECK(run.peers[2].gib == std::vector<double>{4, 5});
}

TEST_CASE("large worlds are whole", "[measured_runs]") {
    const std::int64_t world = GENERATE(1, 8, 1024, 1025, 4096, 1'000'000);
    const MeasuredRun run = read_one(fmt::format(R"("world_size": {}, "peak_bytes": 1)", world));
    CHECK(run.not_covered.empty());
    CHECK(run.scenario.nodes * run.scenario.gpus_per_node == world);
    CHECK(run.scenario.gpus_per_node <= 1024);
}

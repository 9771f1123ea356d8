// MindSpeed-LLM's flags; our own texts.
#include "import/mindspeed.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "engine/support/imports.h"

namespace megamem {

using test::problem_of;
using test::question_about;
using test::shown;
using test::value_in;

namespace {

Import read(const std::string& flags) {
    return import_text("torchrun pretrain_gpt.py --num-layers 16 --hidden-size 512 --ffn-hidden-size 2048 " +
                       flags);
}

}  // namespace

TEST_CASE("MindSpeed's dense layers and shared experts", "[import][mindspeed]") {
    const Import import = read(
        "--num-experts 8 --moe-intermediate-size 256 --n-shared-experts 2 --first-k-dense-replace 3 "
        "--moe-layer-freq 1");
    INFO(shown(import));
    CHECK(value_in(import.taken, "num_dense_layers") == "3");
    CHECK(value_in(import.taken, "moe_layer_freq") == "-");
    CHECK(value_in(import.taken, "moe_ffn_hidden_size") == "256");
    CHECK(value_in(import.taken, "moe_shared_expert_intermediate_size") == "512");  // 2 x 256
    const Import wide = read("--num-experts 8 --n-shared-experts 2");
    CHECK(value_in(wide.taken, "moe_shared_expert_intermediate_size") == "4096");  // 2 x the MLP's
    CHECK(question_about(read("--num-experts 8 --first-k-dense-replace 1 --moe-layer-freq 2"),
                         "num_dense_layers") != nullptr);
}

TEST_CASE("MindSpeed's idle layers, context parallelism and nodes", "[import][mindspeed]") {
    const Import import =
        read("--noop-layers 14,15 --context-parallel-size 2 --context-parallel-algo ulysses_cp_algo");
    INFO(shown(import));
    REQUIRE(question_about(import, "num_layers") != nullptr);
    CHECK(question_about(import, "num_layers")->message.find("14 layers") != std::string::npos);
    CHECK(value_in(import.taken, "cp_comm_type") == "a2a");
    CHECK(problem_of(read("--swap-optimizer"), "not_modelled") != nullptr);
    CHECK(problem_of(read("--context-parallel-algo hybrid_cp_algo"), "not_modelled") != nullptr);
    const Import npus =
        import_text("NPUS_PER_NODE=16\nNNODES=4\ntorchrun $ARGS pretrain_gpt.py --num-layers 16\n");
    CHECK(value_in(npus.taken, "gpus_per_node") == "16");
    const Import nodes = import_text("NNODES=4\nmsrun pretrain_gpt.py --num-layers 16\n");
    CHECK(value_in(nodes.taken, "nodes") == "4");
    CHECK(question_about(nodes, "gpus_per_node") != nullptr);
}

TEST_CASE("An array without a value behind an unknown flag hides flags", "[import][mindspeed]") {
    const Import import = import_text("python train.py --our-switch ${MODEL_ARGS[@]} --num-layers 4\n");
    INFO(shown(import));
    CHECK(std::any_of(import.questions.begin(), import.questions.end(), [](const Question& q) {
        return q.source.find("MODEL_ARGS") != std::string::npos &&
               q.message.find("flags may be missing") != std::string::npos;
    }));
}

}  // namespace megamem

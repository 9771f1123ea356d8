// Flags of old releases and of projects around Megatron-LM that need more than a table's row; our own texts.
#include <catch2/catch_test_macros.hpp>

#include "engine/support/imports.h"

namespace megamem {

TEST_CASE("Recompute of old releases", "[import][arguments]") {
    const Import all = import_text("python pretrain_gpt.py --num-layers 4 --checkpoint-activations");
    CHECK(test::value_in(all.taken, "recompute_granularity") == "full");
    CHECK(test::value_in(all.taken, "recompute_method") == "uniform");
    CHECK(test::value_in(all.taken, "recompute_num_layers") == "1");
    const Import block = import_text(
        "python pretrain_gpt.py --num-layers 4 --activations-checkpoint-method block "
        "--activations-checkpoint-num-layers 2");
    CHECK(test::value_in(block.taken, "recompute_method") == "block");
    CHECK(test::value_in(block.taken, "recompute_num_layers") == "2");
}

TEST_CASE("slime's packed sequences are asked for", "[import][arguments]") {
    const Import import =
        import_text("python train.py --num-layers 4 --use-dynamic-batch-size --max-tokens-per-gpu 8192");
    REQUIRE(test::question_about(import, "micro_batch_size") != nullptr);
    CHECK(test::question_about(import, "micro_batch_size")->message.find("8192") != std::string::npos);
    CHECK(test::question_about(import, "seq_length") != nullptr);
}

TEST_CASE("Flags that a log prints with their defaults aren't warned of", "[import][arguments]") {
    const auto warned = [](const char* text) {
        return test::problem_of(import_text(text), "not_modelled") != nullptr;
    };
    CHECK_FALSE(warned("  num_layers ......... 4\n  mlp_chunks_for_training ......... 1\n"));
    CHECK_FALSE(warned("  num_layers ......... 4\n  moe_dispatch_fwd_dtype ......... bf16\n"));
    CHECK(warned("  num_layers ......... 4\n  moe_dispatch_fwd_dtype ......... mxfp8\n"));
    CHECK(warned("  num_layers ......... 4\n  optimizer_cuda_graph ......... True\n"));
    CHECK_FALSE(warned("  num_layers ......... 4\n  cuda_graph_scope ......... full\n"));
    CHECK(test::value_in(
              import_text("python pretrain_gpt.py --num-layers 4 --cuda-graph-scope attn moe_router").taken,
              "cuda_graph_modules") == "attn,moe_router");
}

}  // namespace megamem

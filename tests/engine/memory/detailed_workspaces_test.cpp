// What stays allocated beside the states: sizes of libraries' workspaces and of tensors that modules keep.
// Megatron-LM @d98e8a64, TransformerEngine @v2.11.
#include <catch2/catch_test_macros.hpp>

#include "base/units.h"
#include "engine/support/reports.h"
#include "engine/support/scenarios.h"

namespace megamem {

using test::bytes_of;
using test::with;

namespace {

Bytes dense(std::string_view component, std::string_view settings = {}) {
    return bytes_of(test::detailed_rank(with(test::clean_dense(), settings)), component);
}

Bytes moe(std::string_view component, std::string_view settings = {}, std::size_t rank = 0) {
    return bytes_of(test::detailed_rank(with(test::clean_moe(), settings), rank), component);
}

}  // namespace

TEST_CASE("TransformerEngine's workspace by GPU", "[memory][detailed]") {
    // cpp_extensions/gemm.py:31-36: 32 MiB from Hopper on, else 4
    CHECK(dense("te_workspace", "gpu=A100-80") == 4 * kMiB);
    CHECK(dense("te_workspace", "gpu=RTX4090-24") == 4 * kMiB);
    CHECK(dense("te_workspace", "gpu=H100-80") == 32 * kMiB);
    CHECK(dense("te_workspace", "gpu=B200") == 32 * kMiB);
    CHECK(dense("te_workspace", "transformer_impl=local") == 0);
    // The router's GEMM is TE's also in the local spec, since 2025-06.
    CHECK(moe("te_workspace", "transformer_impl=local framework_version=2025-07-01") == 32 * kMiB);
    CHECK(moe("te_workspace", "transformer_impl=local framework_version=2025-05-01") == 0);
    // Grouped GEMMs: 4 streams (:51-56); user buffers: 3 (:28, 44-49)
    CHECK(dense("grouped_gemm_workspace") == 0);
    CHECK(moe("grouped_gemm_workspace") == 128 * kMiB);
    CHECK(moe("grouped_gemm_workspace", "gpu=A100-80") == 16 * kMiB);
    CHECK(moe("grouped_gemm_workspace", "moe_grouped_gemm=0") == 0);
    CHECK(moe("grouped_gemm_workspace", "transformer_engine_version=1.8") == 0);
    CHECK(dense("user_buffer_workspace") == 0);
    CHECK(dense("user_buffer_workspace", "tp_comm_overlap=1") == 96 * kMiB);
    CHECK(dense("user_buffer_workspace", "tp_comm_overlap=1 gpu=A100-80") == 12 * kMiB);
}

TEST_CASE("cuBLAS's workspaces, one of each of two threads", "[memory][detailed]") {
    CHECK(dense("cublas_workspace", "gpu=A100-80") == 2 * 8320 * 1024);
    CHECK(dense("cublas_workspace", "gpu=RTX4090-24") == 2 * 8320 * 1024);
    CHECK(dense("cublas_workspace", "gpu=H100-80") == 2 * 32 * kMiB);
    // Blackwell: 8320 KiB up to NGC 26.02, 32 MiB from 26.04
    CHECK(dense("cublas_workspace", "gpu=GB200 container_version=26.02") == 2 * 8320 * 1024);
    CHECK(dense("cublas_workspace", "gpu=GB200 container_version=26.04") == 2 * 32 * kMiB);
    CHECK(dense("cublas_workspace", "gpu=B200 framework_version=core_v0.14.0") == 2 * 8320 * 1024);
    // The variable's pairs of KiB and count
    CHECK(dense("cublas_workspace", "cublas_workspace_config=:4096:8") == 2 * 32 * kMiB);
    CHECK(dense("cublas_workspace", "cublas_workspace_config=:4096:8 gpu=A100-80") == 2 * 32 * kMiB);
    CHECK(dense("cublas_workspace", "cublas_workspace_config=:16:8") == 2 * 128 * 1024);
    CHECK(dense("cublas_workspace", "cublas_workspace_config=:4096:2:16:8") == 2 * (8192 + 128) * 1024);
    for (const char* unread : {"cublas_workspace_config=4096", "cublas_workspace_config=:x:y",
                               "cublas_workspace_config=:99999999999:99999999999"}) {
        INFO(unread);
        CHECK(dense("cublas_workspace", unread) == 2 * 32 * kMiB);
    }
}

TEST_CASE("Dummy gradients: each distinct shape once, by versions and fusion", "[memory][detailed]") {
    // TE module/base.py:64, 79-92. QKV 1536 x 512, projection 512 x 512, FC1 4096 x 512, FC2 512 x 2048, and
    // the output layer 1024 x 512: 2 bytes each, however many layers there are.
    constexpr std::int64_t kLinear = 2 * 512 * (1536 + 512 + 4096 + 2048);
    constexpr std::int64_t kHead = 2 * 512 * 1024;
    CHECK(dense("dummy_gradients") == kLinear + kHead);
    CHECK(dense("dummy_gradients", "num_layers=8") == kLinear + kHead);
    CHECK(dense("dummy_gradients", "untie_embeddings_and_output_weights=0") == kLinear + kHead);
    CHECK(dense("dummy_gradients", "gradient_accumulation_fusion=0") == 0);
    CHECK(dense("dummy_gradients", "transformer_engine_version=2.2") == 0);
    CHECK(dense("dummy_gradients", "transformer_engine_version=2.3") == kLinear + kHead);
    // The output layer's since 2025-08-01 (e7c55de9)
    CHECK(dense("dummy_gradients", "transformer_engine_version=2.3 framework_version=2025-07-31") == kLinear);
    CHECK(dense("dummy_gradients", "transformer_engine_version=2.3 framework_version=2025-08-01") ==
          kLinear + kHead);
    // A head of FC1's shape is no new shape: 4000 words padded to 4096.
    CHECK(dense("dummy_gradients", "vocab_size=4000") == kLinear);
    // Stages without a head have none of it.
    CHECK(bytes_of(test::detailed_rank(with(test::clean_dense(), "pipeline_model_parallel_size=2"), 0),
                   "dummy_gradients") == kLinear);
}

TEST_CASE("Dummy gradients of experts came with TE 2.10", "[memory][detailed]") {
    // TE module/grouped_linear.py:480-506: FC1 1024 x 1024, FC2 1024 x 512, one for all local experts. Of the
    // rest QKV (16 + 2 8) 64 / 2 = 1024 x 1024 is FC1's shape; projection 1024 x 512 FC2's.
    const Bytes with_experts =
        moe("dummy_gradients", "transformer_engine_version=2.10 moe_ffn_hidden_size=768");
    const Bytes without = moe("dummy_gradients", "transformer_engine_version=2.9 moe_ffn_hidden_size=768");
    CHECK(with_experts - without == 2 * (2 * 768 * 1024 + 1024 * 768));
    CHECK(moe("dummy_gradients", "transformer_engine_version=2.10") ==
          moe("dummy_gradients", "transformer_engine_version=2.9"));
}

TEST_CASE("The global buffer is as large as its largest use", "[memory][detailed]") {
    // The output layer's gathered input, with SP (tensor_parallel/layers.py:627)
    CHECK(dense("global_buffer") == 0);
    CHECK(dense("global_buffer", "tensor_model_parallel_size=2") == 0);
    CHECK(dense("global_buffer", "tensor_model_parallel_size=2 sequence_parallel=1") == 2 * 128 * 512);
    CHECK(moe("global_buffer", "", 0) == 0);
    CHECK(moe("global_buffer", "", 1) == 2 * 2048 * 1024);
    // The allgather dispatcher's tokens of ETP x EP ranks (token_dispatcher.py:259)
    CHECK(moe("global_buffer", "moe_token_dispatcher_type=allgather", 0) == 2 * 1024 * 1024 * 4);
    CHECK(moe("global_buffer", "moe_token_dispatcher_type=allgather expert_tensor_parallel_size=2", 1) ==
          2 * 1024 * 1024 * 8);
    // The local attention's scores (dot_product_attention.py:156)
    CHECK(dense("global_buffer", "transformer_impl=local") == 2 * 8 * 128 * 128);
}

TEST_CASE("Stages keep their last input and its gradient between steps", "[memory][detailed]") {
    // transformer_block.py:468-476, schedules.py:453: every chunk without the embedding
    constexpr std::int64_t kHidden = 2 * 128 * 512;
    CHECK(dense("stage_inputs") == 0);
    for (const auto& [settings, chunks] : {std::pair{"pipeline_model_parallel_size=2", 1},
                                           std::pair{"pipeline_model_parallel_size=2 "
                                                     "num_virtual_stages_per_pipeline_rank=2",
                                                     2},
                                           std::pair{"pipeline_model_parallel_size=2 num_layers=16 "
                                                     "num_virtual_stages_per_pipeline_rank=8",
                                                     8}}) {
        INFO(settings);
        const Report report = test::detailed(with(test::clean_dense(), settings));
        CHECK(bytes_of(report.ranks[0], "stage_inputs", Kind::held) == 2 * (chunks - 1) * kHidden);
        CHECK(bytes_of(report.ranks[1], "stage_inputs", Kind::held) == 2 * chunks * kHidden);
    }
}

TEST_CASE("Rotary tables: fp32 angles of every chunk, or of every latent layer", "[memory][detailed]") {
    CHECK(dense("rotary_tables") == 4 * 128 * 64);
    CHECK(dense("rotary_tables", "rotary_percent=0.5") == 4 * 128 * 32);
    CHECK(dense("rotary_tables", "position_embedding_type=none") == 0);
    CHECK(dense("rotary_tables", "position_embedding_type=learned_absolute") == 0);
    CHECK(dense("rotary_tables", "pipeline_model_parallel_size=2 num_virtual_stages_per_pipeline_rank=2") ==
          2 * 4 * 128 * 64);
    // Angles of s positions, cos and sin (2 bytes each) of at least 4096
    CHECK(dense("rotary_tables", "multi_latent_attention=1") == 4 * (4 * 128 * 64 + 2 * 2 * 4096 * 64));
    CHECK(dense("rotary_tables", "multi_latent_attention=1 seq_length=8192") ==
          4 * (4 * 8192 * 64 + 2 * 2 * 8192 * 64));
}

TEST_CASE("What token dispatchers keep of their last micro-batch", "[memory][detailed]") {
    // Two MoE layers on rank 0, Ts 1024, 16 experts, top 4.
    constexpr std::int64_t kTs = 1024, kE = 16, kN = 4096;
    CHECK(moe("dispatcher_tensors") == 2 * (kTs * kE * (4 + 1) + 4 * kTs * (2 * kE + 1)));
    CHECK(moe("dispatcher_tensors", "moe_permute_fusion=0") == 2 * (kTs * kE * (4 + 1) + 8 * kN));
    CHECK(moe("dispatcher_tensors", "moe_router_dtype=none") ==
          2 * (kTs * kE * (2 + 1) + 4 * kTs * (2 * kE + 1)));
    CHECK(moe("dispatcher_tensors", "moe_token_dispatcher_type=flex") == 2 * (5 * kTs * kE + 4 * kN));
    CHECK(moe("dispatcher_tensors", "moe_token_dispatcher_type=allgather") ==
          2 * (kTs * 4 * 4 + kN * (4 + 8)));
    CHECK(dense("dispatcher_tensors") == 0);
}

TEST_CASE("Captured graphs keep an input and a mask for each layer alive", "[memory][detailed]") {
    CHECK(dense("graph_inputs") == 0);
    CHECK(dense("graph_inputs", "cuda_graph_impl=local") == 0);
    // One GPU stage: one micro-batch alive, 4 layers; before 2025-12-18 all 8 of the step.
    constexpr std::int64_t kEach = 2 * 128 * 512 + 128 * 128;
    CHECK(dense("graph_inputs", "cuda_graph_impl=transformer_engine") == 4 * kEach);
    CHECK(dense("graph_inputs", "cuda_graph_impl=transformer_engine framework_version=2025-12-17") ==
          8 * 4 * kEach);
    // No mask where attention isn't captured, and nothing of layers of which nothing is
    // (transformer_layer.py:1222, cuda_graphs.py:2134-2173@d98e8a64).
    CHECK(dense("graph_inputs", "cuda_graph_impl=transformer_engine cuda_graph_modules=mlp") ==
          4 * 2 * 128 * 512);
    CHECK(dense("graph_inputs", "cuda_graph_impl=transformer_engine cuda_graph_modules=moe_router") == 0);
}

TEST_CASE("A whole iteration's graph reads every micro-batch from its own tensors", "[memory][detailed]") {
    // full_cuda_graph.py:98-136: 8 micro-batches of 28 bytes a token and a mask.
    CHECK(dense("static_batches", "cuda_graph_impl=full_iteration") == 8 * 28 * 128);
    CHECK(dense("static_batches", "cuda_graph_impl=full_iteration create_attention_mask_in_dataloader=1") ==
          8 * (28 * 128 + 128 * 128));
    CHECK(dense("static_batches") == 0);
}

TEST_CASE("A release's batches stay on the GPU for reruns", "[memory][detailed]") {
    // T = 128, b 1, DP 8: 8 micro-batches; 28 bytes a token and a mask of 128 x 128. Seven are there at the
    // peak beside its own batch, the eighth between steps.
    const std::string mask = "create_attention_mask_in_dataloader=1 framework_version=";
    CHECK(dense("kept_batches", mask + "2026-06-01") == 7 * (28 * 128 + 128 * 128));
    CHECK(dense("kept_batch", mask + "2026-06-01") == 28 * 128 + 128 * 128);
    CHECK(dense("kept_batches", "framework_version=2026-06-01") == 7 * 28 * 128);
    // The goldens of 2026-07-08 are the last, those of 2026-05-20 the last before; TP ranks other than 0
    // receive.
    CHECK(dense("kept_batches", mask + "2026-07-08") > 0);
    CHECK(dense("kept_batches", mask + "2026-07-09") == 0);
    CHECK(dense("kept_batches", mask + "2026-05-20") == 0);
    CHECK(dense("kept_batches", mask + "2026-06-01 tensor_model_parallel_size=2") == 0);
    CHECK(dense("kept_batches", mask) == 0);
    // By stage: ids and positions on the first, labels and loss mask on the last, nothing between. PP 4: DP
    // 2, 32 micro-batches.
    const Report report = test::detailed(
        with(test::clean_dense(), "pipeline_model_parallel_size=4 framework_version=2026-06-01"));
    REQUIRE(report.ranks.size() == 4);
    CHECK(bytes_of(report.ranks[0], "kept_batches") == 31 * 16 * 128);
    CHECK(bytes_of(report.ranks[1], "kept_batches") == 0);
    CHECK(bytes_of(report.ranks[3], "kept_batches") == 31 * 12 * 128);
}

}  // namespace megamem

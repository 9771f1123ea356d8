// What layers keep for backward and which event makes the peak, in sums by hand. Megatron-LM @d98e8a64,
// TransformerEngine @v2.11.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <map>
#include <string>

#include "engine/support/reports.h"
#include "engine/support/scenarios.h"

namespace megamem {

using test::bytes_of;
using test::with;

namespace {

// One layer, T = 128 tokens, h = 512, 8 heads of 64, FFN 2048 with a gate.
constexpr std::int64_t T = 128;
constexpr std::int64_t kH = 512;
constexpr std::int64_t kHidden = 2 * T * kH;

Scenario one_layer(std::string_view settings = {}) {
    return with(with(test::clean_dense(), "num_layers=1"), settings);
}

// One MoE layer of clean_moe: TP 2 with SP, T = 2048, Ts = 1024, h = 1024, 16 experts of 512, top 4.
Scenario one_moe_layer(std::string_view settings = {}) {
    return with(with(test::clean_moe(),
                     "num_layers=1 num_dense_layers=0 pipeline_model_parallel_size=1 nodes=1 "
                     "framework_version=2026-01-15"),
                settings);
}

Bytes saved(const Scenario& scenario) {
    return test::detailed_rank(scenario).totals.activation;
}

Bytes term(const Scenario& scenario, std::string_view name) {
    return bytes_of(test::detailed_rank(scenario), name, Kind::activation);
}

// Everything that is saved, by term.
std::map<std::string_view, Bytes> terms(const RankReport& rank) {
    std::map<std::string_view, Bytes> all;
    for (const LineItem& item : rank.items) {
        if (item.kind == Kind::activation) all[item.component] += item.bytes;
    }
    return all;
}

}  // namespace

TEST_CASE("A dense layer's saved tensors", "[memory][detailed]") {
    // Norms in and out 8 Ts h, statistics 4 bytes each, q, k, v, output, log-sum-exp, FC1's output and FC2's
    // input.
    const RankReport rank = test::detailed_rank(one_layer());
    CHECK(terms(rank) == std::map<std::string_view, Bytes>{
                             {"attention_norm_input", 2 * T * kH},
                             {"attention_norm_output", 2 * T * kH},
                             {"attention_norm_stats", 4 * T},
                             {"q", 2 * T * 512},
                             {"k", 2 * T * 512},
                             {"v", 2 * T * 512},
                             {"attention_output", 2 * T * 512},
                             {"log_sum_exp", 4 * T * 8},
                             {"mlp_norm_input", 2 * T * kH},
                             {"mlp_norm_output", 2 * T * kH},
                             {"mlp_norm_stats", 4 * T},
                             {"fc1_output", 2 * T * 2 * 2048},
                             {"fc2_input", 2 * T * 2048},
                         });
    CHECK(rank.totals.activation == 8 * T * kH + 8 * T + T * (4 * 512 + 4 * 512 + 4 * 8 + 6 * 2048));
    CHECK(saved(with(one_layer(), "num_layers=3")) == 3 * rank.totals.activation);
    // Twice the micro-batch, twice everything (H100 has no copy of flash attention's output).
    CHECK(saved(one_layer("micro_batch_size=2")) == 2 * rank.totals.activation);
}

TEST_CASE("34 s b h: the paper's layer", "[memory][detailed]") {
    // arXiv:2205.05198: FFN 4h without a gate, as many groups as heads, dropout of hidden states, attention
    // that keeps no scores. Beside it the fp32 statistics, and the embedding's mask, one byte a value.
    const Scenario s = one_layer("swiglu=0 hidden_dropout=0.1");
    CHECK(saved(s) == 34 * T * kH + 8 * T + 4 * T * 8 + T * kH);
    // LayerNorm keeps a mean too.
    CHECK(saved(with(s, "normalization=LayerNorm")) == saved(s) + 8 * T);
    // Scores: 5 a s^2 b more with attention dropout, 2 without, and no log-sum-exp.
    CHECK(saved(with(s, "attention_backend=unfused attention_dropout=0.1")) ==
          saved(s) - 4 * T * 8 + 5 * 8 * T * T);
    CHECK(saved(with(s, "attention_backend=unfused")) == saved(s) - 4 * T * 8 + 2 * 8 * T * T);
}

TEST_CASE("Grouped keys and values, and TP with and without SP", "[memory][detailed]") {
    CHECK(saved(one_layer("num_query_groups=2")) ==
          8 * T * kH + 8 * T + T * (4 * 512 + 4 * 128 + 4 * 8 + 6 * 2048));
    const std::int64_t inside = T * (4 * 512 + 4 * 128 + 4 * 8 + 6 * 2048) / 2;
    CHECK(saved(one_layer("num_query_groups=2 tensor_model_parallel_size=2")) == 8 * T * kH + 8 * T + inside);
    CHECK(saved(one_layer("num_query_groups=2 tensor_model_parallel_size=2 sequence_parallel=1")) ==
          (8 * T * kH + 8 * T) / 2 + inside);
    // Fewer groups than TP: one is kept.
    const Scenario few = one_layer("num_query_groups=2 tensor_model_parallel_size=8");
    CHECK(term(few, "k") == 2 * T * 64);
}

TEST_CASE("Norms of queries and keys keep their inputs and statistics", "[memory][detailed]") {
    CHECK(saved(one_layer("num_query_groups=2 qk_layernorm=1")) - saved(one_layer("num_query_groups=2")) ==
          2 * T * 64 * (8 + 2) + 4 * T * (8 + 2));
}

TEST_CASE("A multi-latent attention layer's saved tensors", "[memory][detailed]") {
    const Scenario s = one_layer(
        "multi_latent_attention=1 q_lora_rank=96 kv_lora_rank=48 qk_head_dim=40 "
        "qk_pos_emb_head_dim=16 v_head_dim=24 qk_layernorm=1");
    const std::map<std::string_view, Bytes> all = terms(test::detailed_rank(s));
    CHECK(all.at("compressed_q") == 2 * 2 * T * 96);  // before and after its norm
    CHECK(all.at("compressed_kv") == 2 * 2 * T * 48);
    CHECK(all.at("kv_combined") == 2 * T * (48 + 16));
    CHECK(all.at("q") == 2 * T * 8 * 56);
    CHECK(all.at("k") == 2 * T * 8 * 56);
    CHECK(all.at("v") == 2 * T * 8 * 24);
    CHECK(all.at("attention_output") == 2 * T * 8 * 24);
    CHECK(all.at("log_sum_exp") == 4 * T * 8);
    CHECK(saved(s) == 8 * T * kH + 8 * T + 4 * T * (96 + 48) + 2 * T * 64 + 4 * T * 8 * (56 + 24) +
                          4 * T * 8 + 6 * T * 2048);
}

TEST_CASE("A MoE layer's saved tensors", "[memory][detailed]") {
    constexpr std::int64_t kTs = 1024, kE = 16, kN = 4096;
    const Scenario s = one_moe_layer();
    const std::map<std::string_view, Bytes> all = terms(test::detailed_rank(s));
    CHECK(all.at("mlp_norm_input") == 2 * kTs * 1024);
    CHECK(all.at("mlp_norm_output") == 2 * kTs * 1024);
    CHECK(all.at("router") == kTs * kE * (4 + 4 + 1 + 4));   // logits, scores, map, probabilities
    CHECK(all.at("permutation") == kTs * (2 * kE + 1) * 4);  // TE permutation.py:447-451
    CHECK(all.at("dispatched_tokens") == 2 * kN * 1024);
    CHECK(all.at("expert_fc1_output") == 2 * kN * 2 * 512);
    CHECK(all.at("expert_fc2_input") == 2 * kN * 512);
    CHECK(all.at("probabilities") == 4 * kN);
    CHECK(all.at("shared_fc1_output") == 2 * 2048 * 2 * 512 / 2);
    CHECK(all.at("shared_fc2_input") == 2 * 2048 * 512 / 2);
    CHECK(all.size() == 8 + 3 + 6 + 2);  // attention, norm, experts, shared expert: nothing else
    // Unfused permutation: int64 a copy; no router type: bf16 probabilities
    CHECK(term(with(s, "moe_permute_fusion=0"), "permutation") == 8 * kN);
    CHECK(term(with(s, "moe_router_dtype=none"), "router") == kTs * kE * (4 + 4 + 1 + 2));
    CHECK(term(with(s, "moe_router_dtype=none"), "probabilities") == 2 * kN);
    // ETP 2: both GPUs' tokens, half an expert's width
    const Scenario etp = with(s, "expert_tensor_parallel_size=2");
    CHECK(term(etp, "dispatched_tokens") == 2 * 2 * kN * 1024);
    CHECK(term(etp, "expert_fc1_output") == 2 * kN * 2 * 512);
    // Overlapped, the shared expert's gathered input stays.
    CHECK(term(with(s, "moe_shared_expert_overlap=1"), "shared_gathered_input") == 2 * 2048 * 1024);
    // Latent experts
    CHECK(term(with(s, "moe_latent_size=256"), "dispatched_tokens") == 2 * kN * 256);
    // ... and what the projection back to the hidden size has as input: of each local token once.
    CHECK(term(with(s, "moe_latent_size=256"), "latent_output") == 2 * kTs * 256);
    CHECK(term(s, "latent_output") == 0);
}

TEST_CASE("Expert activations: fused, unfused and before probabilities moved", "[memory][detailed]") {
    constexpr std::int64_t kN = 4096;
    CHECK(term(one_moe_layer(), "expert_activation") == 0);
    CHECK(term(one_moe_layer("swiglu=0"), "expert_activation") == 2 * kN * 512);
    CHECK(term(one_moe_layer("bias_swiglu_fusion=0"), "expert_activation") == 2 * kN * 512);
    // 26596307 of 2025-04-09; before, the un-permute's input
    const Scenario old = one_moe_layer("swiglu=0 framework_version=2025-04-08");
    CHECK(term(old, "expert_activation") == 0);
    CHECK(term(old, "unpermute_input") == 2 * 1024 * 4 * 1024);
    CHECK(term(one_moe_layer("framework_version=2025-04-09"), "unpermute_input") == 0);
}

TEST_CASE("A shared expert's gate and its unfused activation", "[memory][detailed]") {
    // shared_experts.py:199-207: the product keeps the output before the gate, Ts x h, and the gate, Ts.
    const Scenario gated = one_moe_layer("moe_shared_expert_gate=1");
    CHECK(term(gated, "shared_ungated_output") == 2 * 1024 * 1024 + 2 * 1024);
    CHECK(saved(gated) - saved(one_moe_layer()) == 2 * 1024 * 1024 + 2 * 1024);
    CHECK(saved(with(gated, "recompute_granularity=selective recompute_modules=shared_experts")) ==
          saved(one_moe_layer("recompute_granularity=selective recompute_modules=shared_experts")));
    // The gate's factor of the product: all tokens, half of 512 on each of 2 GPUs.
    CHECK(term(one_moe_layer("bias_swiglu_fusion=0"), "shared_activation") == 2 * 2048 * 512 / 2);
    CHECK(term(one_moe_layer("swiglu=0 bias_swiglu_fusion=0"), "shared_activation") == 0);
}

TEST_CASE("Deterministic un-permute keeps its source, from 2025-10-16", "[memory][detailed]") {
    const Scenario s =
        one_moe_layer("deterministic_mode=1 moe_permute_fusion=0 framework_version=2025-10-16");
    CHECK(term(s, "unpermute_source") == 2 * 1024 * 4 * 1024);
    CHECK(term(with(s, "moe_token_dispatcher_type=allgather expert_tensor_parallel_size=2"),
               "unpermute_source") == 2 * 2 * 4096 * 1024);
    CHECK(term(with(s, "framework_version=2025-10-15"), "unpermute_source") == 0);
    CHECK(term(with(s, "moe_permute_fusion=1"), "unpermute_source") == 0);
    CHECK(term(with(s, "deterministic_mode=0"), "unpermute_source") == 0);
}

TEST_CASE("Selective recompute of a dense layer", "[memory][detailed]") {
    const auto less = [](const Scenario& s, std::string_view modules) {
        return saved(s) - saved(with(s, std::string("recompute_granularity=selective recompute_modules=") +
                                            std::string(modules)));
    };
    // mlp keeps its input, the residual stream: the norm's output and statistics, FC1's output, FC2's input
    // go.
    CHECK(less(one_layer(), "mlp") == 2 * T * kH + 4 * T + 6 * T * 2048);
    // layernorm: norms are fused into the linear layers here, so nothing goes.
    CHECK(less(one_layer(), "layernorm") == 0);
    // core_attn: unfused, the scores go; the saved value is a view that keeps the whole of q, k and v, so one
    // q and one k more stay.
    const Scenario unfused = one_layer("attention_backend=unfused attention_dropout=0.1");
    CHECK(less(unfused, "core_attn") == 5 * 8 * T * T - 2 * (2 * T * 512));
    // MoE's modules mean nothing to a dense layer.
    CHECK(less(one_layer(), "moe") == 0);
    CHECK(less(one_layer(), "moe_act,shared_experts") == 0);
}

TEST_CASE("Selective recompute of latent attention and of a MoE layer", "[memory][detailed]") {
    const auto less = [](const Scenario& s, std::string_view modules) {
        return saved(s) - saved(with(s, std::string("recompute_granularity=selective recompute_modules=") +
                                            std::string(modules)));
    };
    const Scenario latent = one_layer(
        "multi_latent_attention=1 q_lora_rank=96 kv_lora_rank=48 qk_head_dim=40 "
        "qk_pos_emb_head_dim=16 v_head_dim=24");
    // q, k and v go, the compressed ones stay; and the input norm, a module of its own.
    CHECK(less(latent, "mla_up_proj") == 2 * T * 8 * (56 + 56 + 24));
    CHECK(less(latent, "layernorm") == 2 * T * kH + 4 * T);

    constexpr std::int64_t kTs = 1024, kN = 4096;
    const Scenario moe = one_moe_layer();
    CHECK(less(moe, "moe_act") == 2 * kN * 512);
    CHECK(less(moe, "layernorm") == 2 * kTs * 1024 + 4 * kTs);
    CHECK(less(moe, "shared_experts") == 2 * 2048 * 3 * 512 / 2);
    CHECK(less(with(moe, "moe_shared_expert_overlap=1"), "shared_experts") == 0);
    CHECK(less(moe, "mlp") == 0);
    // moe: the whole block but its input, and the norm before it, which isn't part of it.
    CHECK(less(moe, "moe") ==
          kTs * 16 * 13 + kTs * 33 * 4 + 2 * kN * (1024 + 3 * 512) + 4 * kN + 2 * 2048 * 3 * 512 / 2);
}

TEST_CASE("Full recompute keeps inputs", "[memory][detailed]") {
    const std::int64_t layer = saved(one_layer());
    const Scenario six = with(test::clean_dense(), "num_layers=6 recompute_granularity=full");
    const auto full = [&](std::string_view settings) { return saved(with(six, settings)); };
    CHECK(full("recompute_method=uniform recompute_num_layers=1") == 6 * kHidden);
    CHECK(full("recompute_method=uniform recompute_num_layers=2") == 3 * kHidden);
    CHECK(full("recompute_method=uniform recompute_num_layers=4") == 2 * kHidden);
    CHECK(full("recompute_method=block recompute_num_layers=2") == 2 * kHidden + 4 * layer);
    CHECK(full("recompute_method=block recompute_num_layers=0") == 6 * layer);
    CHECK(full("recompute_method=block recompute_num_layers=99") == 6 * kHidden);
    // Split over TP where SP doesn't already.
    CHECK(full("recompute_method=uniform recompute_num_layers=1 tensor_model_parallel_size=2 "
               "distribute_saved_activations=1") == 6 * kHidden / 2);
    // Of every virtual stage: 3 layers in each of 2, pieces of 2 are 2 checkpoints; 4 GPUs' in-flight counts
    // are the schedule's.
    const RankReport last = test::detailed_rank(
        with(six,
             "num_layers=12 pipeline_model_parallel_size=2 num_virtual_stages_per_pipeline_rank=2 "
             "recompute_method=uniform recompute_num_layers=2"),
        1);
    CHECK(last.in_flight == std::vector<std::int64_t>{2, 1});
    CHECK(last.totals.activation == (2 + 1) * 2 * kHidden);
}

TEST_CASE("Micro-batches in flight multiply what is saved", "[memory][detailed]") {
    const std::int64_t layer = saved(one_layer());
    const Report report = test::detailed(with(test::clean_dense(), "pipeline_model_parallel_size=4"));
    for (std::size_t rank = 0; rank < 4; ++rank)
        CHECK(report.ranks[rank].totals.activation == static_cast<std::int64_t>(4 - rank) * layer);
}

TEST_CASE("The head's events: bytes a logit by kind of loss", "[memory][detailed]") {
    // 20 000 words (padded to 20096) on a narrow layer: the head outweighs the layer. Final norm: input,
    // output and statistics.
    const Scenario s = one_layer("vocab_size=20000");
    constexpr std::int64_t kLogits = T * 20096;
    constexpr std::int64_t kNorm = 2 * kHidden + 4 * T;
    struct Loss {
        const char* settings;
        const char* event;
        std::int64_t bytes;
    };
    for (const Loss& c :
         {Loss{"", "cross_entropy", kNorm + 6 * kLogits},
          Loss{"cross_entropy_loss_fusion=1", "cross_entropy", kNorm + 10 * kLogits},
          // TE's works in place, so that the output layer's backward is the peak: logits and the gradient of
          // its input.
          Loss{"cross_entropy_loss_fusion=1 cross_entropy_fusion_impl=te", "output_backward",
               kNorm + 2 * kLogits + kHidden},
          // Without the fused accumulation a gradient of the weight, 2 bytes: more than the 4 a logit.
          Loss{"gradient_accumulation_fusion=0", "output_backward",
               kNorm + 2 * kLogits + kHidden + 2 * 20096 * kH}}) {
        INFO(c.settings);
        const RankReport rank = test::detailed_rank(with(s, c.settings));
        CHECK(rank.peak_event == c.event);
        CHECK(bytes_of(rank, "at_the_peak", Kind::transient) == c.bytes);
    }
    // Logits in fp32 are worked on in place, and their gradient has 4 bytes too.
    CHECK(bytes_of(test::detailed_rank(with(s, "output_logit_dtype=fp32")), "at_the_peak", Kind::transient) ==
          kNorm + 4 * kLogits + kHidden);
    // TP splits the vocabulary; with SP the norm's tensors are split and the input's gradient is gathered
    // and scattered. 20000 words to a multiple of 256: 20224.
    const RankReport split =
        test::detailed_rank(with(s,
                                 "tensor_model_parallel_size=2 sequence_parallel=1 "
                                 "cross_entropy_loss_fusion=1 cross_entropy_fusion_impl=te"));
    CHECK(bytes_of(split, "at_the_peak", Kind::transient) ==
          kNorm / 2 + 2 * T * 20224 / 2 + kHidden + kHidden / 2);
    CHECK(split.peak_event == "output_backward");
}

TEST_CASE("Which event makes the peak", "[memory][detailed]") {
    // Few words: the layer's backward. FC2: gradients of its output and input; activation: gradient of FC1's
    // output beside the residual's, the larger.
    const RankReport layer = test::detailed_rank(one_layer("vocab_size=128"));
    CHECK(layer.peak_event == "layer_backward");
    CHECK(bytes_of(layer, "at_the_peak", Kind::transient) == kHidden + 2 * T * 2 * 2048);
    // Many narrow experts with a large top-k: the combine, where dispatched tokens are held four times.
    const RankReport combine = test::detailed_rank(one_moe_layer(
        "vocab_size=128 moe_ffn_hidden_size=64 moe_shared_expert_intermediate_size=0 moe_router_topk=8"));
    CHECK(combine.peak_event == "moe_forward");
    // P + P + D + max(D, P + H): everything is one size but H
    constexpr std::int64_t kD = 2 * 1024 * 8 * 1024;
    CHECK(bytes_of(combine, "at_the_peak", Kind::transient) == 4 * kD + 2 * 1024 * 1024);
    // Not the last stage: no head, whatever the vocabulary is.
    const RankReport first =
        test::detailed_rank(with(test::clean_dense(), "pipeline_model_parallel_size=2 vocab_size=100000"), 0);
    CHECK(first.peak_event == "layer_backward");
}

TEST_CASE("The batch, and the mask that the data loader makes", "[memory][detailed]") {
    // training/utils.py:540-575: ids, labels, positions of 8 bytes, a loss mask of 4.
    const RankReport rank = test::detailed_rank(one_layer("create_attention_mask_in_dataloader=1"));
    CHECK(bytes_of(rank, "batch", Kind::transient) == (8 + 8 + 8 + 4) * T);
    CHECK(bytes_of(rank, "attention_mask", Kind::transient) == T * T);
    CHECK(bytes_of(test::detailed_rank(one_layer()), "attention_mask") == 0);
}

}  // namespace megamem

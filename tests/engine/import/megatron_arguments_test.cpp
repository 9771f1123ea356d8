#include "import/megatron_arguments.h"

#include <algorithm>
#include <array>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/generators/catch_generators_range.hpp>

#include "scenario/field.h"

using namespace megamem;

namespace {

struct Default {
    std::string_view flag;
    std::string_view value;
};

// Megatron-LM's own defaults: megatron/training/arguments.py and the dataclasses behind its argument groups,
// @d98e8a64. Switches as 1 and 0 of the destination, "None" as it stands there.
constexpr std::array kMegatronDefaults = {
    Default{"--no-rope-fusion", "1"},
    Default{"--rotary-percent", "1"},
    Default{"--rotary-interleaved", "0"},
    Default{"--no-masked-softmax-fusion", "1"},
    Default{"--apply-query-key-layer-scaling", "0"},
    Default{"--min-offloaded-tensor-size", "1048576"},
    Default{"--activation-offload-fraction", "1"},
    Default{"--cpu-offloading-num-layers", "0"},
    Default{"--num-layers", "None"},
    Default{"--hidden-size", "None"},
    Default{"--ffn-hidden-size", "None"},
    Default{"--vocab-size", "None"},
    Default{"--swiglu", "0"},
    Default{"--untie-embeddings-and-output-weights", "0"},
    Default{"--mtp-num-layers", "None"},
    Default{"--disable-bias-linear", "1"},
    Default{"--normalization", "LayerNorm"},
    Default{"--position-embedding-type", "learned_absolute"},
    Default{"--max-position-embeddings", "None"},
    Default{"--make-vocab-size-divisible-by", "128"},
    Default{"--hidden-dropout", "0.1"},
    Default{"--fp32-residual-connection", "0"},
    Default{"--num-attention-heads", "None"},
    Default{"--num-query-groups", "1"},
    Default{"--kv-channels", "None"},
    Default{"--attention-output-gate", "0"},
    Default{"--multi-latent-attention", "0"},
    Default{"--q-lora-rank", "None"},
    Default{"--kv-lora-rank", "32"},
    Default{"--qk-head-dim", "128"},
    Default{"--qk-pos-emb-head-dim", "64"},
    Default{"--v-head-dim", "128"},
    Default{"--add-qkv-bias", "0"},
    Default{"--qk-layernorm", "0"},
    Default{"--attention-dropout", "0.1"},
    Default{"--num-experts", "None"},
    Default{"--moe-ffn-hidden-size", "None"},
    Default{"--moe-router-topk", "2"},
    Default{"--moe-shared-expert-intermediate-size", "None"},
    Default{"--moe-layer-freq", "1"},
    Default{"--moe-shared-expert-gate", "0"},
    Default{"--moe-shared-expert-overlap", "0"},
    Default{"--moe-latent-size", "None"},
    Default{"--moe-router-enable-expert-bias", "0"},
    Default{"--moe-grouped-gemm", "0"},
    Default{"--moe-token-dispatcher-type", "allgather"},
    Default{"--moe-flex-dispatcher-backend", "deepep"},
    Default{"--moe-router-dtype", "None"},
    Default{"--moe-permute-fusion", "0"},
    Default{"--moe-expert-capacity-factor", "None"},
    Default{"--moe-pad-expert-input-to-capacity", "0"},
    Default{"--tensor-model-parallel-size", "1"},
    Default{"--pipeline-model-parallel-size", "1"},
    Default{"--num-virtual-stages-per-pipeline-rank", "None"},
    Default{"--context-parallel-size", "1"},
    Default{"--expert-model-parallel-size", "1"},
    Default{"--expert-tensor-parallel-size", "None"},
    Default{"--pipeline-model-parallel-layout", "None"},
    Default{"--sequence-parallel", "0"},
    Default{"--cp-comm-type", "p2p"},
    Default{"--tp-comm-overlap", "0"},
    Default{"--num-layers-per-virtual-pipeline-stage", "None"},
    Default{"--decoder-first-pipeline-num-layers", "None"},
    Default{"--decoder-last-pipeline-num-layers", "None"},
    Default{"--account-for-embedding-in-pipeline-split", "0"},
    Default{"--account-for-loss-in-pipeline-split", "0"},
    Default{"--microbatch-group-size-per-virtual-pipeline-stage", "None"},
    Default{"--overlap-moe-expert-parallel-comm", "0"},
    Default{"--defer-embedding-wgrad-compute", "0"},
    Default{"--wgrad-deferral-limit", "0"},
    Default{"--seq-length", "None"},
    Default{"--micro-batch-size", "None"},
    Default{"--global-batch-size", "None"},
    Default{"--fp8-format", "None"},
    Default{"--fp8-recipe", "delayed"},
    Default{"--fp8-param-gather", "0"},
    Default{"--grad-reduce-in-bf16", "0"},
    Default{"--accumulate-allreduce-grads-in-fp32", "0"},
    Default{"--optimizer", "adam"},
    Default{"--use-distributed-optimizer", "0"},
    Default{"--num-distributed-optimizer-instances", "1"},
    Default{"--use-precision-aware-optimizer", "0"},
    Default{"--main-grads-dtype", "fp32"},
    Default{"--main-params-dtype", "fp32"},
    Default{"--exp-avg-dtype", "fp32"},
    Default{"--exp-avg-sq-dtype", "fp32"},
    Default{"--optimizer-cpu-offload", "0"},
    Default{"--optimizer-offload-fraction", "1"},
    Default{"--no-use-layer-wise-param-layout", "1"},
    Default{"--use-megatron-fsdp", "0"},
    Default{"--data-parallel-sharding-strategy", "optim_grads_params"},
    Default{"--megatron-fsdp-main-grads-dtype", "auto"},
    Default{"--recompute-granularity", "None"},
    Default{"--recompute-modules", "None"},
    Default{"--recompute-method", "None"},
    Default{"--recompute-num-layers", "None"},
    Default{"--distribute-saved-activations", "0"},
    Default{"--fine-grained-activation-offloading", "0"},
    Default{"--offload-modules", ""},
    Default{"--transformer-impl", "transformer_engine"},
    Default{"--attention-backend", "auto"},
    Default{"--deterministic-mode", "0"},
    Default{"--no-gradient-accumulation-fusion", "1"},
    Default{"--cross-entropy-loss-fusion", "0"},
    Default{"--cross-entropy-fusion-impl", "native"},
    Default{"--no-bias-swiglu-fusion", "1"},
    Default{"--no-create-attention-mask-in-dataloader", "1"},
    Default{"--cuda-graph-impl", "none"},
    Default{"--first-last-layers-bf16", "0"},
    Default{"--num-layers-at-start-in-bf16", "1"},
    Default{"--num-layers-at-end-in-bf16", "1"},
    Default{"--fp4-format", "None"},
    Default{"--fp4-param-gather", "0"},
    Default{"--output-logit-dtype", "None"},
    Default{"--outer-dp-sharding-strategy", "no_shard"},
    Default{"--fsdp-double-buffer", "0"},
    Default{"--keep-fp8-transpose-cache", "0"},
    Default{"--use-torch-fsdp2", "0"},
    Default{"--torch-fsdp2-no-reshard-after-forward", "1"},
    Default{"--delta-offload-bytes-across-pp-ranks", "0"},
    Default{"--cuda-graph-modules", ""},
    Default{"--moe-expert-rank-capacity-factor", "None"},
    Default{"--moe-router-padding-for-quantization", "0"},
    Default{"--mtp-use-repeated-layer", "0"},
    // examples/multimodal/multimodal_args.py; the projector's type is LLaVAModel's default.
    Default{"--vision-model-type", "clip"},
    Default{"--img-h", "224"},
    Default{"--img-w", "224"},
    Default{"--class-token-len", "None"},
    Default{"--disable-vision-class-token", "0"},
    Default{"--vision-projection-type", "mlp"},
    Default{"--recompute-vision", "0"},
};

// What None means where our field can't be unset: no such layers, experts, limit or format.
constexpr std::array kNoneIs = {
    Default{"--mtp-num-layers", "0"},
    Default{"--num-experts", "0"},
    Default{"--moe-shared-expert-intermediate-size", "0"},
    Default{"--moe-expert-capacity-factor", "0"},
    Default{"--recompute-modules", ""},
    Default{"--moe-expert-rank-capacity-factor", "0"},
    Default{"--fp4-format", "none"},
    Default{"--output-logit-dtype", "none"},
    Default{"--pipeline-model-parallel-layout", "none"},
};

// Where the default is settled later in Megatron-LM, so that the field holds what comes of it.
constexpr std::array kSettled = {
    // Counts only with --group-query-attention; without it there is a group for every head.
    Default{"--num-query-groups", "none"},
    // Every layer, of a model that has experts; this one has none.
    Default{"--moe-layer-freq", "none"},
    // "auto" is bf16 with Megatron-FSDP's own gradient buffers.
    Default{"--megatron-fsdp-main-grads-dtype", "bf16"},
    // There is no tower without examples/multimodal, which asks for what its encoder needs.
    Default{"--vision-model-type", "generic"},
    Default{"--img-h", "none"},
    Default{"--img-w", "none"},
};

template <std::size_t N>
const Default* find(const std::array<Default, N>& all, std::string_view flag) {
    const auto found = std::find_if(all.begin(), all.end(), [&](const Default& d) { return d.flag == flag; });
    return found == all.end() ? nullptr : &*found;
}

ImportedArguments import(std::initializer_list<Argument> arguments) {
    return import_arguments(std::vector<Argument>(arguments));
}

bool holds(const std::vector<std::string>& all, std::string_view one) {
    return std::find(all.begin(), all.end(), one) != all.end();
}

}  // namespace

TEST_CASE("without flags a scenario is what Megatron-LM runs", "[arguments]") {
    const Scenario imported = import({}).scenario;
    std::size_t with_flag = 0;
    for (const Field& field : field_table()) {
        if (field.flag.empty()) continue;
        ++with_flag;
        CAPTURE(field.flag);
        const Default* megatron = find(kMegatronDefaults, field.flag);
        REQUIRE(megatron != nullptr);
        std::string_view expected = megatron->value;
        if (const Default* none = find(kNoneIs, field.flag)) {
            CHECK(expected == "None");
            expected = none->value;
        } else if (const Default* settled = find(kSettled, field.flag)) {
            expected = settled->value;
        } else if (expected == "None") {
            expected = kUnset;
        }
        CHECK(get_text(imported, field) == expected);
    }
    CHECK(with_flag == kMegatronDefaults.size());
    // Neither --bf16 nor --fp16 is fp32.
    CHECK(imported.precision == Precision::fp32);
}

TEST_CASE("flags set their fields", "[arguments]") {
    const ImportedArguments result = import({{"--num-layers", {"61"}},
                                             {"--hidden-size", {"7168"}},
                                             {"--hidden-dropout", {"0.0"}},
                                             {"--bf16", {}},
                                             {"--swiglu", {}},
                                             {"--use-distributed-optimizer", {}},
                                             {"--normalization", {"RMSNorm"}},
                                             {"--moe-layer-freq", {"([0]*3+[1]*58)"}},
                                             {"--num-experts", {"256"}},
                                             {"--attention-backend", {"AttnBackend.fused"}},
                                             {"--pipeline-model-parallel-layout", {"Et*3|(tt|)*29,m|L"}}});
    const Scenario& s = result.scenario;
    CHECK(s.num_layers == 61);
    CHECK(s.hidden_size == 7168);
    CHECK(s.hidden_dropout == Decimal4{0});
    CHECK(s.precision == Precision::bf16);
    CHECK(s.swiglu);
    CHECK(s.use_distributed_optimizer);
    CHECK(s.normalization == Normalization::rms_norm);
    CHECK(s.moe_layer_freq == "([0]*3+[1]*58)");
    CHECK(s.attention_backend == AttentionBackend::fused);
    CHECK(s.pipeline_model_parallel_layout == "Et*3|(tt|)*29,m|L");
    CHECK(result.problems.empty());
    CHECK(result.ignored.empty());
    CHECK(result.taken.size() == 11);
}

TEST_CASE("negated flags turn their fields off", "[arguments]") {
    const ImportedArguments result = import({{"--disable-bias-linear", {}},
                                             {"--no-gradient-accumulation-fusion", {}},
                                             {"--no-create-attention-mask-in-dataloader", {}},
                                             {"--no-bias-swiglu-fusion", {}}});
    CHECK_FALSE(result.scenario.add_bias_linear);
    CHECK_FALSE(result.scenario.gradient_accumulation_fusion);
    CHECK_FALSE(result.scenario.create_attention_mask_in_dataloader);
    CHECK_FALSE(result.scenario.bias_swiglu_fusion);
    // What a map turns off doesn't happen.
    const ImportedArguments off = import({{"--disable-bias-linear", {"false"}}});
    CHECK(off.scenario.add_bias_linear);
}

TEST_CASE("switches of an argument map have values", "[arguments]") {
    const std::string on = GENERATE("true", "True", "1");
    const std::string off = GENERATE("false", "False", "0");
    CAPTURE(on, off);
    CHECK(import({{"--sequence-parallel", {on}}}).scenario.sequence_parallel);
    CHECK_FALSE(import({{"--sequence-parallel", {off}}}).scenario.sequence_parallel);
    CHECK(import({{"--bf16", {on}}}).scenario.precision == Precision::bf16);
    CHECK(import({{"--bf16", {off}}}).scenario.precision == Precision::fp32);
    CHECK(import({{"--sequence-parallel", {}}, {"--sequence-parallel", {off}}}).scenario.sequence_parallel ==
          false);
}

TEST_CASE("other spellings mean the same field", "[arguments]") {
    const auto with = [](std::string flag) {
        const ImportedArguments result = import({{std::move(flag), {}}});
        CHECK(result.ignored.empty());
        CHECK(result.problems.empty());
        return result.scenario;
    };
    CHECK(with("--fp16").precision == Precision::fp16);
    CHECK(with("--recompute-activations").recompute_granularity == RecomputeGranularity::selective);
    CHECK(with("--recompute-activations").recompute_modules == std::vector<std::string>{"core_attn"});
    CHECK(with("--moe-layer-recompute").recompute_modules == std::vector<std::string>{"moe"});
    CHECK(with("--use-custom-fsdp").use_megatron_fsdp);
    CHECK(with("--no-position-embedding").position_embedding_type == PositionEmbedding::none);
    CHECK(with("--use-rotary-position-embeddings").position_embedding_type == PositionEmbedding::rope);
    CHECK(with("--moe-enable-deepep").moe_flex_dispatcher_backend == FlexBackend::deepep);
    CHECK_FALSE(with("--disable-bias-swiglu-fusion").bias_swiglu_fusion);
    CHECK_FALSE(with("--disable-gradient-accumulation-fusion").gradient_accumulation_fusion);
}

TEST_CASE("lists come as words, in brackets, with commas", "[arguments]") {
    using Words = std::vector<std::string>;
    const Words values =
        GENERATE(Words{"moe_act", "layernorm"}, Words{"[moe_act layernorm]"}, Words{"moe_act,layernorm"},
                 Words{"[moe_act,", "layernorm]"}, Words{"  moe_act   layernorm "});
    CAPTURE(values);
    const ImportedArguments result =
        import({{"--recompute-granularity", {"selective"}}, {"--recompute-modules", values}});
    CHECK(result.problems.empty());
    CHECK(result.scenario.recompute_modules == Words{"layernorm", "moe_act"});  // kept in order
}

TEST_CASE("a layout may come as a shell needs it", "[arguments]") {
    const std::string value = GENERATE("Et*3|(tt|)*6mL", R"(Et*3\|\(tt\|\)*6mL)", R"(Et*3\\|\\(tt\\|\\)*6mL)",
                                       R"("Et*3|(tt|)*6mL")", "'Et*3|(tt|)*6mL'");
    const ImportedArguments result = import({{"--pipeline-model-parallel-layout", {value}}});
    CHECK(result.problems.empty());
    CHECK(result.scenario.pipeline_model_parallel_layout == "Et*3|(tt|)*6mL");
}

TEST_CASE("query groups count with --group-query-attention only", "[arguments]") {
    CHECK_FALSE(import({{"--num-query-groups", {"8"}}}).scenario.num_query_groups.has_value());
    CHECK(
        import({{"--num-query-groups", {"8"}}, {"--group-query-attention", {}}}).scenario.num_query_groups ==
        8);
    CHECK_FALSE(import({{"--group-query-attention", {"false"}}, {"--num-query-groups", {"8"}}})
                    .scenario.num_query_groups.has_value());
}

TEST_CASE("selective recompute without modules is core attention", "[arguments]") {
    const Scenario s = import({{"--recompute-granularity", {"selective"}}}).scenario;
    CHECK(s.recompute_modules == std::vector<std::string>{"core_attn"});
    CHECK(import({{"--recompute-granularity", {"full"}}}).scenario.recompute_modules.empty());
}

TEST_CASE("a bad value is a warning and leaves the field", "[arguments]") {
    const Argument bad = GENERATE(
        Argument{"--num-layers", {"many"}}, Argument{"--num-layers", {"0"}}, Argument{"--num-layers", {"-3"}},
        Argument{"--num-layers", {"99999999999999999999999"}}, Argument{"--hidden-dropout", {"1.5"}},
        Argument{"--normalization", {"BatchNorm"}}, Argument{"--recompute-modules", {"everything"}},
        Argument{"--fp8-format", {"e9m9"}}, Argument{"--moe-layer-freq", {"[0,2]"}});
    const ImportedArguments result = import({{"--num-layers", {"12"}}, bad});
    CAPTURE(bad.flag, bad.values);
    REQUIRE(result.problems.size() == 1);
    CHECK(result.problems[0].severity == Severity::warning);
    CHECK(result.problems[0].message.starts_with(bad.flag));
    CHECK(result.scenario == import({{"--num-layers", {"12"}}}).scenario);
    CHECK(result.taken == std::vector<std::string>{"--num-layers"});
}

TEST_CASE("flags that no field has are listed", "[arguments]") {
    const ImportedArguments result =
        import({{"--lr", {"1e-4"}}, {"--bf16", {}}, {"--log-interval", {"1"}}, {"not-a-flag", {}}, {"", {}}});
    CHECK(result.ignored == std::vector<std::string>{"--lr", "--log-interval", "not-a-flag", ""});
    CHECK(result.problems.empty());
    CHECK(result.scenario == import({{"--bf16", {}}}).scenario);
}

TEST_CASE("a flag that changes memory and isn't modelled is told", "[arguments]") {
    const ImportedArguments result = import({{"--hybrid-layer-pattern", {"M-M*"}}});
    REQUIRE(result.problems.size() == 1);
    CHECK(result.problems[0].code == "not_modelled");
    CHECK(result.problems[0].path == "--hybrid-layer-pattern");
    CHECK(result.problems[0].severity == Severity::warning);
    CHECK(holds(result.ignored, "--hybrid-layer-pattern"));
    CHECK(import({{"--moe-paged-stash", {"false"}}}).problems.empty());
    CHECK(import({{"--moe-paged-stash", {}}}).problems.size() == 1);
}

TEST_CASE("of a flag that stands twice the last one counts", "[arguments]") {
    CHECK(import({{"--num-layers", {"12"}}, {"--num-layers", {"24"}}}).scenario.num_layers == 24);
}

TEST_CASE("a flag without its value is a warning and leaves the field", "[arguments]") {
    // Today it takes the value back without a word.
    const ImportedArguments result = import({{"--num-layers", {"12"}}, {"--num-layers", {}}});
    CHECK(result.problems.size() == 1);
    CHECK(result.scenario.num_layers == 12);
}

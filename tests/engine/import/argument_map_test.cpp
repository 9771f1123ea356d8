// YAML maps of arguments, in the styles of the projects that write them; the texts are our own.
#include "import/argument_map.h"

#include <catch2/catch_test_macros.hpp>

#include "engine/support/imports.h"

namespace megamem {

using test::check_taken;
using test::mentions;
using test::problem_of;
using test::question_about;
using test::scenario_of;
using test::shown;
using test::value_in;

TEST_CASE("model_config.yaml of Megatron-LM's functional tests", "[import][map]") {
    const Import import = import_argument_map(R"(ENV_VARS:
  CUDA_DEVICE_MAX_CONNECTIONS: 1
  NVTE_ALLOW_NONDETERMINISTIC_ALGO: 0
  CUBLAS_WORKSPACE_CONFIG: :4096:8
BEFORE_SCRIPT: |
  echo one
  --num-layers: 99
MODEL_ARGS:
  --num-layers: 6
  --hidden-size: 256
  --num-attention-heads: 8
  --group-query-attention: true
  --num-query-groups: 2
  --seq-length: 2048
  --micro-batch-size: 2
  --global-batch-size: 32
  --bf16: true
  --disable-bias-linear: true
  --no-gradient-accumulation-fusion: true  # CI
  --sequence-parallel: false
  --num-experts: 4
  --moe-layer-freq: ([0]*1+[1]*5)
  --recompute-granularity: selective
  --recompute-modules: "[moe_act layernorm]"
  --pipeline-model-parallel-layout: "Et*2|t*4L"
  --attention-backend: unfused
  --data-path: ${DATA_PATH}/x
  --lr: 1.0e-4
  --our-own: 3
TEST_TYPE: regular
)");
    check_taken(
        import,
        "nvte_allow_nondeterministic_algo=0 cublas_workspace_config=:4096:8 num_layers=6 hidden_size=256 "
        "num_attention_heads=8 num_query_groups=2 seq_length=2048 micro_batch_size=2 "
        "global_batch_size=32 precision=bf16 add_bias_linear=0 gradient_accumulation_fusion=0 "
        "sequence_parallel=0 num_experts=4 moe_layer_freq=([0]*1+[1]*5) "
        "recompute_granularity=selective recompute_modules=layernorm,moe_act "
        "pipeline_model_parallel_layout=Et*2|t*4L attention_backend=unfused");
    INFO(shown(import));
    CHECK(import.format == Format::argument_map);
    CHECK(import.recognised == "Megatron-LM's model_config.yaml");
    CHECK(mentions(import.unknown, "--our-own"));
    CHECK(mentions(import.neutral, "--lr"));
    CHECK(mentions(import.neutral, "TEST_TYPE"));
    CHECK(import.questions.empty());
    CHECK(import.problems.empty());
    // Silence: Megatron-LM's defaults.
    CHECK(value_in(import.defaults, "normalization") == "LayerNorm");
    CHECK(value_in(import.defaults, "use_distributed_optimizer") == "0");
    const Scenario s = scenario_of(import);
    CHECK(s.num_layers == 6);
    CHECK_FALSE(s.nvte_allow_nondeterministic_algo);
    CHECK(s.hidden_dropout == Decimal4{1000});
}

TEST_CASE("Lists in YAML's own styles", "[import][map]") {
    const Import import = import_argument_map(R"(MODEL_ARGS:
  --num-layers: 3
  --num-experts: 8
  --moe-layer-freq: [0, 1, 1]
  --recompute-granularity: selective
  --recompute-modules:
    - moe_act
    - mlp
  --pipeline-model-parallel-layout: [[embedding, decoder], [decoder, decoder, loss]]
)");
    INFO(shown(import));
    CHECK(import.problems.empty());
    CHECK(value_in(import.taken, "moe_layer_freq") == "([0]*1+[1]*2)");
    CHECK(value_in(import.taken, "recompute_modules") == "mlp,moe_act");
    CHECK(value_in(import.taken, "pipeline_model_parallel_layout") ==
          "[[\"embedding\", \"decoder\"], [\"decoder\", \"decoder\", \"loss\"]]");
}

TEST_CASE("AMD Primus: overrides, variables with defaults, the model in another file", "[import][map]") {
    const Import import = import_argument_map(R"(work_group: ${PRIMUS_TEAM:amd}
workspace: ${PRIMUS_WORKSPACE:./output}
modules:
  pre_trainer:
    framework: megatron
    config: pre_trainer.yaml
    model: ${PRIMUS_MODEL:our_model}.yaml
    overrides:
      micro_batch_size: 4
      global_batch_size: ${GBS:512}
      seq_length: ${PRIMUS_SEQ_LENGTH:8192}
      tensor_model_parallel_size: ${PRIMUS_TP:2}
      pipeline_model_parallel_size: ${PRIMUS_PP}
      recompute_granularity: full
      recompute_method: block
      recompute_num_layers: 4
      gradient_accumulation_fusion: false
      overlap_grad_reduce: true
      lr_decay_iters: null
      use_turbo_attention: true
)");
    check_taken(import,
                "micro_batch_size=4 global_batch_size=512 seq_length=8192 tensor_model_parallel_size=2 "
                "recompute_granularity=full recompute_method=block recompute_num_layers=4 "
                "gradient_accumulation_fusion=0");
    INFO(shown(import));
    CHECK(import.recognised == "Primus configuration");
    const Question* pipeline = question_about(import, "pipeline_model_parallel_size");
    REQUIRE(pipeline != nullptr);
    CHECK(pipeline->line == 13);
    CHECK(pipeline->message == "\"PRIMUS_PP\" isn't set in this text");
    REQUIRE(question_about(import, "num_layers") != nullptr);
    CHECK(import.unknown.empty());
    REQUIRE(problem_of(import, "not_modelled") != nullptr);
    CHECK(problem_of(import, "not_modelled")->path.find("use_turbo_attention") != std::string::npos);
    const Problem* defaults = problem_of(import, "default_of_variable");
    REQUIRE(defaults != nullptr);
    CHECK(defaults->severity == Severity::info);
    CHECK(defaults->message.find(": GBS, PRIMUS_SEQ_LENGTH, PRIMUS_TP") != std::string::npos);
    // pre_trainer.yaml: bf16, the distributed optimizer.
    CHECK(value_in(import.defaults, "precision") == "bf16");
    CHECK(value_in(import.defaults, "use_distributed_optimizer") == "1");
}

TEST_CASE("Another framework behind Primus isn't Megatron", "[import][map]") {
    const Import import = import_argument_map(
        "modules:\n  pre_trainer:\n    framework: torchtitan\n    overrides:\n      seq_length: 4096\n");
    INFO(shown(import));
    REQUIRE(problem_of(import, "not_modelled") != nullptr);
    CHECK(problem_of(import, "not_modelled")->message.find("torchtitan") != std::string::npos);
}

TEST_CASE("A model file of Primus or MindSpeed: names at the root or one level down", "[import][map]") {
    const Import flat = import_argument_map(R"(extends:
  - llama_base.yaml
num_layers: 40
hidden_size: 5120
ffn_hidden_size: 13824
num_attention_heads: 40
group_query_attention: true
num_query_groups: 8
add_bias_linear: false
swiglu: true
normalization: RMSNorm
norm_epsilon: 1.0e-06
bias_dropout_fusion: false
tokenizer_type: Llama2Tokenizer
)");
    check_taken(
        flat,
        "num_layers=40 hidden_size=5120 ffn_hidden_size=13824 num_attention_heads=40 num_query_groups=8 "
        "add_bias_linear=0 swiglu=1 normalization=RMSNorm");
    INFO(shown(flat));
    CHECK(flat.unknown.empty());
    CHECK(mentions(flat.neutral, "bias_dropout_fusion"));
    CHECK(question_about(flat, "vocab_size") != nullptr);

    const Import nested = import_argument_map(R"(our_30b:
  use_mcore_models: true
  num_layers: 48
  hidden_size: 2048
  disable_bias_linear: true
  padded_vocab_size: 151936
  make_vocab_size_divisible_by: 1
  no_gradient_accumulation_fusion: true
  num_experts: 128
  moe_ffn_hidden_size: 768
  moe_token_dispatcher_type: alltoall_seq
)");
    INFO(shown(nested));
    CHECK(value_in(nested.taken, "num_layers") == "48");
    CHECK(value_in(nested.taken, "add_bias_linear") == "0");
    CHECK(value_in(nested.taken, "gradient_accumulation_fusion") == "0");
    CHECK(value_in(nested.taken, "vocab_size") == "151936");
    CHECK(value_in(nested.taken, "moe_token_dispatcher_type") == "-");
    REQUIRE(problem_of(nested, "unknown_choice") != nullptr);
    CHECK(problem_of(nested, "unknown_choice")->message.find("line 11") != std::string::npos);
}

TEST_CASE("MindSpeed-RL: the actor's training, and the phases that aren't it", "[import][map]") {
    const Import import = import_argument_map(R"(defaults:
  - model:
      - our_30b
megatron_training:
  model: our_30b
  global_batch_size: 64
  seq_length: 4096
  bf16: true
  min-lr: 0
  use_distributed_optimizer: true
  no_masked_softmax_fusion: true
actor_config:
  model: our_30b
  micro_batch_size: 1
  tensor_model_parallel_size: 2
  pipeline_model_parallel_size: 8
generate_config:
  infer_tensor_parallel_size: 4
  tensor_model_parallel_size: 16
ref_config:
  tensor_model_parallel_size: 4
)");
    check_taken(import,
                "global_batch_size=64 seq_length=4096 precision=bf16 use_distributed_optimizer=1 "
                "masked_softmax_fusion=0 micro_batch_size=1 tensor_model_parallel_size=2 "
                "pipeline_model_parallel_size=8");
    INFO(shown(import));
    CHECK(import.recognised == "MindSpeed configuration");
    CHECK(import.unknown.empty());
    CHECK(question_about(import, "num_layers") != nullptr);
}

TEST_CASE("Megatron-LM's --yaml-cfg: configuration classes and arguments beside them", "[import][map]") {
    const Import import = import_argument_map(R"(language_model:
  num_layers: 24
  hidden_size: 1024
  num_attention_heads: 16
  num_query_groups: 4
  add_bias_linear: False
  activation_func: swiglu
  num_moe_experts: null
  fp8: null
  bias_swiglu_fusion: True
  layernorm_epsilon: 1.e-5
model_parallel:
  tensor_model_parallel_size: 2
  virtual_pipeline_model_parallel_size: null
  sequence_parallel: True
  bf16: True
  params_dtype: null
  gradient_accumulation_fusion: True
  batch_p2p_comm: True
micro_batch_size: 2
global_batch_size: 128
untie_embeddings_and_output_weights: True
group_query_attention: False
seq_length: 4096
rampup_batch_size: [32, 32, 65324160]
)");
    INFO(shown(import));
    CHECK(import.recognised == "Megatron-LM's --yaml-cfg");
    CHECK(import.unknown.empty());
    CHECK(value_in(import.taken, "num_query_groups") == "4");
    CHECK(value_in(import.taken, "add_bias_linear") == "0");
    CHECK(value_in(import.taken, "swiglu") == "1");
    CHECK(value_in(import.taken, "num_experts") == "0");
    CHECK(value_in(import.taken, "fp8_format") == "none");
    CHECK(value_in(import.taken, "tensor_model_parallel_size") == "2");
    CHECK(value_in(import.taken, "precision") == "bf16");
    CHECK(value_in(import.taken, "gradient_accumulation_fusion") == "1");
    CHECK(value_in(import.taken, "untie_embeddings_and_output_weights") == "1");
    CHECK(value_in(import.taken, "seq_length") == "4096");
}

TEST_CASE("Megatron-Bridge: the sections of its ConfigContainer", "[import][map]") {
    const Import import = import_argument_map(R"(model:
  seq_length: 4096
  num_layers: 16
  num_moe_experts: 64
  num_query_groups: 4
  share_embeddings_and_output_weights: false
  tensor_model_parallel_size: 2
  virtual_pipeline_model_parallel_size: null
  num_layers_in_last_pipeline_stage: 3
  recompute_granularity: full
  recompute_method: uniform
  recompute_num_layers: 1
  moe_token_dispatcher_type: flex
  bias_activation_fusion: true
  vision_config:
    num_layers: 27
train:
  train_iters: 1000
  global_batch_size: 8
  micro_batch_size: 4
mixed_precision: bf16_with_fp8_current_scaling_mixed
optimizer:
  optimizer: adam
  lr: 0.0005
  use_precision_aware_optimizer: true
  exp_avg_dtype: bf16
ddp:
  use_distributed_optimizer: true
  grad_reduce_in_fp32: false
dataset:
  sequence_length: 4096
comm_overlap:
  tp_comm_overlap: true
checkpoint:
  save: /x
scheduler:
  lr_decay_style: constant
)");
    check_taken(
        import,
        "num_layers=16 num_experts=64 num_query_groups=4 untie_embeddings_and_output_weights=1 "
        "tensor_model_parallel_size=2 num_virtual_stages_per_pipeline_rank=none "
        "decoder_last_pipeline_num_layers=3 recompute_granularity=full recompute_method=uniform "
        "recompute_num_layers=1 moe_token_dispatcher_type=flex bias_swiglu_fusion=1 "
        "global_batch_size=8 micro_batch_size=4 precision=bf16 fp8_format=hybrid fp8_recipe=tensorwise "
        "fp8_param_gather=1 optimizer=adam use_precision_aware_optimizer=1 exp_avg_dtype=bf16 "
        "use_distributed_optimizer=1 accumulate_allreduce_grads_in_fp32=0 grad_reduce_in_bf16=1 "
        "seq_length=4096 tp_comm_overlap=1");
    INFO(shown(import));
    CHECK(import.recognised == "Megatron-Bridge configuration");
    CHECK(mentions(import.unknown, "num_layers: 27"));  // a vision tower's, not the model's
    CHECK(import.unknown.size() == 1);
    CHECK(value_in(import.defaults, "gradient_accumulation_fusion") == "1");
}

TEST_CASE("Precision recipes of Megatron-Bridge", "[import][map]") {
    struct Recipe {
        std::string_view name;
        std::string_view precision;
        std::string_view format;
        std::string_view recipe;
    };
    // mixed_precision.py@067f987d
    for (const Recipe& r :
         {Recipe{"bf16_mixed", "bf16", "-", "-"}, Recipe{"fp16-mixed", "fp16", "-", "-"},
          Recipe{"bf16_with_fp8_delayed_scaling_mixed", "bf16", "hybrid", "delayed"},
          Recipe{"bf16_with_mxfp8_mixed", "bf16", "e4m3", "mxfp8"},
          Recipe{"fp16-with-fp8-subchannel-scaling-mixed", "fp16", "hybrid", "blockwise"},
          Recipe{"nanov2_bf16_with_fp8_current_scaling_mixed", "bf16", "hybrid", "blockwise"}}) {
        const Import import = import_argument_map(fmt::format(
            "model:\n  num_layers: 2\ntrain:\n  micro_batch_size: 1\nmixed_precision: {}\n", r.name));
        INFO(r.name << '\n' << shown(import));
        CHECK(value_in(import.taken, "precision") == r.precision);
        CHECK(value_in(import.taken, "fp8_format") == r.format);
        CHECK(value_in(import.taken, "fp8_recipe") == r.recipe);
    }
    const Import fp4 =
        import_argument_map("model:\n  num_layers: 2\nmixed_precision: bf16_with_nvfp4_mixed\n");
    CHECK(value_in(fp4.taken, "fp4_format") == "e2m1");
    const Import odd = import_argument_map("model:\n  num_layers: 2\nmixed_precision: our_recipe\n");
    CHECK(problem_of(odd, "unknown_choice") != nullptr);
    const Import parts = import_argument_map(
        "model:\n  num_layers: 2\nmixed_precision:\n  bf16: true\n  fp8: e4m3\n  params_dtype: "
        "torch.bfloat16\n");
    CHECK(value_in(parts.taken, "precision") == "bf16");
    CHECK(value_in(parts.taken, "fp8_format") == "e4m3");
}

TEST_CASE("Adapters aren't modelled, and it is said", "[import][map]") {
    const Import import = import_argument_map("model:\n  num_layers: 2\npeft:\n  dim: 16\n");
    REQUIRE(problem_of(import, "not_modelled") != nullptr);
    CHECK(problem_of(import, "not_modelled")->path == "peft");
    const Import none = import_argument_map("model:\n  num_layers: 2\npeft: null\n");
    CHECK(problem_of(none, "not_modelled") == nullptr);
}

TEST_CASE("NeMo 1: trainer and model, values that refer to each other", "[import][map]") {
    const Import import = import_argument_map(R"(name: megatron_gpt
trainer:
  devices: 8
  num_nodes: 4
  precision: bf16-mixed
  max_steps: 100
exp_manager:
  exp_dir: null
model:
  mcore_gpt: True
  micro_batch_size: 4
  global_batch_size: 256
  tensor_model_parallel_size: 2
  encoder_seq_length: 4096
  max_position_embeddings: ${.encoder_seq_length}
  num_layers: 12
  hidden_size: 768
  ffn_hidden_size: 3072
  num_attention_heads: 12
  kv_channels: null
  bias: false
  normalization: rmsnorm
  activation: fast-swiglu
  share_embeddings_and_output_weights: False
  activations_checkpoint_granularity: full
  activations_checkpoint_method: block
  activations_checkpoint_num_layers: 2
  megatron_amp_O2: True
  transformer_engine: True
  tokenizer:
    library: sentencepiece
  data:
    data_prefix: ???
    seq_length: ${model.encoder_seq_length}
  optim:
    name: distributed_fused_adam
    betas:
    - 0.9
    - 0.98
)");
    check_taken(import,
                "gpus_per_node=8 nodes=4 precision=bf16 micro_batch_size=4 global_batch_size=256 "
                "tensor_model_parallel_size=2 max_position_embeddings=4096 num_layers=12 hidden_size=768 "
                "ffn_hidden_size=3072 num_attention_heads=12 kv_channels=none add_bias_linear=0 "
                "normalization=RMSNorm swiglu=1 untie_embeddings_and_output_weights=1 "
                "recompute_granularity=full recompute_method=block recompute_num_layers=2 "
                "transformer_impl=transformer_engine seq_length=4096 use_distributed_optimizer=1");
    INFO(shown(import));
    CHECK(import.unknown.empty());
    CHECK(import.recognised == "NeMo 1 configuration");
    CHECK(problem_of(import, "not_modelled") == nullptr);
}

TEST_CASE("NeMo 2: strategy, data and model.config", "[import][map]") {
    const Import import = import_argument_map(R"(trainer:
  num_nodes: 2
  devices: 8
  strategy:
    tensor_model_parallel_size: 4
    pipeline_model_parallel_size: 2
    virtual_pipeline_model_parallel_size: 5
    sequence_parallel: true
    ddp:
      grad_reduce_in_fp32: true
data:
  seq_length: 8192
  micro_batch_size: 1
  global_batch_size: 512
model:
  config:
    num_layers: 80
    hidden_size: 8192
optim:
  config:
    optimizer: adam
    use_distributed_optimizer: true
log:
  name: x
)");
    check_taken(
        import,
        "nodes=2 gpus_per_node=8 tensor_model_parallel_size=4 pipeline_model_parallel_size=2 "
        "num_virtual_stages_per_pipeline_rank=5 sequence_parallel=1 "
        "accumulate_allreduce_grads_in_fp32=1 grad_reduce_in_bf16=0 seq_length=8192 micro_batch_size=1 "
        "global_batch_size=512 num_layers=80 hidden_size=8192 optimizer=adam "
        "use_distributed_optimizer=1");
    CHECK(import.recognised == "NeMo 2 configuration");
    CHECK(value_in(import.defaults, "precision") == "bf16");
}

TEST_CASE("verl's YAML: the actor trains, the rest doesn't", "[import][map]") {
    const Import import = import_argument_map(R"(actor_rollout_ref:
  model:
    path: ~/models/our-model
  actor:
    strategy: megatron
    ppo_mini_batch_size: 64
    ppo_micro_batch_size_per_gpu: 2
    megatron:
      param_offload: True
      tensor_model_parallel_size: 4
      pipeline_model_parallel_size: 2
      override_transformer_config:
        recompute_granularity: full
        recompute_method: uniform
        recompute_num_layers: 1
  rollout:
    n: 8
    tensor_model_parallel_size: 8
  ref:
    megatron:
      tensor_model_parallel_size: 16
data:
  max_prompt_length: 1024
  max_response_length: 3072
trainer:
  nnodes: 2
  n_gpus_per_node: 8
)");
    check_taken(import,
                "global_batch_size=512 micro_batch_size=2 tensor_model_parallel_size=4 "
                "pipeline_model_parallel_size=2 recompute_granularity=full recompute_method=uniform "
                "recompute_num_layers=1 seq_length=4096 nodes=2 gpus_per_node=8");
    INFO(shown(import));
    CHECK(import.unknown.empty());
    CHECK(value_in(import.defaults, "sequence_parallel") == "1");
    CHECK(value_in(import.defaults, "attention_backend") == "flash");
    CHECK(question_about(import, "num_layers") != nullptr);
}

TEST_CASE("What no field has, bad values, repeated keys", "[import][map]") {
    const Import import =
        import_argument_map("num_layers: many\nhidden_size: 64\nhidden_size: 128\nour_thing: 1\n");
    check_taken(import, "hidden_size=128");
    INFO(shown(import));
    REQUIRE(problem_of(import, "not_an_integer") != nullptr);
    CHECK(problem_of(import, "not_an_integer")->message.find("line 1") != std::string::npos);
    REQUIRE(problem_of(import, "repeated_key") != nullptr);
    CHECK(mentions(import.unknown, "our_thing"));
}

TEST_CASE("YAML without any argument is refused, and unreadable YAML too", "[import][map]") {
    for (const char* text :
         {"", "a: 1\nb: 2\n", "just words", "- 1\n- 2\n", "model: [1, 2", "num_layers: \"4"}) {
        const Import import = import_argument_map(text);
        INFO(text << '\n' << shown(import));
        CHECK(has_error(import.problems));
        CHECK(import.taken.empty());
        CHECK(import.defaults.empty());
    }
}

TEST_CASE("Of very many settings the first are read, and that is said", "[import][map]") {
    std::string text = "num_layers: 4\n";
    for (int i = 0; i < 30'000; ++i)
        text += "thing_" + std::to_string(i) + ": 1\n";
    const Import import = import_argument_map(text + "hidden_size: 64\n");
    check_taken(import, "num_layers=4");
    REQUIRE(problem_of(import, "too_long") != nullptr);
    CHECK(problem_of(import, "too_long")->message.find("line 20000") != std::string::npos);
}

TEST_CASE("What looks like an argument map", "[import][map]") {
    CHECK(looks_like_argument_map("MODEL_ARGS:\n  --num-layers: 4\n"));
    CHECK(looks_like_argument_map("# c\r\nnum_layers: 4\r\nhidden_size: 8\r\n"));
    CHECK_FALSE(looks_like_argument_map("{\n \"num_layers\": 4,\n \"x\": 5}"));
    CHECK_FALSE(looks_like_argument_map("torchrun --nproc_per_node 8 pretrain_gpt.py \\\n --num-layers 4"));
    CHECK_FALSE(looks_like_argument_map("model.num_layers=4 train.micro_batch_size=1"));
    CHECK_FALSE(looks_like_argument_map("  num_layers ......... 4\n  hidden_size ......... 4\n"));
    CHECK_FALSE(looks_like_argument_map("hidden_size: 5120\nnum_hidden_layers: 64\nvocab_size: 151936\n"));
    CHECK_FALSE(looks_like_argument_map(""));
}

TEST_CASE("TransformerEngine's variables choose the attention", "[import][argument_map]") {
    const auto backend = [](const char* variables, const char* argument) {
        const std::string text =
            std::string("ENV_VARS:\n") + variables + "MODEL_ARGS:\n  --num-layers: 4\n" + argument;
        return value_in(import_argument_map(text).taken, "attention_backend");
    };
    CHECK(backend("  NVTE_FLASH_ATTN: 0\n  NVTE_FUSED_ATTN: 0\n", "") == "unfused");
    CHECK(backend("  NVTE_FLASH_ATTN: 0\n", "") == "fused");
    CHECK(backend("  NVTE_FUSED_ATTN: 0\n", "") == "flash");
    CHECK(backend("  NVTE_FLASH_ATTN: 1\n", "") == "-");
    CHECK(backend("  NVTE_FLASH_ATTN: 0\n", "  --attention-backend: flash\n") == "flash");
}

TEST_CASE("None for a choice leaves the default", "[import][argument_map]") {
    const Import import = import_argument_map(
        "num_layers: 4\nhidden_size: 64\nattention_backend: None\nmoe_flex_dispatcher_backend: null\n");
    INFO(shown(import));
    check_taken(import, "num_layers=4 hidden_size=64");
    CHECK(import.problems.empty());
}

}  // namespace megamem

// Overrides on command lines and in Python, in the styles of the projects that take them; our own texts.
#include "import/overrides.h"

#include <catch2/catch_test_macros.hpp>

#include "engine/support/imports.h"

namespace megamem {

using test::check_taken;
using test::mentions;
using test::problem_of;
using test::question_about;
using test::shown;
using test::value_in;

TEST_CASE("Megatron-Bridge's overrides on a command line", "[import][overrides]") {
    const std::string text = R"(torchrun --nnodes=2 --nproc_per_node 8 run_recipe.py \
    --recipe our_8b_pretrain_config \
    model.tensor_model_parallel_size=4 model.sequence_parallel=True \
    train.global_batch_size=512 \
    train.micro_batch_size=1 \
    dataset.sequence_length=8192 \
    mixed_precision=bf16_with_mxfp8_mixed \
    "model.recompute_modules=[core_attn,mlp]" \
    model.recompute_granularity=selective \
    model.num_layers_in_first_pipeline_stage=null \
    'optimizer.lr=1e-4' checkpoint.save=$SAVE_DIR # the end
)";
    CHECK(looks_like_overrides(text));
    const Import import = import_overrides(text);
    check_taken(
        import,
        "nodes=2 gpus_per_node=8 tensor_model_parallel_size=4 sequence_parallel=1 global_batch_size=512 "
        "micro_batch_size=1 seq_length=8192 precision=bf16 fp8_format=e4m3 fp8_recipe=mxfp8 "
        "fp8_param_gather=1 recompute_modules=core_attn,mlp recompute_granularity=selective "
        "decoder_first_pipeline_num_layers=none");
    INFO(shown(import));
    CHECK(import.format == Format::overrides);
    CHECK(import.recognised == "Megatron-Bridge overrides");
    CHECK(value_in(import.defaults, "use_distributed_optimizer") == "1");
    CHECK(value_in(import.defaults, "num_layers") == "-");
    CHECK(mentions(import.neutral, "optimizer.lr"));
    CHECK(mentions(import.unknown, "--recipe"));
}

TEST_CASE("Lines of Python", "[import][overrides]") {
    const std::string text = R"(from megatron.bridge.recipes import our_config
cfg = our_config()
tp = 4
cfg.model.tensor_model_parallel_size = tp  # of one node
cfg.model.num_moe_experts = 64
cfg.model.pipeline_dtype = torch.bfloat16
cfg.model.cross_entropy_fusion_impl = "te"
cfg.model.recompute_modules = ["moe_act", "layernorm"]
cfg.model.context_parallel_size = args.cp
cfg.train.global_batch_size = 8 * 16
cfg.model.params_dtype = torch.bfloat16
cfg.mixed_precision = bf16_mixed()
cfg.ddp.use_megatron_fsdp = False
)";
    CHECK(looks_like_overrides(text));
    const Import import = import_overrides(text);
    check_taken(import,
                "tensor_model_parallel_size=4 num_experts=64 cross_entropy_fusion_impl=te "
                "recompute_modules=layernorm,moe_act precision=bf16 use_megatron_fsdp=0");
    INFO(shown(import));
    const Question* context = question_about(import, "context_parallel_size");
    REQUIRE(context != nullptr);
    CHECK(context->line == 9);
    CHECK(context->message == "\"args.cp\" is computed by the script");
    CHECK(question_about(import, "global_batch_size") != nullptr);
}

TEST_CASE("NeMo 2's recipes: paths and keyword arguments", "[import][overrides]") {
    const Import import =
        import_overrides(R"(recipe = llm.our_70b.pretrain_recipe(num_nodes=4, num_gpus_per_node=8)
recipe.trainer.strategy.tensor_model_parallel_size = 4
recipe.trainer.strategy.virtual_pipeline_model_parallel_size = 5
recipe.trainer.strategy.ddp.grad_reduce_in_fp32 = True
recipe.trainer.max_steps = 100
recipe.data = run.Config(
    PreTrainingDataModule,
    seq_length=8192,
    micro_batch_size=2,
    global_batch_size=64,
)
recipe.model.config.num_layers = 16
recipe.optim.config.lr = 1e-5
)");
    check_taken(
        import,
        "nodes=4 gpus_per_node=8 tensor_model_parallel_size=4 num_virtual_stages_per_pipeline_rank=5 "
        "accumulate_allreduce_grads_in_fp32=1 grad_reduce_in_bf16=0 seq_length=8192 micro_batch_size=2 "
        "global_batch_size=64 num_layers=16");
    CHECK(import.recognised == "NeMo 2 overrides");
}

TEST_CASE("NeMo 2 on a command line", "[import][overrides]") {
    const Import import = import_overrides(
        "nemo llm pretrain --factory llama3_8b trainer.num_nodes=2 "
        "trainer.strategy.tensor_model_parallel_size=2 "
        "data.global_batch_size=128 model.config.num_layers=8");
    check_taken(import, "nodes=2 tensor_model_parallel_size=2 global_batch_size=128 num_layers=8");
}

TEST_CASE("verl: Hydra's marks, the actor's arguments only", "[import][overrides]") {
    const std::string text = R"(train_tp=${TP:-4}
offload=True
python3 -m verl.trainer.main_ppo --config-path=config \
    data.max_prompt_length=1024 \
    data.max_response_length=7168 \
    actor_rollout_ref.model.path=$MODEL \
    actor_rollout_ref.actor.ppo_mini_batch_size=32 \
    actor_rollout_ref.actor.use_dynamic_bsz=True \
    actor_rollout_ref.actor.ppo_max_token_len_per_gpu=16384 \
    actor_rollout_ref.actor.megatron.tensor_model_parallel_size=${train_tp} \
    actor_rollout_ref.actor.megatron.pipeline_model_parallel_size=2 \
    actor_rollout_ref.actor.megatron.virtual_pipeline_model_parallel_size=null \
    actor_rollout_ref.actor.megatron.param_offload=${offload} \
    +actor_rollout_ref.actor.megatron.override_transformer_config.recompute_granularity=full \
    ++actor_rollout_ref.actor.megatron.override_transformer_config.apply_rope_fusion=True \
    +actor_rollout_ref.actor.megatron.override_transformer_config.num_layers_in_first_pipeline_stage=11 \
    +actor_rollout_ref.actor.optim.override_optimizer_config.optimizer_cpu_offload=True \
    ~actor_rollout_ref.actor.megatron.override_transformer_config.recompute_num_layers \
    actor_rollout_ref.rollout.tensor_model_parallel_size=8 \
    actor_rollout_ref.rollout.n=16 \
    actor_rollout_ref.ref.megatron.tensor_model_parallel_size=2 \
    trainer.logger=['console','wandb'] \
    trainer.nnodes=4 trainer.n_gpus_per_node=8 $@
)";
    CHECK(looks_like_overrides(text));
    const Import import = import_overrides(text);
    check_taken(import,
                "seq_length=8192 global_batch_size=512 tensor_model_parallel_size=4 "
                "pipeline_model_parallel_size=2 num_virtual_stages_per_pipeline_rank=none "
                "recompute_granularity=full apply_rope_fusion=1 decoder_first_pipeline_num_layers=11 "
                "optimizer_cpu_offload=1 nodes=4 gpus_per_node=8");
    INFO(shown(import));
    CHECK(import.recognised == "verl overrides");
    const Question* batch = question_about(import, "micro_batch_size");
    REQUIRE(batch != nullptr);
    CHECK(batch->message.find("16384") != std::string::npos);
    CHECK(question_about(import, "recompute_num_layers") != nullptr);
    CHECK(question_about(import, "num_layers") != nullptr);
    CHECK(value_in(import.defaults, "sequence_parallel") == "1");
}

TEST_CASE("Half of a pair is asked for", "[import][overrides]") {
    const Import import = import_overrides(
        "data.max_prompt_length=1024\nactor_rollout_ref.actor.megatron.tensor_model_parallel_size=2\n"
        "actor_rollout_ref.actor.ppo_mini_batch_size=32\n");
    INFO(shown(import));
    CHECK(question_about(import, "seq_length") != nullptr);
    CHECK(value_in(import.taken, "global_batch_size") == "32");
}

TEST_CASE("Words that another reader has taken apart", "[import][overrides]") {
    CHECK(is_override("model.num_layers=4"));
    CHECK(is_override("+actor_rollout_ref.actor.x=1"));
    CHECK_FALSE(is_override("a.b=1"));
    CHECK_FALSE(is_override("model=4"));
    CHECK_FALSE(is_override("--model.x"));
    const Import import = import_override_words({{"model.num_layers=4", 3},
                                                 {"train.micro_batch_size=", 4, "N isn't set"},
                                                 {"model.hidden_size=64", 5}});
    check_taken(import, "num_layers=4 hidden_size=64");
    const Question* batch = question_about(import, "micro_batch_size");
    REQUIRE(batch != nullptr);
    CHECK(batch->line == 4);
    CHECK(batch->message == "N isn't set");
}

TEST_CASE("Bad values, repeated overrides and unknown names are told", "[import][overrides]") {
    const Import import = import_overrides(
        "model.num_layers=many\nmodel.hidden_size=64\nmodel.hidden_size=128\nmodel.our_thing=1\n"
        "ours.num_layers=3\ntrain.train_iters=5\n");
    check_taken(import, "hidden_size=128");
    INFO(shown(import));
    REQUIRE(problem_of(import, "not_an_integer") != nullptr);
    CHECK(problem_of(import, "not_an_integer")->message.find("line 1") != std::string::npos);
    REQUIRE(problem_of(import, "repeated_flag") != nullptr);
    CHECK(mentions(import.unknown, "model.our_thing"));
    CHECK(mentions(import.unknown, "ours.num_layers"));
    CHECK(mentions(import.neutral, "train.train_iters"));
}

TEST_CASE("Variables of the script around: the last one set before", "[import][overrides]") {
    const Import import = import_overrides(
        "SEQ=${SEQ:-2048}\nTP=2\nMODEL_NAME=x\nmicro_batch_size=7\nrun model.seq_length=$SEQ "
        "model.tensor_model_parallel_size=${TP}\n"
        "TP=8\nPP=${TP}\nrun model.pipeline_model_parallel_size=$PP model.context_parallel_size=$CP\n");
    check_taken(import, "seq_length=2048 tensor_model_parallel_size=2 pipeline_model_parallel_size=8");
    INFO(shown(import));
    CHECK(import.unknown.empty());  // variables are nobody's arguments
    CHECK(question_about(import, "context_parallel_size") != nullptr);
}

TEST_CASE("Text without overrides is refused", "[import][overrides]") {
    for (const char* text :
         {"", "hello", "a=1", "x.y=1\nz.w=2", "model.=1", "=", "train the model", "{\"a\": 1}"}) {
        const Import import = import_overrides(text);
        INFO(text << '\n' << shown(import));
        CHECK(has_error(import.problems));
        CHECK(import.taken.empty());
    }
    CHECK_FALSE(looks_like_overrides("torchrun pretrain_gpt.py --num-layers 4"));
    CHECK_FALSE(looks_like_overrides("num_layers: 4\n"));
    CHECK_FALSE(looks_like_overrides(""));
}

TEST_CASE("Python: parts in variables, values on other lines, several functions", "[import][overrides]") {
    const Import import = import_overrides(R"(def our_recipe():
    model_cfg.tensor_model_parallel_size = 2
    opt_cfg.use_precision_aware_optimizer = True
    cfg.model.moe_flex_dispatcher_backend = (
        "deepep" if wide else "hybridep"
    )
    cfg.model.attention_backend = None
def other_recipe():
    cfg.model.tensor_model_parallel_size = 4
)");
    INFO(shown(import));
    check_taken(import, "tensor_model_parallel_size=4 use_precision_aware_optimizer=1");
    CHECK(question_about(import, "moe_flex_dispatcher_backend") != nullptr);
    CHECK(problem_of(import, "several_functions") != nullptr);
    CHECK(problem_of(import_overrides("def f():\n  cfg.model.num_layers = 4\n  cfg.model.hidden_size = 64\n"),
                     "several_functions") == nullptr);
}

}  // namespace megamem

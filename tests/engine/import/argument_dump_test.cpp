#include "import/argument_dump.h"

#include <catch2/catch_test_macros.hpp>

#include "engine/support/imports.h"

namespace megamem {

using test::check_taken;
using test::mentions;
using test::problem_of;
using test::shown;
using test::value_in;

namespace {

// As _print_args() prints it (arguments.py:1990@d98e8a64).
std::string line_of(std::string_view name, std::string_view value, std::string_view prefix = "") {
    return fmt::format("{}  {} {} {}\n", prefix, name, std::string(48 - name.size(), '.'), value);
}

}  // namespace

TEST_CASE("The argument lines of a log", "[import][dump]") {
    std::string log =
        "using world size: 16, data-parallel size: 2 ...\n"
        "------------------------ arguments ------------------------\n";
    for (const auto& [name, value] : std::initializer_list<std::pair<const char*, const char*>>{
             {"accumulate_allreduce_grads_in_fp32", "True"},
             {"add_bias_linear", "False"},
             {"attention_backend", "AttnBackend.flash"},
             {"bf16", "True"},
             {"bias_dropout_fusion", "True"},
             {"context_parallel_size", "1"},
             {"data_parallel_size", "2"},
             {"encoder_num_layers", "32"},
             {"encoder_seq_length", "4096"},
             {"fp16", "False"},
             {"fp8", "None"},
             {"global_batch_size", "64"},
             {"group_query_attention", "True"},
             {"hidden_size", "4096"},
             {"lr", "0.0001"},
             {"make_vocab_size_divisible_by", "128"},
             {"micro_batch_size", "1"},
             {"moe_layer_freq", "[0, 1, 1]"},
             {"num_experts", "None"},
             {"num_layers", "32"},
             {"num_layers_per_virtual_pipeline_stage", "2"},
             {"num_query_groups", "8"},
             {"num_virtual_stages_per_pipeline_rank", "None"},
             {"padded_vocab_size", "32256"},
             {"params_dtype", "torch.bfloat16"},
             {"pipeline_model_parallel_size", "4"},
             {"recompute_granularity", "selective"},
             {"recompute_modules", "['core_attn', 'mlp']"},
             {"seq_length", "4096"},
             {"swiglu", "True"},
             {"tensor_model_parallel_size", "2"},
             {"use_distributed_optimizer", "True"},
             {"virtual_pipeline_model_parallel_size", "4"},
             {"vocab_size", "None"},
             {"world_size", "16"},
         })
        log += line_of(name, value, "[default0]:");
    log += "-------------------- end of arguments ---------------------\n";
    CHECK(looks_like_argument_dump(log));
    const Import import = import_argument_dump(log);
    check_taken(
        import,
        "accumulate_allreduce_grads_in_fp32=1 add_bias_linear=0 attention_backend=flash precision=bf16 "
        "context_parallel_size=1 fp8_format=none global_batch_size=64 hidden_size=4096 "
        "make_vocab_size_divisible_by=128 micro_batch_size=1 num_experts=0 num_layers=32 "
        "num_layers_per_virtual_pipeline_stage=2 num_query_groups=8 "
        "num_virtual_stages_per_pipeline_rank=none vocab_size=32256 "
        "pipeline_model_parallel_size=4 recompute_granularity=selective recompute_modules=core_attn,mlp "
        "seq_length=4096 swiglu=1 tensor_model_parallel_size=2 use_distributed_optimizer=1 nodes=2 "
        "gpus_per_node=8");
    INFO(shown(import));
    CHECK(import.format == Format::argument_dump);
    CHECK(import.unknown.empty());
    CHECK(import.problems.empty());
    CHECK(mentions(import.neutral, "lr"));
    CHECK(mentions(import.neutral, "bias_dropout_fusion"));
}

TEST_CASE("Whatever stands before the name", "[import][dump]") {
    for (const char* prefix : {"", "0: ", "[default0]:", "[rank12]:", "2026-01-01 10:00:00.123 | INFO | ",
                               "\t", "(worker pid=12, ip=1.2.3.4) ", "\x1b[36mnode0|\x1b[0m "}) {
        std::string log;
        for (const char* name : {"num_layers", "hidden_size", "num_attention_heads"})
            log += line_of(name, "16", prefix);
        INFO(log);
        CHECK(looks_like_argument_dump(log));
        check_taken(import_argument_dump(log), "num_layers=16 hidden_size=16 num_attention_heads=16");
    }
    CHECK(import_argument_dump("  num_layers ... 4\r\n  hidden_size ... 8\r\n").taken.size() == 2);
}

TEST_CASE("Of several dumps in a log the last counts", "[import][dump]") {
    const std::string first = line_of("num_layers", "4") + line_of("hidden_size", "64");
    const std::string second = line_of("num_layers", "8") + line_of("hidden_size", "64");
    const Import changed = import_argument_dump(first + "crash\n" + second);
    check_taken(changed, "num_layers=8 hidden_size=64");
    REQUIRE(problem_of(changed, "several_dumps") != nullptr);
    CHECK(import_argument_dump(first + first).problems.empty());
}

TEST_CASE("What the log derives is checked", "[import][dump]") {
    const std::string world = line_of("data_parallel_size", "4") +
                              line_of("pipeline_model_parallel_size", "1") +
                              line_of("tensor_model_parallel_size", "2");
    CHECK(problem_of(import_argument_dump(world + line_of("world_size", "8")), "world_size") == nullptr);
    CHECK(problem_of(import_argument_dump(world + line_of("world_size", "16")), "world_size") != nullptr);

    const std::string vocabulary = line_of("make_vocab_size_divisible_by", "128") +
                                   line_of("tensor_model_parallel_size", "2") +
                                   line_of("vocab_size", "50257");
    // 50257 up to a multiple of 256 is 50432.
    const Import padded = import_argument_dump(vocabulary + line_of("padded_vocab_size", "50432"));
    CHECK(value_in(padded.taken, "vocab_size") == "50257");
    CHECK(padded.problems.empty());
    const Import other = import_argument_dump(vocabulary + line_of("padded_vocab_size", "50688"));
    INFO(shown(other));
    CHECK(value_in(other.taken, "vocab_size") == "50688");
    CHECK(problem_of(other, "padded_vocabulary") != nullptr);

    // A layout decides the virtual stages.
    const Import layout = import_argument_dump(line_of("pipeline_model_parallel_layout", "Et*2|t*2L") +
                                               line_of("virtual_pipeline_model_parallel_size", "2") +
                                               line_of("num_layers", "4"));
    CHECK(value_in(layout.taken, "num_virtual_stages_per_pipeline_rank") == "-");
    const Import old = import_argument_dump(line_of("num_layers", "4") +
                                            line_of("virtual_pipeline_model_parallel_size", "2"));
    CHECK(value_in(old.taken, "num_virtual_stages_per_pipeline_rank") == "2");
}

TEST_CASE("A Namespace as Python shows it", "[import][dump]") {
    const std::string text =
        "args: Namespace(num_layers=4, hidden_size=64, attention_backend=<AttnBackend.fused: 2>,\n"
        " moe_layer_freq=[0, 1], num_experts=8, data_path=['a, b', 'c)'], bf16=True, "
        "normalization='RMSNorm', "
        "ffn_hidden_size=None) done";
    CHECK(looks_like_argument_dump(text));
    const Import import = import_argument_dump(text);
    check_taken(
        import,
        "num_layers=4 hidden_size=64 attention_backend=fused moe_layer_freq=([0]*1+[1]*1) num_experts=8 "
        "precision=bf16 normalization=RMSNorm ffn_hidden_size=none");
    CHECK(value_in(import_argument_dump("Namespace(num_layers=4, hidden_size=6").taken, "hidden_size") ==
          "6");
    CHECK(problem_of(import_argument_dump("Namespace(num_layers=4, hidden_size=6"), "cut") != nullptr);
}

TEST_CASE("Logs without arguments are refused", "[import][dump]") {
    for (const char* text :
         {"", "[Rank 1] (after 1 iterations) memory (MB) | allocated: 54250.97 | max reserved: 61480.0",
          "Loading ... done\nwait . for it", "Namespace()", "Namespace(", "step 1 ..........\n"}) {
        const Import import = import_argument_dump(text);
        INFO(text << '\n' << shown(import));
        CHECK_FALSE(looks_like_argument_dump(text));
        CHECK(has_error(import.problems));
        CHECK(import.taken.empty());
        CHECK(import.defaults.empty());
    }
}

TEST_CASE("Bad values and unknown names are told with their line", "[import][dump]") {
    const Import import = import_argument_dump(line_of("num_layers", "four") + line_of("our_argument", "1") +
                                               line_of("hidden_size", "64"));
    INFO(shown(import));
    check_taken(import, "hidden_size=64");
    REQUIRE(problem_of(import, "not_an_integer") != nullptr);
    CHECK(problem_of(import, "not_an_integer")->message.find("line 1") != std::string::npos);
    CHECK(mentions(import.unknown, "our_argument"));
}

}  // namespace megamem

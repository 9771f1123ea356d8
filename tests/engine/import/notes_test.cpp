// Notes as people write them; our own texts.
#include "import/notes.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "engine/support/imports.h"

namespace megamem {

using test::check_taken;
using test::mentions;
using test::problem_of;
using test::question_about;
using test::shown;
using test::value_in;

TEST_CASE("Pairs of short names and values", "[import][notes]") {
    check_taken(import_text("TP=8 PP=4 EP=32\n"),
                "tensor_model_parallel_size=8 pipeline_model_parallel_size=4 expert_model_parallel_size=32");
    check_taken(import_text("tp 8, kv 4"), "tensor_model_parallel_size=8 num_query_groups=4");
    check_taken(import_text("tp2-pp4_ep8; GBS 256\nMBS 1"),
                "tensor_model_parallel_size=2 pipeline_model_parallel_size=4 expert_model_parallel_size=8 "
                "global_batch_size=256 micro_batch_size=1");
    check_taken(import_text("export TP=2\nexport CP=2\nbash train.sh\n"),
                "tensor_model_parallel_size=2 context_parallel_size=2");
    check_taken(
        import_text("Tensor parallel size: 4\nGlobal batch size: 512\nbf16, RMSNorm\nrecompute: full"),
        "tensor_model_parallel_size=4 global_batch_size=512 precision=bf16 normalization=RMSNorm "
        "recompute_granularity=full");
    const Import import = import_text("hidden 6144, 48 layers, 48 heads, 8 kv heads");
    CHECK(import.format == Format::notes);
    CHECK(import.defaults.empty());  // notes say no more than they say
    check_taken(import, "hidden_size=6144 num_layers=48 num_attention_heads=48 num_query_groups=8");
}

TEST_CASE("Full names, flags, lists and patterns in notes", "[import][notes]") {
    check_taken(import_text("num_layers 12\n--hidden-size 768\nmoe_layer_freq: ([0]*2+[1]*10)\n"
                            "recompute_modules: [core_attn, mlp]\nsp: on"),
                "num_layers=12 hidden_size=768 moe_layer_freq=([0]*2+[1]*10) recompute_modules=core_attn,mlp "
                "sequence_parallel=1");
}

TEST_CASE("A table's rows and full-width punctuation", "[import][notes]") {
    check_taken(import_text("| Setting | Value |\n|---|---|\n| `tp` | 4 |\n| **Sequence length** | 8192 |\n"),
                "tensor_model_parallel_size=4 seq_length=8192");
    check_taken(import_text("tp：4，pp：2"), "tensor_model_parallel_size=4 pipeline_model_parallel_size=2");
}

TEST_CASE("Units and separators of notes", "[import][notes]") {
    const Import import = import_text("seq: 16K\nvocab 64K\nhidden 3k\nffn 11,008\nctx\n");
    INFO(shown(import));
    check_taken(import, "seq_length=16384 ffn_hidden_size=11008");
    const Problem* reading = problem_of(import, "reading");
    REQUIRE(reading != nullptr);
    CHECK(reading->message == "seq_length (line 1): \"16K\" is read as 16384");
    REQUIRE(question_about(import, "vocab_size") != nullptr);
    CHECK(question_about(import, "vocab_size")->line == 2);
    // A width in K isn't guessed.
    const auto hidden = std::find_if(import.problems.begin(), import.problems.end(), [](const Problem& p) {
        return p.message.find("hidden_size (line 3)") != std::string::npos;
    });
    CHECK(hidden != import.problems.end());
    check_taken(import_text("seq 1M"), "seq_length=1048576");
}

TEST_CASE("The number of GPUs in notes", "[import][notes]") {
    check_taken(import_text("tp 4\n2 nodes x 8 GPUs"),
                "tensor_model_parallel_size=4 nodes=2 gpus_per_node=8");
    check_taken(import_text("64 GPUs, tp 8"), "nodes=8 gpus_per_node=8 tensor_model_parallel_size=8");
    // 2 x 4 x 2 GPUs
    const Import data = import_text("tp 4, pp 2, dp 2");
    const Question* nodes = question_about(data, "nodes");
    REQUIRE(nodes != nullptr);
    CHECK(nodes->message.find("16 with") != std::string::npos);
    const Import wrong = import_text("tp 4, dp 2, gpus 32");
    CHECK(problem_of(wrong, "data_parallel_size") != nullptr);
    CHECK(problem_of(import_text("tp 4, dp 8, gpus 32"), "data_parallel_size") == nullptr);
}

TEST_CASE("What notes leave open is asked", "[import][notes]") {
    const Import import = import_text("tp 2\nGPU 80G\nbatch size 8\nparams 13B\n");
    INFO(shown(import));
    check_taken(import, "tensor_model_parallel_size=2");
    CHECK(question_about(import, "gpu") != nullptr);
    CHECK(mentions(import.unknown, "batch size 8"));
    CHECK(mentions(import.unknown, "params 13B"));
    check_taken(import_text("tp 2, GPU H200"), "tensor_model_parallel_size=2 gpu=H200-141");
    const Import two = import_text("tp 2, gpu: A100");
    const Question* which = question_about(two, "gpu");
    REQUIRE(which != nullptr);
    CHECK(which->message == "is it A100-40 or A100-80?");
}

TEST_CASE("Prose isn't swallowed", "[import][notes]") {
    for (const char* text : {"We froze layers 5 and 6 and kept the heads 3 of the rest.",
                             "See chapter 4 for context.\nIt has 8 experts!", "The hidden costs of training",
                             "nodes and experts met at 8", "tp pp cp"}) {
        const Import import = import_text(text);
        INFO(text << '\n' << shown(import));
        CHECK(import.taken.empty());
        CHECK_FALSE(import.problems.empty());
    }
    const Import mixed = import_text("Our 30B run: tp 8 and 5 layers for fun\n");
    check_taken(mixed, "tensor_model_parallel_size=8");
    CHECK(mentions(mixed.unknown, "5 layers"));
}

TEST_CASE("A configuration of something else isn't taken for notes", "[import][notes]") {
    std::string text = "trainer\n";
    for (int i = 0; i < 20; ++i)
        text += "some_setting_" + std::to_string(i) + ": on\n";
    const Import import = import_text(text + "seq_len: 4096\n");
    INFO(shown(import));
    CHECK(import.taken.empty());
    CHECK(problem_of(import, "unknown_format") != nullptr);
}

TEST_CASE("A value that is no value is named with its line", "[import][notes]") {
    const Import import = import_text("pp 2\nmbs 1e0\ntp -4\n");
    INFO(shown(import));
    check_taken(import, "pipeline_model_parallel_size=2");
    for (const char* place : {"micro_batch_size (line 2)", "tensor_model_parallel_size (line 3)"}) {
        CHECK(std::any_of(import.problems.begin(), import.problems.end(),
                          [&](const Problem& p) { return p.message.find(place) != std::string::npos; }));
    }
    CHECK(problem_of(import_text("tp 2\ntp 4"), "repeated_flag") != nullptr);
}

TEST_CASE("A bare pipeline layout", "[import][notes]") {
    check_taken(import_text("Et*2|(tt|)*5L\n"), "pipeline_model_parallel_layout=Et*2|(tt|)*5L");
    for (const char* text : {"Et*999999999|L", "E((((((((((((((((t|L", "Et|)L"}) {
        const Import import = import_text(text);
        INFO(text << '\n' << shown(import));
        CHECK(import.taken.empty());
        REQUIRE_FALSE(import.problems.empty());
        CHECK(import.problems[0].message.starts_with("pipeline_model_parallel_layout"));
    }
}

TEST_CASE("Other formats stay what they are", "[import][notes]") {
    CHECK(import_text("tensor_model_parallel_size: 4\nnum_layers: 12\n").format == Format::argument_map);
    CHECK(import_text("torchrun pretrain_gpt.py --num-layers 12 --hidden-size 64").format ==
          Format::launch_script);
    CHECK(import_text("layers: 12\ntensor_model_parallel_size: 4\nseq: 4096\n").format == Format::notes);
    const Import log = import_text(
        " iteration 1/ 10 | elapsed time per iteration (ms): 900.0 | global batch size: 16 | loss scale: 1.0 "
        "|");
    CHECK(log.taken.empty());
}

TEST_CASE("Scripts with branches are no notes", "[import][notes]") {
    const Import import = import_text(R"(SIZE=small
case $SIZE in
  small) LAYERS=12; HIDDEN=768;;
  *) LAYERS=48; HIDDEN=8192;;
esac
ARGS=(--num-layers $LAYERS --hidden-size $HIDDEN)
srun -N 4 bash -c "python pretrain_gpt.py ${ARGS[*]}"
)");
    INFO(shown(import));
    CHECK(import.format == Format::launch_script);
    CHECK(value_in(import.taken, "hidden_size") != "8192");
    CHECK(import_text("if [ $X = 1 ]; then\nTP=8\nelse\nTP=4\nfi\n").taken.empty());
}

}  // namespace megamem

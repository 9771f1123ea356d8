// read_arguments(): what becomes of every flag. Spellings and defaults:
// megatron/training/arguments.py@d98e8a64 and swift/megatron/arguments/megatron_args.py@3602360a.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <fstream>

#include "base/text.h"
#include "engine/support/problems.h"
#include "import/argument_names.h"
#include "import/known_flags.h"
#include "import/megatron_arguments.h"
#include "import/merge.h"
#include "scenario/field.h"

namespace megamem {

namespace {

// A flag with its words a line.
Import read(std::string_view text, Dialect dialect = Dialect::megatron) {
    std::vector<Argument> arguments;
    std::size_t number = 0;
    for (const std::string_view line : split(text, '\n')) {
        const auto words = split(line, ' ');
        Argument argument{std::string(words[0]), {}, ++number};
        for (std::size_t i = 1; i < words.size(); ++i)
            argument.values.emplace_back(words[i]);
        arguments.push_back(std::move(argument));
    }
    return read_arguments(arguments, Format::launch_script, dialect);
}

std::string value_in(const std::vector<Taken>& list, std::string_view key) {
    const auto found = std::find_if(list.begin(), list.end(), [&](const Taken& t) { return t.key == key; });
    return found == list.end() ? "-" : found->value;
}

const Problem* problem_of(const Import& import, std::string_view code) {
    const auto found = std::find_if(import.problems.begin(), import.problems.end(),
                                    [&](const Problem& p) { return p.code == code; });
    return found == import.problems.end() ? nullptr : &*found;
}

}  // namespace

TEST_CASE("Every flag of Megatron-LM is known", "[import][arguments]") {
    std::ifstream file(MEGAMEM_TEST_DATA "/megatron_flags.txt");
    int known = 0;
    for (std::string line; std::getline(file, line);) {
        INFO(line);
        const Import import = read(line + " 1");
        CHECK(import.unknown.empty());
        CHECK(arity_of(canonical_flag(line), Dialect::megatron).has_value());
        ++known;
    }
    CHECK(known == 860);  // spellings of 835 arguments
}

TEST_CASE("The lists of flags are sorted, and no field's flag is in them", "[import][arguments]") {
    for (const FlagList& list : {megatron_flags(), swift_flags()}) {
        for (std::size_t i = 0; i < list.size(); ++i) {
            INFO(list.name(i));
            if (i > 0) CHECK(list.name(i - 1) < list.name(i));
            CHECK(list.find(list.name(i)).has_value());
        }
        CHECK_FALSE(list.find(""));
        CHECK_FALSE(list.find("zzz"));
    }
    for (const Field& field : field_table()) {
        if (!field.flag.empty()) CHECK_FALSE(megatron_flags().find(field.flag.substr(2)));
    }
}

TEST_CASE("Flags are taken, neutral, not modelled or unknown", "[import][arguments]") {
    const Import import =
        read("--num-layers 61\n--lr 1e-4\n--moe-paged-stash\n--num-layer 4\n--our-own-flag x y");
    REQUIRE(import.taken.size() == 1);
    CHECK(import.taken[0].key == "num_layers");
    CHECK(import.taken[0].value == "61");
    CHECK(import.taken[0].source == "--num-layers 61");
    CHECK(import.taken[0].line == 1);
    REQUIRE(import.neutral.size() == 1);
    CHECK(import.neutral[0].source == "--lr 1e-4");
    REQUIRE(import.unknown.size() == 2);
    CHECK(import.unknown[0].note == "--num-layers is meant?");
    CHECK(import.unknown[1].source == "--our-own-flag x y");
    CHECK(import.unknown[1].note.empty());
    REQUIRE(import.problems.size() == 1);
    CHECK(import.problems[0].code == "not_modelled");
}

TEST_CASE("Of a repeated flag the last one counts, and that is said", "[import][arguments]") {
    const Import import = read(
        "--tensor-model-parallel-size 2\n--pipeline-model-parallel-size 4\n--tensor-model-parallel-size 8");
    CHECK(value_in(import.taken, "tensor_model_parallel_size") == "8");
    CHECK(import.taken.size() == 2);
    CHECK(import.taken.back().line == 3);
    REQUIRE(import.problems.size() == 1);
    CHECK(import.problems[0].severity == Severity::warning);
    CHECK(import.problems[0].message ==
          "--tensor-model-parallel-size is given 2 times; the last, 8 (line 3), counts");
}

TEST_CASE("Numbers as people write them", "[import][arguments]") {
    const auto value = [](std::string flag, std::string text, std::string_view key) {
        return value_in(
            read_arguments({{std::move(flag), {std::move(text)}}}, Format::launch_script, Dialect::megatron)
                .taken,
            key);
    };
    CHECK(value("--hidden-size", "5,120", "hidden_size") == "5120");
    CHECK(value("--vocab-size", "151,936", "vocab_size") == "151936");
    CHECK(value("--vocab-size", "1_000_000", "vocab_size") == "1000000");
    CHECK(value("--hidden-size", "5,12", "hidden_size") == "-");
    CHECK(value("--hidden-size", "7K", "hidden_size") == "-");
    CHECK(value("--seq-length", "32K", "seq_length") == "32768");
    CHECK(value("--seq-length", "4k", "seq_length") == "4096");
    CHECK(value("--num-experts", "None", "num_experts") == "0");
    CHECK(value("--ffn-hidden-size", "None", "ffn_hidden_size") == "none");
    CHECK(value("--cp-comm-type", "['p2p']", "cp_comm_type") == "p2p");
    CHECK(value("--exp-avg-dtype", "torch.bfloat16", "exp_avg_dtype") == "bf16");
    const Import asked = read("--vocab-size 128K");
    CHECK(asked.taken.empty());
    REQUIRE(asked.questions.size() == 1);
    CHECK(asked.questions[0].key == "vocab_size");
}

TEST_CASE("A value that nobody knows is a question", "[import][arguments]") {
    const Argument open{"--num-layers", {}, 7, "--num-layers $LAYERS", "LAYERS has no value"};
    const Import import = read_arguments({open}, Format::launch_script, Dialect::megatron);
    CHECK(import.taken.empty());
    REQUIRE(import.questions.size() == 1);
    CHECK(import.questions[0].key == "num_layers");
    CHECK(import.questions[0].line == 7);
    CHECK(import.questions[0].message == "LAYERS has no value");
    // Answered further down; and the other way round.
    const Argument known{"--num-layers", {"8"}, 8};
    CHECK(read_arguments({open, known}, Format::launch_script, Dialect::megatron).questions.empty());
    CHECK(read_arguments({known, open}, Format::launch_script, Dialect::megatron).taken.empty());
}

TEST_CASE("The tokenizer's vocabulary is asked for", "[import][arguments]") {
    const Import import = read("--tokenizer-type HuggingFaceTokenizer\n--tokenizer-model a/b");
    REQUIRE(import.questions.size() == 1);
    CHECK(import.questions[0].key == "vocab_size");
    CHECK(read("--tokenizer-model a\n--vocab-size 100").questions.empty());
    CHECK(value_in(read("--padded-vocab-size 128512").taken, "vocab_size") == "128512");
}

TEST_CASE("Rules across flags", "[import][arguments]") {
    SECTION("query groups") {
        const Import alone = read("--num-layers 2\n--num-query-groups 8");
        CHECK(value_in(alone.taken, "num_query_groups") == "-");
        CHECK(value_in(alone.defaults, "num_query_groups") == "none");
        CHECK(alone.neutral.size() == 1);
        // Megatron's default is one group.
        CHECK(value_in(read("--group-query-attention").taken, "num_query_groups") == "1");
    }
    SECTION("recompute") {
        CHECK(value_in(read("--recompute-granularity selective").defaults, "recompute_modules") ==
              "core_attn");
        const Import both = read("--recompute-activations\n--recompute-granularity full");
        CHECK(value_in(both.taken, "recompute_granularity") == "selective");
        const Import moe = read("--moe-layer-recompute");
        CHECK(value_in(moe.taken, "recompute_modules") == "moe");
        CHECK(value_in(moe.taken, "recompute_granularity") == "selective");
    }
    SECTION("world size") {
        const auto nodes = [](std::string world) {
            const Import import = read("world_size " + world);
            return value_in(import.taken, "nodes") + "x" + value_in(import.taken, "gpus_per_node");
        };
        CHECK(nodes("16") == "2x8");
        CHECK(nodes("4") == "1x4");
        CHECK(nodes("9") == "9x1");
        CHECK(nodes("0") == "-x-");
    }
}

TEST_CASE("Silence about the model means something only beside its size", "[import][arguments]") {
    const Import training = read("--tensor-model-parallel-size 4");
    CHECK(value_in(training.defaults, "swiglu") == "-");
    CHECK(value_in(training.defaults, "precision") == "fp32");
    CHECK(value_in(training.defaults, "moe_token_dispatcher_type") == "allgather");
    const Import whole = read("--num-layers 4\n--hidden-size 64");
    CHECK(value_in(whole.defaults, "swiglu") == "0");
    CHECK(value_in(whole.defaults, "normalization") == "LayerNorm");
    CHECK(value_in(whole.defaults, "num_layers") == "-");
    CHECK(value_in(whole.defaults, "seq_length") == "-");
}

TEST_CASE("ms-swift: underscores, switches with values, other defaults", "[import][arguments]") {
    const Import import = read(
        "--tensor_model_parallel_size 4\n--moe_grouped_gemm true\n--max_length 8192\n--attention_backend "
        "flash_3\n--gradient_accumulation_fusion false\n--packing true\n--tuner_type full\n--freeze_vit "
        "true\n--model Qwen/Qwen2.5-7B\n--recompute_granularity full",
        Dialect::swift);
    INFO(test::shown(import.problems));
    CHECK(import.problems.empty());
    CHECK(import.unknown.empty());
    CHECK(value_in(import.taken, "tensor_model_parallel_size") == "4");
    CHECK(value_in(import.taken, "moe_grouped_gemm") == "1");
    CHECK(value_in(import.taken, "seq_length") == "8192");
    CHECK(value_in(import.taken, "attention_backend") == "flash");
    CHECK(value_in(import.taken, "gradient_accumulation_fusion") == "0");
    CHECK(value_in(import.taken, "frozen") == "vision");
    CHECK(value_in(import.defaults, "precision") == "bf16");
    CHECK(value_in(import.defaults, "global_batch_size") == "16");
    CHECK(value_in(import.defaults, "expert_tensor_parallel_size") == "1");
    CHECK(value_in(import.defaults, "recompute_modules") == "");
    REQUIRE(import.questions.size() == 1);
    CHECK(import.questions[0].source == "--model Qwen/Qwen2.5-7B");
    CHECK(problem_of(read("--tuner_type lora", Dialect::swift), "not_modelled") != nullptr);
}

TEST_CASE("Words that belong to no flag are told", "[import][arguments]") {
    CHECK(problem_of(read("--num-layers 4 8"), "stray_word") != nullptr);
    CHECK(problem_of(read("--bf16 pretrain.py"), "stray_word") != nullptr);
    CHECK(value_in(read("--bf16 pretrain.py").taken, "precision") == "bf16");
    CHECK(read("--recompute-modules moe_act layernorm").problems.empty());
}

TEST_CASE("A text of a million wrong flags gives a short list", "[import][arguments]") {
    std::vector<Argument> many;
    for (int i = 0; i < 2000; ++i)
        many.push_back({"--flag-" + std::to_string(i), {"x"}, 1});
    for (int i = 0; i < 2000; ++i)
        many.push_back({"--num-layers", {"many"}, 1});
    const Import import = read_arguments(many, Format::launch_script, Dialect::megatron);
    CHECK(import.unknown.size() <= 201);
    CHECK(import.problems.size() <= 201);
    CHECK(import.problems.back().code == "more_problems");
}

}  // namespace megamem

// Whole scripts in many styles: tests/data/scripts. Each ends in what it must give: "#= field value" for
// every field that is taken, "#? field" for every open question (without a field where none is known), "#!
// code" for every problem.
#include "import/launch_script.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "base/text.h"
#include "engine/support/problems.h"
#include "import/import.h"

namespace megamem {

namespace {

using Lines = std::multiset<std::string>;

std::string text_of(const std::filesystem::path& path) {
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

Lines expected_of(const std::string& text) {
    Lines lines;
    for (const std::string_view line : split(text, '\n')) {
        if (line.starts_with("#= ") || line.starts_with("#?") || line.starts_with("#! "))
            lines.insert(std::string(trim(line)));
    }
    return lines;
}

Lines given_by(const Import& import) {
    Lines lines;
    for (const Taken& taken : import.taken)
        lines.insert("#= " + std::string(taken.key) + " " + taken.value);
    for (const Question& question : import.questions)
        lines.insert(std::string(trim("#? " + std::string(question.key))));
    for (const Problem& problem : import.problems)
        lines.insert("#! " + std::string(problem.code));
    return lines;
}

std::string joined(const Lines& lines) {
    std::string all;
    for (const std::string& line : lines)
        all += line + "\n";
    return all;
}

std::string value_of(const Import& import, std::string_view key) {
    const auto found = std::find_if(import.taken.begin(), import.taken.end(),
                                    [&](const Taken& taken) { return taken.key == key; });
    return found == import.taken.end() ? "-" : found->value;
}

}  // namespace

TEST_CASE("Launch scripts give exactly their scenario", "[import][script]") {
    int count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(MEGAMEM_TEST_DATA "/scripts")) {
        INFO(entry.path().filename().string());
        const std::string text = text_of(entry.path());
        const Import import = import_text(text);
        INFO(test::shown(import.problems));
        CHECK(import.format == Format::launch_script);
        CHECK(joined(given_by(import)) == joined(expected_of(text)));
        // And with the line ends of Windows and a byte order mark.
        std::string windows = "\xEF\xBB\xBF";
        for (const char c : text)
            windows += c == '\n' ? std::string("\r\n") : std::string(1, c);
        CHECK(joined(given_by(import_text(windows))) == joined(expected_of(text)));
        ++count;
    }
    CHECK(count >= 25);
}

TEST_CASE("A script's lines are told", "[import][script]") {
    const Import import = import_launch_script(
        "LAYERS=4\n"
        "ARGS=(\n"
        "  --hidden-size 64\n"
        ")\n"
        "MORE=\" \\\n"
        "  --swiglu \\\n"
        "  --seq-length 128\"\n"
        "torchrun pretrain_gpt.py ${ARGS[@]} $MORE \\\n"
        "  --num-layers $LAYERS\n");
    const auto line_of = [&](std::string_view key) {
        for (const Taken& taken : import.taken) {
            if (taken.key == key) return taken.line;
        }
        return std::size_t{0};
    };
    CHECK(line_of("hidden_size") == 3);
    CHECK(line_of("swiglu") == 6);
    CHECK(line_of("seq_length") == 7);
    CHECK(line_of("num_layers") == 9);
}

TEST_CASE("Open values name what is missing", "[import][script]") {
    const Import import = import_launch_script(
        "torchrun pretrain_gpt.py --num-layers ${LAYERS} --hidden-size $(cat width) --seq-length $1 "
        "--micro-batch-size $((A * 2))");
    REQUIRE(import.questions.size() >= 4);
    CHECK(import.questions[0].source == "--num-layers ${LAYERS}");
    CHECK(import.questions[0].message == "\"LAYERS\" has no value in this text");
    CHECK(import.questions[1].source == "--hidden-size $(cat width)");
    CHECK(import.questions[2].message == "it is argument 1 of the script");
    CHECK(import.questions[3].message == "\"A\" has no value in this text");
    CHECK(import.taken.empty());
}

TEST_CASE("Nothing is run, and nothing outside of the text is read", "[import][script]") {
    const Import import = import_launch_script(
        "source ./env.sh\nX=`echo 4`\ntorchrun pretrain_gpt.py --num-layers $X --hidden-size $(( $(nproc) * "
        "8 ))");
    CHECK(import.taken.empty());
    CHECK(import.questions.size() >= 2);
}

TEST_CASE("A text without a training's flags gives nothing", "[import][script]") {
    for (const char* text :
         {"", "ls --color", "#!/bin/bash\necho hello", "--", "--=", "tar --create --file x",
          "if then else fi", "((((", "\"", "'", "$((", "${", "$(", "`", "A=(", "<<", "<<EOF"}) {
        INFO(text);
        const Import import = import_launch_script(text);
        CHECK(import.taken.empty());
        CHECK(has_error(import.problems));
    }
}

TEST_CASE("Values that double themselves stay small", "[import][script]") {
    std::string text = "A=--num-layers\n";
    for (int i = 0; i < 200; ++i)
        text += "A=\"$A$A\"\n";
    text += "B=(1 2)\n";
    for (int i = 0; i < 200; ++i)
        text += "B=(\"${B[@]}\" \"${B[@]}\")\n";
    text += "f() { f; f; }\nf\neval \"$A\"\ntorchrun x.py --hidden-size 8 $A ${B[@]}\n";
    const Import import = import_launch_script(text);
    CHECK(value_of(import, "hidden_size") == "8");
}

TEST_CASE("Overrides in a script get the values of its variables", "[import][script]") {
    const Import import = import_text(
        "TP=4\nPP=${PP:-2}\npython3 -m verl.trainer.main_ppo \\\n"
        "  actor_rollout_ref.actor.megatron.tensor_model_parallel_size=$TP \\\n"
        "  +actor_rollout_ref.actor.megatron.pipeline_model_parallel_size=${PP} \\\n"
        "  actor_rollout_ref.actor.megatron.expert_model_parallel_size=$EP \\\n"
        "  trainer.nnodes=2 trainer.n_gpus_per_node=8 $@\n");
    INFO(test::shown(import.problems));
    CHECK(import.format == Format::overrides);
    CHECK(value_of(import, "tensor_model_parallel_size") == "4");
    CHECK(value_of(import, "pipeline_model_parallel_size") == "2");
    CHECK(value_of(import, "expert_model_parallel_size") == "-");
    CHECK(std::any_of(import.questions.begin(), import.questions.end(),
                      [](const Question& q) { return q.key == "expert_model_parallel_size"; }));
    const Import bridge = import_text(
        "torchrun --nproc_per_node 8 --nnodes 2 run_recipe.py --recipe some_model "
        "model.tensor_model_parallel_size=4 train.micro_batch_size=2\n");
    CHECK(value_of(bridge, "tensor_model_parallel_size") == "4");
    CHECK(value_of(bridge, "micro_batch_size") == "2");
    CHECK(value_of(bridge, "nodes") == "2");
    CHECK(value_of(bridge, "gpus_per_node") == "8");
}

TEST_CASE("A missing backslash is told", "[import][script]") {
    const Import import = import_launch_script("torchrun x.py --num-layers 4\n  --hidden-size 8\n");
    CHECK(value_of(import, "num_layers") == "4");
    CHECK(value_of(import, "hidden_size") == "8");
    REQUIRE(import.problems.size() == 1);
    CHECK(import.problems[0].code == "missing_backslash");
}

TEST_CASE("Deep nesting ends", "[import][script]") {
    for (const char* piece : {"if true; then\n", "(", "{ ", "$(", "${A:-", "\"$(", "case x in x) ", "$((",
                              "[[ ( ", "! ", "for i in 1; do ", "f() { ", "A=(", "[ -n x -a "}) {
        std::string text;
        for (int i = 0; i < 20'000; ++i)
            text += piece;
        text += "\ntorchrun x.py --num-layers 4\n";
        (void)import_launch_script(text);
    }
    SUCCEED();
}

TEST_CASE("Of a huge text the beginning is read, and that is said", "[import][script]") {
    std::string flags = "torchrun x.py --num-layers 4";
    for (int i = 0; i < 20'000; ++i)
        flags += " --lr 1";
    std::string commands = "x.py --num-layers 4\n";
    for (int i = 0; i < 60'000; ++i)
        commands += "a b\n";
    for (const std::string& text :
         {flags, commands, "x.py --num-layers 4\n" + std::string(5'000'000, '\n')}) {
        const Import import = import_launch_script(text);
        CHECK(value_of(import, "num_layers") == "4");
        CHECK(std::any_of(import.problems.begin(), import.problems.end(),
                          [](const Problem& p) { return p.code == "too_long"; }));
    }
}

TEST_CASE("Layouts keep their bars", "[import][script]") {
    for (const char* layout : {"Et*3|(tt|)*29,m|L", "'Et*3|(tt|)*29,m|L'", "\"Et*3\\|(tt\\|)*29,m\\|L\"",
                               "Et*3\\|\\(tt\\|\\)*29,m\\|L"}) {
        INFO(layout);
        for (const char* glue : {" ", "="}) {
            if (std::string_view(glue) == "=" && layout[0] == 'E') continue;  // bash itself would stop there
            const Import import = import_launch_script(std::string("x.py --pipeline-model-parallel-layout") +
                                                       glue + layout + " --num-layers 4");
            CHECK(value_of(import, "pipeline_model_parallel_layout") == "Et*3|(tt|)*29,m|L");
            CHECK(value_of(import, "num_layers") == "4");
        }
    }
}

}  // namespace megamem

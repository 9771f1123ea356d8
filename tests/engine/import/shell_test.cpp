// Functions, arithmetic and scripts within scripts; our own texts.
#include "import/shell.h"

#include <catch2/catch_test_macros.hpp>

#include "engine/support/imports.h"
#include "import/launch_script.h"

namespace megamem {

using test::problem_of;
using test::question_about;
using test::shown;
using test::value_in;

TEST_CASE("A function's own words", "[import][launch_script]") {
    const Import import = import_launch_script(R"(launch() {
  local tp=$1
  shift
  torchrun --nproc_per_node 8 pretrain_gpt.py --tensor-model-parallel-size $tp "$@"
}
launch 4 --num-layers 12 --hidden-size 768
)");
    INFO(shown(import));
    CHECK(value_in(import.taken, "tensor_model_parallel_size") == "4");
    CHECK(value_in(import.taken, "num_layers") == "12");
    CHECK(value_in(import.taken, "hidden_size") == "768");
    CHECK(import.questions.empty());
    // Outside of it they are the script's again.
    const Import outside = import_launch_script(R"(f() { echo $1; }
f 4
torchrun pretrain_gpt.py --num-layers 12 --hidden-size $1
)");
    CHECK(question_about(outside, "hidden_size") != nullptr);
}

TEST_CASE("let and shifts", "[import][launch_script]") {
    const Import import = import_launch_script(R"(let L=3*4
let "H = L * 64"
torchrun pretrain_gpt.py --num-layers $L --hidden-size $H --seq-length $((1 << 12)) --ffn-hidden-size $((H*2 >> 1))
)");
    INFO(shown(import));
    CHECK(value_in(import.taken, "num_layers") == "12");
    CHECK(value_in(import.taken, "hidden_size") == "768");
    CHECK(value_in(import.taken, "seq_length") == "4096");
    CHECK(value_in(import.taken, "ffn_hidden_size") == "768");
}

TEST_CASE("A script that a script writes", "[import][launch_script]") {
    const Import import = import_launch_script(R"(TP=2
cat > run.sh <<EOF
#!/bin/bash
PP=4
torchrun --nproc_per_node 8 pretrain_gpt.py --num-layers 12 --tensor-model-parallel-size $TP \\
   --pipeline-model-parallel-size \$PP
EOF
sbatch run.sh
)");
    INFO(shown(import));
    CHECK(value_in(import.taken, "num_layers") == "12");
    CHECK(value_in(import.taken, "tensor_model_parallel_size") == "2");
    CHECK(value_in(import.taken, "pipeline_model_parallel_size") == "4");
    CHECK(problem_of(import, "here_document") != nullptr);
    CHECK(import_launch_script("python - <<EOF\nprint('--num-layers 3')\nEOF\nls --all\n").taken.empty());
}

TEST_CASE("An array within the text of bash -c", "[import][launch_script]") {
    for (const char* all : {"*", "@"}) {
        const Import import = import_launch_script(
            std::string(
                "ARGS=(--num-layers 12 --hidden-size 768)\nsrun -N 4 --ntasks-per-node=8 bash -c \"python "
                "pretrain_gpt.py ${ARGS[") +
            all + "]} --bf16\"\n");
        INFO(shown(import));
        CHECK(value_in(import.taken, "num_layers") == "12");
        CHECK(value_in(import.taken, "hidden_size") == "768");
        CHECK(value_in(import.taken, "precision") == "bf16");
        CHECK(value_in(import.taken, "nodes") == "4");
    }
}

}  // namespace megamem

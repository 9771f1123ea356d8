// The flags of Megatron-LM's examples/multimodal; our own texts.
#include "import/multimodal.h"

#include <catch2/catch_test_macros.hpp>

#include "engine/support/imports.h"

namespace megamem {

using test::question_about;
using test::shown;
using test::value_in;

TEST_CASE("Frozen parts", "[import][multimodal]") {
    const auto frozen = [](const char* flags) {
        return value_in(import_text(std::string("torchrun train.py --num-layers 4 ") + flags).taken,
                        "frozen");
    };
    CHECK(frozen("--freeze-LM") == "language");
    CHECK(frozen("--freeze-ViT") == "vision");
    CHECK(frozen("--freeze-LM --freeze-ViT") == "language_and_vision");
    CHECK(frozen("--micro-batch-size 1") == "-");
    const auto swift = [](const char* flags) {
        return value_in(import_text(std::string("megatron sft --micro_batch_size 1 ") + flags).taken,
                        "frozen");
    };
    CHECK(swift("--freeze_llm true --freeze_vit true") == "language_and_vision");
    CHECK(swift("--freeze_llm false --freeze_vit true") == "vision");
    const Import bridge = import_text(
        "cfg.model.freeze_language_model = True\ncfg.model.freeze_vision_model = True\n"
        "cfg.model.freeze_vision_projection = True\n");
    CHECK(value_in(bridge.taken, "frozen") == "language_and_vision");
    CHECK(value_in(bridge.taken, "freeze_vision_projection") == "1");
}

TEST_CASE("A multimodal training of the example", "[import][multimodal]") {
    const Import import = import_text(R"(torchrun --nproc_per_node 8 train.py \
    --language-model-type qwen2.5_7B --vision-model-type siglip --num-layers 28 --hidden-size 3584 \
    --seq-length 256 --decoder-seq-length 8192 --micro-batch-size 2 \
    --img-h 448 --img-w 448 --patch-dim 14 --pixel-shuffle --use-tiling --max-num-tiles 12 --use-thumbnail \
    --use-te --freeze-ViT --tokenizer-prompt-format qwen2p5 --prompt-path prompts.json
)");
    INFO(shown(import));
    CHECK(value_in(import.taken, "seq_length") == "8192");  // the language model's
    CHECK(value_in(import.taken, "vision_model_type") == "siglip");
    CHECK(value_in(import.taken, "vision_num_layers") == "27");
    CHECK(value_in(import.taken, "vision_patch_dim") == "14");
    CHECK(value_in(import.taken, "vision_spatial_merge_size") == "2");
    CHECK(value_in(import.taken, "ffn_hidden_size") == "18944");
    CHECK(value_in(import.taken, "vision_projector_ffn_hidden_size") == "3584");
    // 2 samples x (12 tiles + a thumbnail) x (448 / 14)^2
    CHECK(value_in(import.taken, "vision_patches_per_micro_batch") == "26624");
    CHECK(value_in(import.taken, "frozen") == "vision");
    CHECK(import.unknown.empty());
}

TEST_CASE("The example's default encoder, and unknown ones", "[import][multimodal]") {
    const Import clip = import_text("torchrun train.py --language-model-type mistral_7b --num-layers 32");
    CHECK(value_in(clip.taken, "vision_model_type") == "clip");
    CHECK(value_in(clip.taken, "vision_num_layers") == "24");
    const Import other = import_text(
        "torchrun train.py --language-model-type our_9b --vision-model-type our-vit --num-layers 32");
    CHECK(question_about(other, "vision_num_layers") != nullptr);
    CHECK(question_about(other, "vision_projector_ffn_hidden_size") != nullptr);
    // Without the example's own flag nothing changes.
    CHECK(value_in(
              import_text("torchrun pretrain_t5.py --num-layers 4 --decoder-seq-length 128 --seq-length 512")
                  .taken,
              "seq_length") == "512");
}

}  // namespace megamem

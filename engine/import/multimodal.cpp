#include "import/multimodal.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "import/argument_editor.h"
#include "scenario/field.h"
#include "scenario/vision_kinds.h"

namespace megamem {

namespace {

// Widths that examples/multimodal/config.py:7-187,336-412@d98e8a64 sets by the name of the language model,
// whatever --ffn-hidden-size says.
struct Language {
    std::string_view name;
    std::string_view ffn;
    std::string_view projector;
};
constexpr std::array kLanguages = {
    Language{"llama3_8b", "14336", "14336"},
    Language{"llama3.1_8b", "14336", "4096"},
    Language{"llama_nemotron_8b", "14336", "14336"},
    Language{"mistral_7b", "14336", "14336"},
    Language{"yi-34b", "20480", "20480"},
    Language{"qwen2.0_72B", "29568", "29568"},
    Language{"qwen2.5_7B", "18944", "3584"},
    Language{"qwen2.5_72B", "29568", "29568"},
    Language{"llama3.2_1b", "8192", "2048"},
    Language{"nemotron5-8b", "21504", "21504"},
};

class Multimodal {
  public:
    explicit Multimodal(std::vector<Argument> arguments) : stream_(std::move(arguments)) {}

    std::vector<Argument> read() {
        const Argument* language = stream_.find("--language-model-type");
        if (language == nullptr) return stream_.take();
        const Argument type = *language;
        set_widths(type);
        set_tower(type);
        set_sequence();
        set_tiles();
        return stream_.take();
    }

  private:
    // Beyond these the number of patches isn't made.
    static constexpr std::int64_t kMostSide = 20'000;
    static constexpr std::int64_t kMostImages = 10'000;

    void set_widths(const Argument& type) {
        const std::string name = type.values.empty() ? std::string() : type.values.front();
        const auto known = std::find_if(kLanguages.begin(), kLanguages.end(),
                                        [&](const Language& row) { return row.name == name; });
        if (known == kLanguages.end()) {
            stream_.ask(
                "vision_projector_ffn_hidden_size",
                "the example's config.py knows the projector's width by this name; here it isn't known",
                type);
            return;
        }
        stream_.remove("--ffn-hidden-size");
        stream_.add("--ffn-hidden-size", std::string(known->ffn), type);
        stream_.add("vision_projector_ffn_hidden_size", std::string(known->projector), type);
    }

    // multimodal_args.py@d98e8a64: --vision-model-type is clip unless another is given.
    void set_tower(const Argument& type) {
        const Argument* given = stream_.find("--vision-model-type");
        const Argument tower = given != nullptr ? *given : type;
        const std::string name = given == nullptr        ? std::string("clip")
                                 : given->values.empty() ? std::string()
                                                         : given->values.front();
        if (given == nullptr) stream_.add("--vision-model-type", name, type);
        Scenario scratch;
        const bool known = !set_text(scratch, *find_field("vision_model_type"), name) &&
                           vision_kind(scratch.vision_model_type) != nullptr;
        if (known) {
            stream_.add("vision_num_layers",
                        fmt::format("{}", vision_kind(scratch.vision_model_type)->layers), tower);
        } else {
            stream_.ask("vision_num_layers",
                        "a vision encoder that isn't known here: how many layers has it?", tower);
        }
        stream_.rename("--patch-dim", "vision_patch_dim");
        // Pixel shuffle makes one token of 2 x 2 patches (llava_model.py: pixel_shuffle).
        if (const Argument* shuffle = stream_.find_on("--pixel-shuffle")) {
            const Argument found = *shuffle;
            stream_.remove("--pixel-shuffle");
            stream_.add("vision_spatial_merge_size", "2", found);
        }
    }

    // model.py@d98e8a64: --seq-length is replaced by the number of an image's tokens, --decoder-seq-length is
    // the language model's.
    void set_sequence() {
        if (stream_.find("--decoder-seq-length") == nullptr) return;
        stream_.remove("--seq-length");
        stream_.remove("--encoder-seq-length");
        stream_.rename("--decoder-seq-length", "--seq-length");
    }

    // As many tiles as an image may have, and the thumbnail.
    void set_tiles() {
        const Argument* tiles = stream_.find("--max-num-tiles");
        if (tiles == nullptr || stream_.find_on("--use-tiling") == nullptr) return;
        const Argument found = *tiles;
        const auto most = stream_.number("--max-num-tiles", kMostImages);
        const auto height = stream_.number("--img-h", kMostSide);
        const auto width = stream_.number("--img-w", kMostSide);
        const auto side = stream_.number("vision_patch_dim");
        const auto samples = stream_.number("--micro-batch-size", kMostImages);
        if (most && height && width && side && samples) {
            const std::int64_t images = *most + (stream_.find_on("--use-thumbnail") != nullptr ? 1 : 0);
            const std::int64_t patches = (*height / *side) * (*width / *side);
            stream_.add("vision_patches_per_micro_batch", fmt::format("{}", *samples * images * patches),
                        found);
        } else {
            stream_.ask("vision_patches_per_micro_batch",
                        "how many patches the images of a micro-batch have can't be told from here", found);
        }
        stream_.remove("--max-num-tiles");
    }

    ArgumentEditor stream_;
};

}  // namespace

std::vector<Argument> with_multimodal(std::vector<Argument> arguments) {
    return Multimodal(std::move(arguments)).read();
}

}  // namespace megamem

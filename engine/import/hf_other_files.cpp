// Files that are pasted in place of config.json.
#include <algorithm>
#include <array>

#include "base/text.h"
#include "import/hf_config.h"

namespace megamem {

namespace {

// Keys decide over every start, and the first row that fits over the later ones.
struct OtherFile {
    std::array<std::string_view, 2> has;  // both stand in the text's beginning
    std::string_view start;               // or the text starts so
    std::string_view code;
    std::string_view message;
};

constexpr std::string_view kHtml =
    "this is a web page and not a config: the download was refused, perhaps because the model is gated";
constexpr std::string_view kGguf =
    "this is about a GGUF file, which isn't read: its sizes and its quantised types are those of the "
    "converted weights and not of training; config.json of the model's original repository is wanted";

constexpr std::array kOtherFiles = {
    OtherFile{{}, "<!DOCTYPE", "html", kHtml},
    OtherFile{{}, "<!doctype", "html", kHtml},
    OtherFile{{}, "<html", "html", kHtml},
    OtherFile{{}, "<HTML", "html", kHtml},
    OtherFile{{},
              "version https://git-lfs",
              "lfs_pointer",
              "this is a Git LFS pointer and not the file itself: fetch the file with git lfs pull, or "
              "download it from the model's page"},
    OtherFile{{}, "GGUF", "gguf", kGguf},
    OtherFile{{"general.architecture", ".block_count"}, "", "gguf", kGguf},
    OtherFile{{}, "llama_model_loader", "gguf", kGguf},
    OtherFile{
        {"\"weight_map\"", "\"metadata\""},
        "",
        "safetensors_index",
        "this is the index of the weights (model.safetensors.index.json); config.json beside it is wanted"},
    OtherFile{
        {"\"weight_map\"", ""},
        "",
        "safetensors_index",
        "this is the index of the weights (model.safetensors.index.json); config.json beside it is wanted"},
    OtherFile{{"\"data_offsets\"", "\"dtype\""},
              "",
              "safetensors",
              "this is a safetensors file or its header; config.json beside it is wanted"},
    OtherFile{
        {"\"peft_type\"", ""},
        "",
        "adapter_config",
        "this is a LoRA adapter's config, which has no dimensions of the model; config.json of its base "
        "model is wanted"},
    OtherFile{
        {"\"lora_alpha\"", ""},
        "",
        "adapter_config",
        "this is a LoRA adapter's config, which has no dimensions of the model; config.json of its base "
        "model is wanted"},
    OtherFile{{"\"zero_optimization\"", ""},
              "",
              "deepspeed_config",
              "this is DeepSpeed's config, which has no dimensions of the model, and its ZeRO stages are not "
              "Megatron-LM's; config.json of the model is wanted"},
    OtherFile{{"\"train_micro_batch_size_per_gpu\"", ""},
              "",
              "deepspeed_config",
              "this is DeepSpeed's config, which has no dimensions of the model; config.json of the model is "
              "wanted"},
    OtherFile{{"\"do_sample\"", ""},
              "",
              "generation_config",
              "this is generation_config.json, which has no dimensions; config.json beside it is wanted"},
    OtherFile{{"\"eos_token_id\"", "\"temperature\""},
              "",
              "generation_config",
              "this is generation_config.json, which has no dimensions; config.json beside it is wanted"},
    OtherFile{{"\"added_tokens", ""},
              "",
              "tokenizer",
              "this is a tokenizer's file, which has no dimensions; config.json beside it is wanted"},
    OtherFile{{"\"image_processor_type\"", ""},
              "",
              "preprocessor_config",
              "this is a preprocessor's config, which has no dimensions; config.json beside it is wanted"},
    OtherFile{{"\"chat_template\"", ""},
              "",
              "tokenizer",
              "this is a tokenizer's file, which has no dimensions; config.json beside it is wanted"},
};

// Any of these makes a text a config, whatever else stands in it.
constexpr std::array<std::string_view, 9> kDimensions = {
    "hidden_size\"",  "num_hidden_layers", "\"n_embd\"",   "\"d_model\"",  "\"n_layers\"",
    "\"num_layers\"", "hidden_size'",      "hidden_size:", "text_config\""};

constexpr std::size_t kBeginning = 200'000;

bool contains(std::string_view text, std::string_view word) {
    return text.find(word) != std::string_view::npos;
}

}  // namespace

std::optional<Problem> describe_other_file(std::string_view text) {
    text = text.substr(0, kBeginning);
    // A safetensors file has the length of its header, in eight bytes, before the header.
    const bool binary_header = text.size() > 9 && text[8] == '{' && text[7] == '\0';
    const std::string_view start = trim(text);
    const bool has_dimensions =
        std::any_of(kDimensions.begin(), kDimensions.end(), [&](auto key) { return contains(text, key); });
    for (const OtherFile& file : kOtherFiles) {
        const bool fits = file.start.empty()
                              ? !has_dimensions && contains(text, file.has[0]) && contains(text, file.has[1])
                              : start.starts_with(file.start);
        if (fits) return Problem{Severity::error, file.code, "", std::string(file.message)};
    }
    if (binary_header) {
        return Problem{Severity::error, "safetensors", "",
                       "this is a safetensors file; config.json beside it is wanted"};
    }
    return std::nullopt;
}

}  // namespace megamem

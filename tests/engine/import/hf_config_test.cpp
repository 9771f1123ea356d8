#include "import/hf_config.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "engine/support/imports.h"
#include "engine/support/problems.h"

namespace megamem {

namespace {

using test::find_problem;
using test::holds;

const Taken* find_taken(const std::vector<Taken>& list, std::string_view key) {
    const auto found = std::find_if(list.begin(), list.end(), [&](const Taken& t) { return t.key == key; });
    return found == list.end() ? nullptr : &*found;
}

// The value, "" where the text doesn't set the field.
std::string value_of(const Import& import, std::string_view key) {
    if (const Taken* taken = find_taken(import.taken, key)) return taken->value;
    if (const Taken* silent = find_taken(import.defaults, key)) return silent->value;
    return "";
}

const Question* question_about(const Import& import, std::string_view key) {
    for (const Question& question : import.questions) {
        if (question.key == key) return &question;
    }
    return nullptr;
}

const Mention* mention_of(const std::vector<Mention>& list, std::string_view source) {
    for (const Mention& mention : list) {
        if (mention.source == source) return &mention;
    }
    return nullptr;
}

// A small known model with other keys; later keys replace earlier ones.
Import import_with(std::string_view type, std::string_view keys) {
    return import_hf_config(fmt::format(R"({{"model_type": "{}", "hidden_size": 64, "num_hidden_layers": 4,
"num_attention_heads": 8, "intermediate_size": 256, "vocab_size": 1000, {}}})",
                                        type, keys));
}

}  // namespace

TEST_CASE("a config's keys set fields, with the line where they stand", "[import][hf]") {
    const Import import = import_hf_config(R"({
  "model_type": "llama",
  "hidden_size": 4096,
  "intermediate_size": 14336,
  "num_hidden_layers": 32,
  "num_attention_heads": 32,
  "num_key_value_heads": 8,
  "vocab_size": 128256,
  "torch_dtype": "bfloat16",
  "max_position_embeddings": 131072,
  "rope_theta": 500000.0,
  "something_new": 3
})");
    CHECK(import.format == Format::hf_config);
    CHECK(import.recognised == "Hugging Face config.json (llama)");
    const Taken* layers = find_taken(import.taken, "num_layers");
    REQUIRE(layers != nullptr);
    CHECK(layers->value == "32");
    CHECK(layers->source == "num_hidden_layers");
    CHECK(layers->line == 5);
    CHECK(value_of(import, "kv_channels") == "128");  // 4096 / 32
    CHECK(value_of(import, "num_query_groups") == "8");
    CHECK(value_of(import, "precision") == "bf16");
    CHECK(value_of(import, "swiglu") == "1");
    CHECK(value_of(import, "untie_embeddings_and_output_weights") == "1");
    CHECK(import.problems.empty());
    // What the model's class says comes from the line of no key.
    REQUIRE(find_taken(import.taken, "qk_layernorm") != nullptr);
    CHECK(find_taken(import.taken, "qk_layernorm")->source == "model_type llama");

    const Mention* rope = mention_of(import.neutral, "rope_theta");
    REQUIRE(rope != nullptr);
    CHECK(rope->line == 11);
    const Mention* odd = mention_of(import.unknown, "something_new");
    REQUIRE(odd != nullptr);
    CHECK(odd->line == 12);
    CHECK(import.unknown.size() == 1);
}

TEST_CASE("the model's longest context is no sequence length", "[import][hf]") {
    const Import import = import_with("llama", R"("max_position_embeddings": 131072)");
    CHECK(value_of(import, "seq_length").empty());
    const Question* question = question_about(import, "seq_length");
    REQUIRE(question != nullptr);
    CHECK(question->source == "max_position_embeddings");
    CHECK(holds(question->message, "131072"));
}

TEST_CASE("what a class says by silence depends on the model's type", "[import][hf]") {
    CHECK(value_of(import_with("llama", R"("a": 1)"), "untie_embeddings_and_output_weights") == "1");
    CHECK(value_of(import_with("gemma2", R"("a": 1)"), "untie_embeddings_and_output_weights") == "0");
    CHECK(value_of(import_with("gemma2", R"("a": 1)"), "kv_channels") == "256");
    CHECK(value_of(import_with("qwen2", R"("a": 1)"), "add_qkv_bias") == "1");
    CHECK(value_of(import_with("qwen3", R"("a": 1)"), "add_qkv_bias") == "0");
    CHECK(value_of(import_with("qwen3", R"("a": 1)"), "qk_layernorm") == "1");
    CHECK(value_of(import_with("qwen3", R"("a": 1)"), "kv_channels") == "128");
    CHECK(value_of(import_with("qwen3", R"("head_dim": null)"), "kv_channels") == "8");  // 64 / 8
    CHECK(value_of(import_with("nemotron", R"("a": 1)"), "swiglu") == "0");
    CHECK(value_of(import_with("nemotron", R"("a": 1)"), "normalization") == "LayerNorm");
    CHECK(value_of(import_with("gpt_oss", R"("a": 1)"), "add_bias_linear") == "1");
    CHECK(value_of(import_with("gpt2", R"("n_positions": 1024)"), "max_position_embeddings") == "1024");
    CHECK(value_of(import_with("llama", R"("tie_word_embeddings": true)"),
                   "untie_embeddings_and_output_weights") == "0");
    CHECK(value_of(import_with("llama", R"("num_key_value_heads": null)"), "num_query_groups") == "8");
}

TEST_CASE("an unknown kind of model is asked for what no key says", "[import][hf]") {
    const Import import = import_with("brandnew", R"("num_experts": 8, "rms_norm_eps": 1e-6)");
    CHECK(holds(import.recognised, "\"brandnew\", not known here"));
    for (const std::string_view field :
         {"kv_channels", "num_query_groups", "untie_embeddings_and_output_weights", "swiglu",
          "moe_ffn_hidden_size", "moe_router_topk"}) {
        INFO(field);
        CHECK(question_about(import, field) != nullptr);
        CHECK(value_of(import, field).empty());
    }
    CHECK(question_about(import, "normalization") == nullptr);
    CHECK(value_of(import, "normalization") == "RMSNorm");
}

TEST_CASE("the architecture stands in for a model_type", "[import][hf]") {
    const Import import = import_hf_config(
        R"({"architectures": ["Qwen3MoeForCausalLM"], "hidden_size": 64, "num_hidden_layers": 2,
            "num_attention_heads": 4, "vocab_size": 100, "num_experts": 4, "num_experts_per_tok": 2,
            "moe_intermediate_size": 32})");
    CHECK(value_of(import, "qk_layernorm") == "1");
    CHECK(import.recognised == "Hugging Face config.json (Qwen3MoeForCausalLM)");
}

TEST_CASE("which layers have experts", "[import][hf]") {
    const auto kinds = [](std::string_view type, std::string_view keys) {
        const Import import = import_with(
            type,
            fmt::format(R"("num_experts": 8, "moe_intermediate_size": 32, "num_experts_per_tok": 2, {})",
                        keys));
        const std::string pattern = value_of(import, "moe_layer_freq");
        return pattern.empty() ? "first " + value_of(import, "num_dense_layers") : pattern;
    };
    CHECK(kinds("deepseek_v3", R"("first_k_dense_replace": 2, "moe_layer_freq": 1)") == "first 2");
    CHECK(kinds("deepseek_v3", R"("first_k_dense_replace": 1, "moe_layer_freq": 2)") ==
          "([0]*2+[1]*1+[0]*1)");
    CHECK(kinds("deepseek_v3", R"("first_k_dense_replace": 0)") == "first ");
    CHECK(kinds("qwen3_moe", R"("decoder_sparse_step": 2)") == "([0]*1+[1]*1+[0]*1+[1]*1)");
    CHECK(kinds("qwen3_moe", R"("mlp_only_layers": [0])") == "first 1");
    CHECK(kinds("qwen3_moe", R"("mlp_only_layers": [2])") == "([1]*2+[0]*1+[1]*1)");
    CHECK(kinds("llama4_text", R"("interleave_moe_layer_step": 4)") == "first 3");
    CHECK(kinds("llama4_text", R"("moe_layers": [1, 2])") == "([0]*1+[1]*2+[0]*1)");
    CHECK(kinds("glm_moe_dsa", R"("mlp_layer_types": ["dense", "sparse", "sparse", "dense"])") ==
          "([0]*1+[1]*2+[0]*1)");
    CHECK(kinds("mimo_v2_flash", R"("moe_layer_freq": [0, 1, 1, 1])") == "first 1");
    CHECK(kinds("ernie4_5_moe", R"("moe_layer_start_index": 1, "moe_layer_end_index": 2)") ==
          "([0]*1+[1]*2+[0]*1)");
    CHECK(kinds("step3p5", R"("moe_layers_enum": "1,2,3")") == "first 1");
}

TEST_CASE("shared experts come in several spellings", "[import][hf]") {
    const auto shared = [](std::string_view type, std::string_view keys) {
        const Import import = import_with(
            type,
            fmt::format(R"("num_experts": 8, "moe_intermediate_size": 32, "num_experts_per_tok": 2, {})",
                        keys));
        return value_of(import, "moe_shared_expert_intermediate_size") + " " +
               value_of(import, "moe_shared_expert_gate");
    };
    CHECK(shared("deepseek_v3", R"("n_shared_experts": 2)") == "64 ");
    CHECK(shared("qwen2_moe", R"("shared_expert_intermediate_size": 96)") == "96 1");
    CHECK(shared("hunyuan", R"("num_shared_expert": [1, 1, 1, 1], "use_mixed_mlp_moe": true)") == "32 ");
    CHECK(shared("hunyuan", R"("num_shared_expert": 1, "use_mixed_mlp_moe": false)") == " ");
    CHECK(shared("mimo_v2_flash", R"("n_shared_experts": null)") == " ");
}

TEST_CASE("values that can't be are told with their keys, and asked for", "[import][hf]") {
    const Import import =
        import_hf_config(R"({"model_type": "llama", "hidden_size": -4096, "num_hidden_layers": 0,
 "num_attention_heads": 32, "vocab_size": NaN, "intermediate_size": 1e400, "num_key_value_heads": 3.5})");
    for (const std::string_view key :
         {"hidden_size", "num_hidden_layers", "vocab_size", "intermediate_size", "num_key_value_heads"}) {
        INFO(key);
        CHECK(std::any_of(import.problems.begin(), import.problems.end(), [&](const Problem& problem) {
            return problem.code == "bad_value" && problem.path == key &&
                   problem.severity == Severity::warning;
        }));
    }
    for (const std::string_view field :
         {"hidden_size", "num_layers", "vocab_size", "ffn_hidden_size", "num_query_groups"}) {
        INFO(field);
        CHECK(question_about(import, field) != nullptr);
        CHECK(value_of(import, field).empty());
    }
    CHECK(test::shown(import.problems).find("vocab_size: NaN is no whole number") != std::string::npos);
}

TEST_CASE("numbers in quotes are read, with a note", "[import][hf]") {
    const Import import = import_with("llama", R"("hidden_size": "5,120", "vocab_size": "151936")");
    CHECK(value_of(import, "hidden_size") == "5120");
    CHECK(value_of(import, "vocab_size") == "151936");
    CHECK(find_problem(import.problems, "note") != nullptr);
    for (const std::string_view wrong : {"5,12", ",120", "51,20", "1,2,3", "", "5.120", "12K", "5,120,00"}) {
        const Import bad = import_with("llama", fmt::format(R"("vocab_size": "{}")", wrong));
        INFO(wrong);
        CHECK(value_of(bad, "vocab_size").empty());
        CHECK(find_problem(bad.problems, "bad_value") != nullptr);
    }
}

TEST_CASE("lists with one value a layer count where all are the same", "[import][hf]") {
    const Import same = import_with("hunyuan", R"("num_experts": 8, "moe_topk": [2, 2, 2, 2])");
    CHECK(value_of(same, "moe_router_topk") == "2");
    const Import other = import_with("hunyuan", R"("num_experts": 8, "moe_topk": [2, 2, 3, 2])");
    CHECK(value_of(other, "moe_router_topk").empty());
    CHECK(question_about(other, "moe_router_topk") != nullptr);
    CHECK(holds(test::shown(other.problems), "differs from layer to layer"));
}

TEST_CASE("the width of Meta's MLP is derived", "[import][hf]") {
    // 4 * 4096 * 2 / 3 = 10922, times 1.3 = 14198, up to a multiple of 1024: 14336.
    const Import import = import_hf_config(R"({"dim": 4096, "ffn_dim_multiplier": 1.3, "multiple_of": 1024,
 "n_heads": 32, "n_kv_heads": 8, "n_layers": 32, "norm_eps": 1e-05, "vocab_size": 128256})");
    CHECK(import.recognised == "Meta's params.json");
    CHECK(value_of(import, "ffn_hidden_size") == "14336");
    CHECK(value_of(import, "num_query_groups") == "8");
    const Import unset = import_hf_config(
        R"({"dim": 4096, "multiple_of": 256, "n_heads": 32, "n_layers": 32, "vocab_size": -1})");
    CHECK(value_of(unset, "ffn_hidden_size") == "11008");  // 10922 up to a multiple of 256
    CHECK(question_about(unset, "vocab_size") != nullptr);
}

TEST_CASE("a quantised checkpoint is trained in other types", "[import][hf]") {
    const Import import = import_with(
        "llama", R"("quantization_config": {"quant_method": "fp8", "bits": 8}, "dtype": "bfloat16")");
    const Mention* storage = mention_of(import.neutral, "quantization_config");
    REQUIRE(storage != nullptr);
    CHECK(holds(storage->note, "training holds its own types"));
    CHECK(import.unknown.empty());
    CHECK(value_of(import, "precision") == "bf16");
    CHECK(value_of(import, "fp8_format").empty());
}

TEST_CASE("a model within a model is found, and its vision tower", "[import][hf]") {
    const Import import = import_hf_config(R"({"model_type": "some_vlm", "thinker_config": {"text_config": {
 "model_type": "qwen3", "hidden_size": 64, "num_hidden_layers": 4, "num_attention_heads": 8,
 "intermediate_size": 128, "vocab_size": 100}, "vision_config": {"depth": 3, "hidden_size": 48,
 "intermediate_size": 96, "num_heads": 4, "patch_size": 16, "spatial_merge_size": 2, "out_hidden_size": 64}},
 "talker_config": {"hidden_size": 9}})");
    CHECK(value_of(import, "num_layers") == "4");
    CHECK(find_taken(import.taken, "num_layers")->source == "thinker_config.text_config.num_hidden_layers");
    CHECK(value_of(import, "vision_num_layers") == "3");
    CHECK(value_of(import, "vision_patch_dim") == "16");
    CHECK(value_of(import, "vision_projector_ffn_hidden_size") == "192");  // 48 of 2 x 2 patches
    CHECK(question_about(import, "vision_patches_per_micro_batch") != nullptr);
    CHECK(find_problem(import.problems, "not_modelled") != nullptr);  // the talker
}

TEST_CASE("the kind of a vision tower is its own model_type", "[import][hf]") {
    const auto of_type = [](const char* type) {
        return import_hf_config(fmt::format(
            R"({{"model_type": "some_vlm", "text_config": {{"hidden_size": 64}}, "vision_config": {{"model_type":
            "{}", "depth": 3, "hidden_size": 48, "deepstack_visual_indexes": [0, 2]}}}})",
            type));
    };
    CHECK(value_of(of_type("qwen3_vl_moe"), "vision_model_type") == "qwen3_vl");
    CHECK(value_of(of_type("qwen3_vl_moe"), "vision_num_deepstack_mergers") == "2");
    CHECK(value_of(of_type("siglip_vision_model"), "vision_model_type") == "siglip");
    CHECK(value_of(of_type("one_of_its_own"), "vision_model_type") == "");  // a plain ViT
}

TEST_CASE("texts that aren't quite JSON", "[import][hf]") {
    const std::string_view plain =
        R"({"model_type": "llama", "hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4, )"
        R"("intermediate_size": 128, "vocab_size": 100})";
    std::string utf16 = "\xFF\xFE";
    for (const char c : plain) {
        utf16 += c;
        utf16 += '\0';
    }
    const std::string cut(plain.substr(0, plain.size() - 1));
    for (const std::string& text :
         {std::string(plain), "\xEF\xBB\xBF" + std::string(plain) + "\r\n", utf16,
          "[" + std::string(plain) + "]", "// llama\n" + std::string(plain), cut + ",", cut + ",}"}) {
        const Import import = import_hf_config(text);
        INFO(test::shown(import.problems));
        CHECK_FALSE(has_error(import.problems));
        CHECK(value_of(import, "vocab_size") == "100");
        CHECK(looks_like_hf_config(text));
    }
    CHECK(find_problem(import_hf_config(cut + ",").problems, "json_cut") != nullptr);
    CHECK(find_problem(import_hf_config(utf16).problems, "utf16") != nullptr);

    // Cut within a key or a value: nothing is used.
    for (const std::size_t left : {std::size_t{30}, std::size_t{41}, cut.size() - 3, cut.size()}) {
        const Import import = import_hf_config(plain.substr(0, left));
        CHECK(has_error(import.problems));
        CHECK(import.taken.empty());
        CHECK(holds(test::shown(import.problems), "line 1, column"));
    }
}

TEST_CASE("keys as lines are read too", "[import][hf]") {
    const std::string_view yaml =
        "# Qwen3-32B\narchitectures:\n- Qwen3ForCausalLM\nhidden_size: 5,120\nnum_hidden_layers: 64\n"
        "num_attention_heads: 64  # heads\ntie_word_embeddings: false\nvocab_size: 151936\n";
    CHECK(looks_like_hf_config(yaml));
    const Import import = import_hf_config(yaml);
    CHECK(value_of(import, "hidden_size") == "5120");
    CHECK(value_of(import, "qk_layernorm") == "1");
    CHECK(value_of(import, "untie_embeddings_and_output_weights") == "1");
    CHECK(find_taken(import.taken, "num_layers")->line == 5);
    CHECK(question_about(import, "ffn_hidden_size") != nullptr);
    CHECK_FALSE(looks_like_hf_config("hidden_size: 4096\nnum_layers: 2\n"));  // Megatron-LM's own names
}

TEST_CASE("other files are named, and nothing of them is used", "[import][hf]") {
    struct Case {
        std::string text;
        std::string_view code;
    };
    const Case cases[] = {
        {"<!DOCTYPE html><html><title>401 Unauthorized</title></html>", "html"},
        {"version https://git-lfs.github.com/spec/v1\noid sha256:4d\nsize 654\n", "lfs_pointer"},
        {R"({"metadata": {"total_size": 16060522496}, "weight_map": {"lm_head.weight": "a"}})",
         "safetensors_index"},
        {R"({"bos_token_id": 1, "do_sample": true, "temperature": 0.6})", "generation_config"},
        {R"({"peft_type": "LORA", "r": 16, "base_model_name_or_path": "Qwen/Qwen3-32B"})", "adapter_config"},
        {R"({"train_batch_size": 64, "zero_optimization": {"stage": 3}})", "deepspeed_config"},
        {"GGUF\x03", "gguf"},
        {"llama_model_loader: - kv 3: llama.block_count u32 = 32", "gguf"},
        {std::string("\x90\x01\0\0\0\0\0\0{\"lm_head.weight\":{\"dtype\":\"BF16\"}}", 40), "safetensors"},
    };
    for (const Case& c : cases) {
        INFO(c.code);
        const auto described = describe_other_file(c.text);
        REQUIRE(described);
        CHECK(described->code == c.code);
        CHECK_FALSE(looks_like_hf_config(c.text));
        const Import import = import_hf_config(c.text);
        CHECK(find_problem(import.problems, c.code) != nullptr);
        CHECK(import.taken.empty());
    }
    CHECK_FALSE(describe_other_file(R"({"hidden_size": 4, "do_sample": false})"));
}

TEST_CASE("hostile texts end in an error", "[import][hf]") {
    const std::string deep = "{\"hidden_size\": " + std::string(20'000, '[') + std::string(20'000, ']') + "}";
    CHECK(find_problem(import_hf_config(deep).problems, "json_too_deep") != nullptr);
    CHECK(find_problem(import_hf_config(std::string(6'000'000, ' ')).problems, "too_long") != nullptr);
    CHECK(has_error(import_hf_config("").problems));
    CHECK(has_error(import_hf_config(std::string("{\"hidden_size\": \0}", 18)).problems));
    CHECK(has_error(import_hf_config("[1, 2]").problems));
    CHECK(has_error(import_hf_config("{\"a\": 1}").problems));
    const Import repeated = import_with("llama", R"("vocab_size": 5, "vocab_size": 7)");
    CHECK(value_of(repeated, "vocab_size") == "7");
    CHECK(find_problem(repeated.problems, "duplicate_key") != nullptr);
    const Import prototype = import_hf_config(
        R"({"__proto__": {"hidden_size": 1}, "constructor": {"prototype": {"x": 1}}, "hidden_size": 4096})");
    CHECK(value_of(prototype, "hidden_size") == "4096");
}

TEST_CASE("A bias of the attention's output and an unknown type are told", "[import][hf]") {
    const auto config = [](const char* type, const char* more) {
        return import_text(std::string("{\"model_type\":\"") + type +
                           "\",\"hidden_size\":64,\"num_hidden_layers\":2,\"num_attention_heads\":4,"
                           "\"intermediate_size\":128,\"vocab_size\":1000" + more + "}");
    };
    const auto too_low = [](const Import& import) {
        const Problem* problem = test::problem_of(import, "not_modelled");
        return problem == nullptr ? std::string() : problem->message;
    };
    // 2 layers x 64
    CHECK(too_low(config("llama", ",\"attention_bias\":true")).find("128 too low") != std::string::npos);
    CHECK(too_low(config("llama", ",\"attention_bias\":true,\"mlp_bias\":true")).empty());
    CHECK(too_low(config("llama", ",\"attention_bias\":false")).empty());
    CHECK(too_low(config("qwen2", ",\"attention_bias\":true")).empty());
    CHECK(test::question_about(config("llama", ",\"torch_dtype\":\"float4\""), "precision") != nullptr);
    CHECK(test::question_about(config("llama", ",\"torch_dtype\":\"bfloat16\""), "precision") == nullptr);
    CHECK(test::question_about(config("llama", ",\"torch_dtype\":\"fp8\""), "precision") == nullptr);
}

}  // namespace megamem

#include "import/megatron_arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.h"
#include "scenario/field.h"

namespace megamem {

namespace {

// Other spellings of a field's flag, older releases' among them (arguments.py@d98e8a64 and core_v0.9 to
// v0.14).
struct Alias {
    std::string_view flag;
    std::string_view key;
    std::string_view value;  // empty: the flag's own value
};

constexpr std::array kAliases = {
    Alias{"--fp16", "precision", "fp16"},
    Alias{"--bf16", "precision", "bf16"},
    Alias{"--recompute-activations", "recompute_granularity", "selective"},
    Alias{"--moe-layer-recompute", "recompute_modules", "moe"},
    Alias{"--use-custom-fsdp", "use_megatron_fsdp", "1"},
    Alias{"--no-position-embedding", "position_embedding_type", "none"},
    Alias{"--use-rotary-position-embeddings", "position_embedding_type", "rope"},
    Alias{"--enable-bias-linear", "add_bias_linear", "1"},
    Alias{"--moe-enable-deepep", "moe_flex_dispatcher_backend", "deepep"},
    Alias{"--disable-bias-swiglu-fusion", "bias_swiglu_fusion", "0"},
    Alias{"--disable-gradient-accumulation-fusion", "gradient_accumulation_fusion", "0"},
    Alias{"--disable-create-attention-mask-in-dataloader", "create_attention_mask_in_dataloader", "0"},
};

// What decides bytes and has no formula here yet: the number is given with this beside it.
constexpr std::array<std::string_view, 11> kNotModelled = {"--hybrid-layer-pattern",
                                                           "--hybrid-override-pattern",
                                                           "--experimental-attention-variant",
                                                           "--heterogeneous-layers-config-path",
                                                           "--use-torch-fsdp2",
                                                           "--enable-mhc-connections",
                                                           "--moe-paged-stash",
                                                           "--hybrid-context-parallel",
                                                           "--tensor-parallel-num-weight-shards",
                                                           "--fp4-format",
                                                           "--mtp-use-repeated-layer"};

// "[moe_act layernorm]" and "AttnBackend.flash": how argument maps write lists and enumerations.
std::string plain(std::string_view value) {
    value = trim(value);
    if (value.starts_with("AttnBackend.")) value.remove_prefix(std::string_view("AttnBackend.").size());
    return std::string(value);
}

std::string words_of(const std::vector<std::string>& values) {
    std::string joined;
    for (const std::string& value : values) {
        std::string text(value);
        std::replace_if(
            text.begin(), text.end(), [](char c) { return c == '[' || c == ']' || c == ',' || c == ' '; },
            ' ');
        for (const std::string_view word : split(text, ' ')) {
            if (!word.empty()) joined += fmt::format("{}{}", joined.empty() ? "" : ",", word);
        }
    }
    return joined;
}

class Importer {
  public:
    ImportedArguments run(const std::vector<Argument>& arguments) {
        result_.scenario = megatron_defaults();
        for (const Argument& argument : arguments)
            take(argument);
        settle();
        return std::move(result_);
    }

  private:
    void take(const Argument& argument) {
        const auto alias = std::find_if(kAliases.begin(), kAliases.end(),
                                        [&](const Alias& a) { return a.flag == argument.flag; });
        if (alias != kAliases.end()) {
            if (is_off(argument)) return;
            set(*find_field(alias->key), alias->value, argument);
            return;
        }
        if (argument.flag == "--group-query-attention") {
            grouped_ = !is_off(argument);
            result_.taken.push_back(argument.flag);
            return;
        }
        const Field* field = find_field_by_flag(argument.flag);
        if (field == nullptr) {
            result_.ignored.push_back(argument.flag);
            if (!is_off(argument) &&
                std::find(kNotModelled.begin(), kNotModelled.end(), argument.flag) != kNotModelled.end()) {
                result_.problems.push_back(
                    {Severity::warning, "not_modelled", argument.flag,
                     fmt::format("{} changes memory and isn't modelled here", argument.flag)});
            }
            return;
        }
        if (field->type == FieldType::boolean) {
            set(*field, is_off(argument) == field->negated ? "1" : "0", argument);
        } else if (field->type == FieldType::words) {
            set(*field, words_of(argument.values), argument);
        } else if (argument.values.empty()) {
            result_.problems.push_back({Severity::warning, "missing_value", std::string(field->key),
                                        fmt::format("{}: no value is given", argument.flag)});
        } else {
            set(*field, plain(argument.values.front()), argument);
        }
    }

    // A switch that a map turns off: "--sequence-parallel: false".
    static bool is_off(const Argument& argument) {
        if (argument.values.empty()) return false;
        const std::string value = plain(argument.values.front());
        return value == "false" || value == "False" || value == "0";
    }

    void set(const Field& field, std::string_view value, const Argument& argument) {
        if (auto problem = set_text(result_.scenario, field, value)) {
            problem->severity = Severity::warning;
            problem->message = fmt::format("{}: {}", argument.flag, problem->message);
            result_.problems.push_back(std::move(*problem));
            return;
        }
        result_.taken.push_back(argument.flag);
    }

    // What depends on several flags.
    void settle() {
        Scenario& s = result_.scenario;
        // num_query_groups counts only with --group-query-attention (arguments.py@d98e8a64).
        if (!grouped_) s.num_query_groups.reset();
        // Selective recompute without modules is core_attn (transformer_config.py:1930@d98e8a64).
        if (s.recompute_granularity == RecomputeGranularity::selective && s.recompute_modules.empty()) {
            s.recompute_modules = {"core_attn"};
        }
        // MoE's default pattern and dense models' lack of experts need no word.
        if (s.num_experts == 0) s.moe_layer_freq.clear();
    }

    ImportedArguments result_;
    bool grouped_ = false;
};

}  // namespace

Scenario megatron_defaults() {
    Scenario scenario;
    scenario.precision = Precision::fp32;  // neither --bf16 nor --fp16
    for (const Field& field : field_table()) {
        if (!field.megatron_default.empty()) (void)set_text(scenario, field, field.megatron_default);
    }
    return scenario;
}

ImportedArguments import_arguments(const std::vector<Argument>& arguments) {
    return Importer().run(arguments);
}

}  // namespace megamem

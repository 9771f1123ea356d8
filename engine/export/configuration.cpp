#include "export/configuration.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/text.h"
#include "import/import.h"
#include "import/megatron_arguments.h"
#include "import/merge.h"
#include "import/own_comment.h"
#include "scenario/field.h"
#include "scenario/layer_pattern.h"

namespace megamem {

namespace {

// An argument with its values, or a switch.
struct Word {
    const Field* field;
    std::string flag;
    std::string value;  // empty: a switch
};

Dialect dialect_of(Configuration configuration) {
    switch (configuration) {
        case Configuration::bridge:
            return Dialect::bridge;
        case Configuration::swift:
            return Dialect::swift;
        default:
            return Dialect::megatron;
    }
}

// For a shell: in quotes where it has anything but plain characters.
std::string quoted(std::string_view value) {
    const bool plain = !value.empty() && std::all_of(value.begin(), value.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               std::string_view("_-./:=,@+").find(c) != std::string_view::npos;
    });
    if (plain) return std::string(value);
    std::string text = "'";
    for (const char c : value) {
        if (c == '\'') {
            text += R"('\'')";
        } else {
            text += c;
        }
    }
    return text + "'";
}

bool is_on(std::string_view text) {
    return text == "1";
}

// Megatron-LM's own words for what differs from silence.
std::vector<Word> megatron_words(const Scenario& scenario, const Scenario& silent) {
    std::vector<Word> words;
    for (const Field& field : field_table()) {
        const std::string text = get_text(scenario, field);
        if (text == get_text(silent, field) || (is_optional(field) && !is_set(scenario, field))) continue;
        if (field.key == "precision") {
            if (text != "fp32") words.push_back({&field, "--" + text, {}});
            continue;
        }
        if (field.flag.empty()) continue;
        if (field.key == "num_query_groups") words.push_back({&field, "--group-query-attention", {}});
        const std::string flag(field.flag);
        if (field.type == FieldType::boolean) {
            // A flag only goes one way: the other one is left to a comment.
            if (is_on(text) != field.negated) words.push_back({&field, flag, {}});
        } else if (!text.empty()) {
            words.push_back({&field, flag, text});
        }
    }
    return words;
}

std::string spaced(const Word& word) {
    std::string value = word.value;
    if (word.field->type == FieldType::words) {
        std::replace(value.begin(), value.end(), ',', ' ');
        return value;
    }
    return quoted(value);
}

std::string megatron_script(const Scenario& s, const Scenario& silent) {
    std::string text = "#!/bin/bash\nARGS=(\n";
    for (const Word& word : megatron_words(s, silent))
        text += fmt::format("    {}{}{}\n", word.flag, word.value.empty() ? "" : " ",
                            word.value.empty() ? "" : spaced(word));
    return text +
           fmt::format(")\ntorchrun --nnodes {} --nproc_per_node {} pretrain_gpt.py \"${{ARGS[@]}}\"\n",
                       s.nodes, s.gpus_per_node);
}

// For YAML: in double quotes, as JSON writes it, where it isn't plain.
std::string yaml_value(const Word& word) {
    if (word.value.empty()) return "true";
    std::string value = word.value;
    if (word.field->type == FieldType::words) return "[" + value + "]";
    const std::string shell = quoted(value);
    if (shell == value && value.find_first_of(":,@=") == std::string::npos) return value;
    std::string text = "\"";
    for (const char c : value) {
        if (c == '"' || c == '\\') text += '\\';
        text += c;
    }
    return text + "\"";
}

std::string yaml_map(const Scenario& s, const Scenario& silent) {
    std::string text = "MODEL_ARGS:\n";
    for (const Word& word : megatron_words(s, silent))
        text += fmt::format("  {}: {}\n", word.flag, yaml_value(word));
    return text;
}

// --- Megatron-Bridge: names of its configuration classes, as import/config_tables.cpp reads them
// ----------------

struct BridgeName {
    std::string_view key;
    std::string_view path;
    bool inverted = false;
};

constexpr std::array kBridgeNames = {
    BridgeName{"num_experts", "model.num_moe_experts"},
    BridgeName{"decoder_first_pipeline_num_layers", "model.num_layers_in_first_pipeline_stage"},
    BridgeName{"decoder_last_pipeline_num_layers", "model.num_layers_in_last_pipeline_stage"},
    BridgeName{"microbatch_group_size_per_virtual_pipeline_stage",
               "model.microbatch_group_size_per_vp_stage"},
    BridgeName{"untie_embeddings_and_output_weights", "model.share_embeddings_and_output_weights", true},
    BridgeName{"bias_swiglu_fusion", "model.bias_activation_fusion"},
    BridgeName{"swiglu", "model.gated_linear_unit"},
    BridgeName{"micro_batch_size", "train.micro_batch_size"},
    BridgeName{"global_batch_size", "train.global_batch_size"},
    BridgeName{"use_distributed_optimizer", "ddp.use_distributed_optimizer"},
    BridgeName{"num_distributed_optimizer_instances", "ddp.num_distributed_optimizer_instances"},
    BridgeName{"use_megatron_fsdp", "ddp.use_megatron_fsdp"},
    BridgeName{"data_parallel_sharding_strategy", "ddp.data_parallel_sharding_strategy"},
};

// "([0]*1+[1]*2)" -> "[0,1,1]": a list there, not an expression. A number stays.
std::string listed(const std::string& pattern) {
    const LayerPattern parsed = parse_layer_pattern(pattern);
    constexpr std::int64_t kLongest = 1000;
    if (parsed.every > 0 || !parsed.error.empty() || parsed.length() > kLongest) return pattern;
    std::string text;
    for (const bool moe : expand(parsed, parsed.length()))
        text += fmt::format("{}{}", text.empty() ? "" : ",", moe ? 1 : 0);
    return "[" + text + "]";
}

std::string bridge_lines(const Scenario& s, const Scenario& silent) {
    std::string text = "# Overrides of Megatron-Bridge's configuration\n";
    for (const Field& field : field_table()) {
        std::string value = get_text(s, field);
        const bool unset = is_optional(field) && !is_set(s, field);
        if (field.flag.empty() || unset || value.empty() || value == get_text(silent, field)) continue;
        const auto* const name = std::find_if(kBridgeNames.begin(), kBridgeNames.end(),
                                              [&](const BridgeName& n) { return n.key == field.key; });
        const bool named = name != kBridgeNames.end();
        const bool optimizer = field.group == Group::optimizer;
        const std::string path = named ? std::string(name->path)
                                       : fmt::format("{}.{}", optimizer ? "optimizer" : "model", field.key);
        if (field.type == FieldType::boolean)
            value = is_on(value) != (named && name->inverted) ? "true" : "false";
        if (field.type == FieldType::words) value = "[" + value + "]";
        if (field.type == FieldType::layer_pattern) value = listed(value);
        text += fmt::format("{}={}\n", path, quoted(value));
    }
    return text;
}

std::string swift_script(const Scenario& s, const Scenario& silent) {
    std::string text =
        fmt::format("#!/bin/bash\nNNODES={} NPROC_PER_NODE={} megatron sft", s.nodes, s.gpus_per_node);
    for (const Field& field : field_table()) {
        const std::string value = get_text(s, field);
        const bool unset = is_optional(field) && !is_set(s, field);
        if (field.flag.empty() || unset || value.empty() || value == get_text(silent, field)) continue;
        const Word word{&field, std::string(field.key), value};
        const bool boolean = field.type == FieldType::boolean;
        text += fmt::format(" \\\n    --{} {}", field.key == "seq_length" ? "max_length" : field.key,
                            boolean ? (is_on(value) ? "true" : "false") : spaced(word));
    }
    return text + "\n";
}

// num_dense_layers is megamem's short for a pattern, which is what others know.
Scenario with_pattern(Scenario s) {
    if (s.num_experts == 0 || !s.num_dense_layers || !s.num_layers || !s.moe_layer_freq.empty()) return s;
    const std::int64_t dense = std::min(*s.num_dense_layers, *s.num_layers);
    s.moe_layer_freq = fmt::format("([0]*{}+[1]*{})", dense, *s.num_layers - dense);
    return s;
}

std::string render(const Scenario& wanted, Configuration configuration) {
    const Scenario scenario = with_pattern(wanted);
    const Scenario silent = defaults_of(dialect_of(configuration));
    switch (configuration) {
        case Configuration::megatron:
            return megatron_script(scenario, silent);
        case Configuration::yaml:
            return yaml_map(scenario, silent);
        case Configuration::bridge:
            return bridge_lines(scenario, silent);
        case Configuration::swift:
            return swift_script(scenario, silent);
    }
    return {};
}

}  // namespace

std::optional<Configuration> configuration_named(std::string_view name) {
    const auto* const found = std::find(kConfigurationNames.begin(), kConfigurationNames.end(), name);
    if (found == kConfigurationNames.end()) return std::nullopt;
    return static_cast<Configuration>(found - kConfigurationNames.begin());
}

std::string export_configuration(const Scenario& scenario, Configuration configuration) {
    std::string text = render(scenario, configuration);
    // What the importer doesn't get back from those words is said in our own.
    const std::vector<Import> imports = {import_text(text)};
    const Scenario back = merge_imports(Scenario{}, imports).scenario;
    std::string comments;
    for (const Field& field : field_table()) {
        if (!equal(back, scenario, field)) comments += own_comment(field, get_text(scenario, field));
    }
    // Behind the first line, which can be a script's "#!".
    text.insert(text.starts_with("#!") ? text.find('\n') + 1 : 0, comments);
    return text;
}

}  // namespace megamem

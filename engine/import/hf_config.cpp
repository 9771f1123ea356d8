#include "import/hf_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/encoding.h"
#include "base/json_lenient.h"
#include "base/text.h"
#include "import/hf_lines.h"
#include "import/hf_parts.h"

namespace megamem {

namespace {

using hf::Model;

constexpr std::size_t kBeginning = 200'000;

// Keys that only a model's config has.
constexpr std::array<std::string_view, 14> kOwnKeys = {
    "hidden_size", "num_hidden_layers", "num_attention_heads", "intermediate_size",
    "model_type",  "text_config",       "architectures",       "n_embd",
    "n_layer",     "d_model",           "multiple_of",         "inter_dim",
    "n_heads",     "vision_config"};

bool has_own_key(std::string_view text) {
    for (const std::string_view key : kOwnKeys) {
        for (std::size_t at = text.find(key); at != std::string_view::npos; at = text.find(key, at + 1)) {
            const char before = at == 0 ? ' ' : text[at - 1];
            const std::size_t end = at + key.size();
            const char after = end < text.size() ? text[end] : ' ';
            if ((before == '"' || before == '\'') && after == before) return true;
        }
    }
    return false;
}

bool is_object(const Json& value, std::string_view key) {
    const auto found = value.find(std::string(key));
    return found != value.end() && found->is_object();
}

// The way to the language model's object: "", "text_config", "thinker_config.text_config", ...
std::string find_section(const Json& root) {
    constexpr std::array<std::string_view, 7> kSections = {
        "thinker_config", "text_config", "llm_config", "language_config",
        "language_model", "text_model",  "llm"};
    std::string path;
    const Json* at = &root;
    for (bool deeper = true; deeper;) {
        deeper = false;
        for (const std::string_view key : kSections) {
            if (!is_object(*at, key)) continue;
            path += fmt::format("{}{}", path.empty() ? "" : ".", key);
            at = &*at->find(std::string(key));
            deeper = true;
            break;
        }
    }
    return path;
}

const Json& section_of(const Json& root, std::string_view path) {
    const Json* at = &root;
    if (path.empty()) return *at;
    for (const std::string_view key : split(path, '.'))
        at = &*at->find(std::string(key));
    return *at;
}

std::string_view text_at(const Json& object, std::string_view key) {
    const auto found = object.find(std::string(key));
    return found != object.end() && found->is_string() ? found->get_ref<const std::string&>()
                                                       : std::string_view{};
}

std::string_view architecture_of(const Json& root) {
    const auto found = root.find("architectures");
    if (found == root.end() || !found->is_array() || found->empty() || !found->front().is_string()) return {};
    return found->front().get_ref<const std::string&>();
}

const Model* model_of(const Json& root, const Json& section) {
    for (const Json* object : {&section, &root}) {
        if (const Model* model = hf::find_model(text_at(*object, "model_type"))) return model;
    }
    if (text_at(root, "model_type").empty() && text_at(section, "model_type").empty()) {
        if (const Model* model = hf::find_model_of_architecture(architecture_of(root))) return model;
    }
    // DeepSeek's inference/configs and Meta's params.json have no model_type.
    if (root.contains("dim") && root.contains("n_layers")) {
        if (root.contains("inter_dim")) return hf::find_model("deepseek_native");
        if (root.contains("multiple_of")) return hf::find_model("meta");
    }
    return nullptr;
}

std::string describe(const Json& root, const Model* model) {
    if (model != nullptr && model->type == "deepseek_native")
        return "DeepSeek's own config of its inference code";
    if (model != nullptr && model->type == "meta") return "Meta's params.json";
    std::string_view type = text_at(root, "model_type");
    if (type.empty()) type = architecture_of(root);
    if (type.empty()) return "Hugging Face config.json without a model_type";
    const std::string name = model != nullptr ? std::string(type) : quote(type);
    return fmt::format("Hugging Face config.json ({}{})", name, model != nullptr ? "" : ", not known here");
}

// Not a config that names nothing but its type, nor no config at all.
bool has_any_size(const Import& import) {
    const auto is_bad = [](const Problem& problem) { return problem.code == "bad_value"; };
    if (std::any_of(import.problems.begin(), import.problems.end(), is_bad)) return true;
    return std::any_of(import.taken.begin(), import.taken.end(), [](const Taken& taken) {
        return taken.key == "num_layers" || taken.key == "hidden_size" ||
               taken.key == "num_attention_heads" || taken.key == "vocab_size" || taken.key == "num_experts";
    });
}

void ask_for_required(hf::Reader& reader) {
    constexpr std::array<std::string_view, 4> kRequired = {"num_layers", "hidden_size", "num_attention_heads",
                                                           "vocab_size"};
    for (const std::string_view field : kRequired) {
        if (!reader.is_set(field)) reader.ask(field, "", fmt::format("{} isn't in the file", field));
    }
    const Scenario& s = reader.scenario();
    const bool dense = s.num_experts == 0 || s.num_dense_layers.value_or(0) > 0 || !s.moe_layer_freq.empty();
    if (dense && !reader.is_set("ffn_hidden_size"))
        reader.ask("ffn_hidden_size", "intermediate_size",
                   "the width of the MLP (intermediate_size) isn't in the file");
}

void read(const Json& root, const std::vector<KeyPlace>& places, Import& import) {
    const std::string path = find_section(root);
    const Model* model = model_of(root, section_of(root, path));
    import.recognised = describe(root, model);
    hf::Reader reader(root, path, places, model, import);
    hf::read_sizes(reader);
    hf::read_attention(reader);
    hf::read_experts(reader);
    hf::read_vision(reader);
    ask_for_required(reader);
    hf::warn_about_layers(reader);
    hf::warn_about_attention(reader);
    reader.list_the_rest();
    std::stable_sort(import.taken.begin(), import.taken.end(), [](const Taken& a, const Taken& b) {
        // What no line says, because the model's class does, comes last: 0 - 1 is the largest.
        return a.line - 1 < b.line - 1;
    });
}

// The parsed text's object: a list of one object counts as that.
const Json* object_of(const Json& value, Problems& problems) {
    const auto refuse = [&](std::string message) -> const Json* {
        problems.push_back({Severity::error, "not_an_object", "", std::move(message)});
        return nullptr;
    };
    if (value.is_object()) return &value;
    if (!value.is_array()) return refuse(fmt::format("a config is a JSON object, not {}", kind_of(value)));
    if (value.size() != 1 || !value.front().is_object())
        return refuse(fmt::format("a config is one JSON object; this is an array of {} items", value.size()));
    problems.push_back({Severity::info, "array_of_one", "", "the config is the one item of an array"});
    return &value.front();
}

Import refused(Import import) {
    import.taken.clear();
    import.defaults.clear();
    import.questions.clear();
    return import;
}

}  // namespace

bool looks_like_hf_config(std::string_view bytes) {
    const auto decoded = utf16_to_utf8(bytes.substr(0, kBeginning));
    std::string_view text = decoded ? std::string_view(*decoded) : bytes.substr(0, kBeginning);
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    text = trim(text);
    // An object, an array of one, or a comment before it; not a script, which may have JSON in it.
    const bool starts = !text.empty() &&
                        std::string_view("{[/#").find(text.front()) != std::string_view::npos &&
                        !text.starts_with("#!");
    return (starts && has_own_key(text)) || hf::looks_like_lines(text);
}

Import import_hf_config(std::string_view bytes) {
    Import import;
    import.format = Format::hf_config;
    import.recognised = "Hugging Face config.json";
    if (auto other = describe_other_file(bytes)) {
        import.problems.push_back(std::move(*other));
        return import;
    }
    const auto decoded = utf16_to_utf8(bytes);
    std::string_view text = decoded ? std::string_view(*decoded) : bytes;
    if (decoded)
        import.problems.push_back({Severity::info, "utf16", "", "the text is UTF-16 and is read as such"});
    std::string written;
    if (hf::looks_like_lines(text)) text = written = hf::lines_to_json(text);

    std::vector<KeyPlace> places;
    const ReadJson json = read_lenient_json(text, places);
    import.problems.insert(import.problems.end(), json.problems.begin(), json.problems.end());
    if (has_error(json.problems)) {
        for (Problem& problem : import.problems) {
            if (problem.code == "bad_json") problem.message += "; nothing of it is used";
        }
        return import;
    }
    const Json* root = object_of(json.value, import.problems);
    if (root == nullptr) return import;
    if (json.value.is_array()) {
        // Keys inside arrays have no places: read the object alone.
        ReadJson alone = read_json(root->dump(-1, ' ', false, Json::error_handler_t::replace), places);
        for (KeyPlace& place : places)
            place.line = 0;
    }
    read(*root, places, import);
    if (!has_any_size(import)) {
        import.problems.push_back(
            {Severity::error, "no_dimensions", "",
             "this text has none of a model's sizes (hidden_size, num_hidden_layers, ...)"});
        return refused(std::move(import));
    }
    return import;
}

}  // namespace megamem

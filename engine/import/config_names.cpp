#include "import/config_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include "base/text.h"
#include "import/argument_names.h"
#include "import/argument_values.h"
#include "import/config_sections.h"
#include "import/config_tables.h"
#include "import/config_verl.h"
#include "import/megatron_arguments.h"
#include "scenario/field.h"

namespace megamem {

namespace {

Dialect dialect_of(ConfigStyle style) {
    switch (style) {
        case ConfigStyle::bridge:
        case ConfigStyle::nemo1:
        case ConfigStyle::nemo2:
        case ConfigStyle::verl:
            return Dialect::bridge;
        default:
            return Dialect::megatron;
    }
}

bool is_known(const std::string& canonical, Dialect dialect) {
    return canonical == "--group-query-attention" || canonical == "--world-size" ||
           canonical == "--padded-vocab-size" || find_alias(canonical, dialect) != nullptr ||
           find_argument_field(canonical).field != nullptr || find_known_flag(canonical, dialect).has_value();
}

// "bias_dropout_fusion" is the destination of --no-bias-dropout-fusion: a flag that says the opposite.
std::optional<std::string> opposite_flag(const std::string& canonical, Dialect dialect) {
    for (const std::string_view prefix : {"--no-", "--disable-"}) {
        std::string flag = std::string(prefix) + canonical.substr(2);
        if (is_known(flag, dialect)) return flag;
    }
    return std::nullopt;
}

std::string type_of(std::string_view value) {
    value = trim(value);
    if (value.starts_with("torch.")) value.remove_prefix(6);
    if (value == "bfloat16" || value.starts_with("bf16")) return "bf16";
    if (value == "float16" || value == "half" || value == "fp16" || value.starts_with("16")) return "fp16";
    if (value == "float32" || value == "float" || value == "fp32" || value.starts_with("32")) return "fp32";
    return {};
}

class SettingsReader {
  public:
    SettingsReader(std::vector<Setting> settings, ConfigStyle style, Format format)
        : settings_(std::move(settings)), style_(style), dialect_(dialect_of(style)), format_(format) {}

    Import read() {
        fill_placeholders(settings_);
        for (const Setting& setting : settings_)
            place(setting);
        if (style_ == ConfigStyle::verl) settle_verl();
        settle_attention();
        import_ = read_arguments(arguments_, format_, dialect_);
        import_.recognised = title_of(style_);
        add_direct();
        add_defaults();
        ask_for_model();
        append(import_.neutral, std::move(neutral_));
        append(import_.unknown, std::move(unknown_));
        for (Problem& problem : problems_)
            import_.problems.push_back(std::move(problem));
        tell_defaulted();
        return std::move(import_);
    }

  private:
    static constexpr std::size_t kMostMentions = 200;

    static void append(std::vector<Mention>& to, std::vector<Mention> from) {
        for (Mention& mention : from) {
            if (to.size() < 2 * kMostMentions) to.push_back(std::move(mention));
        }
    }

    // ${TP:4}: whoever sets TP gets another run.
    void tell_defaulted() {
        std::set<std::pair<std::string_view, std::size_t>> taken;
        for (const Taken& one : import_.taken)
            taken.emplace(one.source, one.line);
        std::vector<std::string_view> names;
        for (const Setting& setting : settings_) {
            if (setting.defaulted.empty() || names.size() >= 50 ||
                !taken.contains({setting.source, setting.line}) ||
                std::find(names.begin(), names.end(), setting.defaulted) != names.end())
                continue;
            names.push_back(setting.defaulted);
        }
        if (names.empty()) return;
        import_.problems.push_back(
            {Severity::info, "default_of_variable", "",
             fmt::format("variables that aren't set here have the defaults that the text gives: {}",
                         shown_source(fmt::format("{}", fmt::join(names, ", ")), 200))});
    }

    void mention(std::vector<Mention>& list, const Setting& setting, std::string note = {}) {
        if (list.size() == kMostMentions) note = "and more like it";
        if (list.size() <= kMostMentions) list.push_back({setting.source, setting.line, std::move(note)});
    }

    void warn(std::string_view code, const Setting& setting, std::string_view message) {
        if (problems_.size() < kMostMentions) {
            problems_.push_back(
                {Severity::warning, code, quote(name_of(setting), 60),
                 fmt::format("{} (line {}): {}", quote(setting.path, 80), setting.line, message)});
        }
    }

    void not_modelled(const Setting& setting) {
        if (!told_.insert(setting.path).second) return;
        warn("not_modelled", setting, "it changes memory and isn't modelled here");
    }

    void argument(std::string flag, std::string value, const Setting& setting) {
        Argument argument{
            std::move(flag), {std::move(value)}, setting.line, setting.source, setting.unresolved};
        arguments_.push_back(std::move(argument));
    }

    // TransformerEngine's switches, where no argument sets the backend (utils.py of its attention).
    void settle_attention() {
        const bool given = std::any_of(arguments_.begin(), arguments_.end(), [](const Argument& a) {
            return canonical_flag(a.flag) == "--attention-backend" &&
                   (a.values.empty() || !leaves_default(*find_field("attention_backend"), a.values[0]));
        });
        const auto off = [](const Setting* s) {
            return s != nullptr && s->unresolved.empty() && s->value == "0";
        };
        const bool flash = !off(flash_);
        const bool fused = !off(fused_);
        for (const Setting* variable : {flash_, fused_}) {
            if (variable == nullptr) continue;
            if (!variable->unresolved.empty() && !given)
                questions_.push_back(
                    {"attention_backend", variable->source, variable->line, variable->unresolved});
            else if (given || (flash && fused) || !off(variable))
                mention(neutral_, *variable);
        }
        if (given || (flash && fused)) return;
        argument("--attention-backend",
                 flash   ? "flash"
                 : fused ? "fused"
                         : "unfused",
                 flash ? *fused_ : *flash_);
    }

    // A field without a flag.
    void direct(std::string_view key, std::string value, const Setting& setting) {
        if (!setting.unresolved.empty()) {
            questions_.push_back({key, setting.source, setting.line, setting.unresolved});
        } else {
            direct_.push_back({key, std::move(value), setting.source, setting.line});
        }
    }

    void place(const Setting& setting) {
        Located located = locate(setting.path, style_);
        if (setting.path.starts_with("--")) {
            located = {Section::taken, setting.path};  // a flag of what starts the processes
        } else if (format_ == Format::overrides && located.section == Section::unknown &&
                   setting.path.find('.') == std::string::npos) {
            // A keyword argument of a recipe; every other such name is a variable of the program around.
            if (setting.variable || !is_name(setting.path)) return;
            located = {Section::taken, setting.path};
        }
        switch (located.section) {
            case Section::taken:
                take(located.name, setting);
                break;
            case Section::neutral:
                mention(neutral_, setting);
                break;
            case Section::environment:
                take_variable(located.name, setting);
                break;
            case Section::adapter:
                if (!means_off(setting.value)) adapter_ = true;
                mention(neutral_, setting);
                break;
            case Section::model_choice:
                model_ = &setting;
                break;
            case Section::elsewhere:
                mention(neutral_, setting, "of another model or phase");
                break;
            case Section::unknown:
                mention(unknown_, setting);
                break;
        }
    }

    bool is_name(std::string_view name) const {
        for (const std::string_view special :
             {"num_gpus_per_node", "devices", "n_gpus_per_node", "mixed_precision"}) {
            if (name == special) return true;
        }
        return find_config_name(name, style_) != nullptr || is_known(canonical_flag(name), dialect_);
    }

    void take_variable(std::string_view name, const Setting& setting) {
        if (name == "NVTE_ALLOW_NONDETERMINISTIC_ALGO") {
            direct("nvte_allow_nondeterministic_algo", means_off(setting.value) ? "0" : "1", setting);
        } else if (name == "CUBLAS_WORKSPACE_CONFIG") {
            direct("cublas_workspace_config", setting.value, setting);
        } else if (name == "NVTE_FLASH_ATTN" || name == "NVTE_FUSED_ATTN") {
            (name == "NVTE_FLASH_ATTN" ? flash_ : fused_) = &setting;
        } else {
            mention(neutral_, setting);
        }
    }

    void take(std::string_view name, const Setting& setting) {
        if (name.empty()) {
            mention(neutral_, setting);
        } else if (name.find('.') != std::string_view::npos) {
            mention(unknown_, setting);
        } else if (!take_special(name, setting) && !take_in_style(name, setting)) {
            take_name(name, setting);
        }
    }

    void take_name(std::string_view name, const Setting& setting) {
        if (const ConfigName* known =
                style_ == ConfigStyle::flags ? nullptr : find_config_name(name, style_)) {
            switch (known->use) {
                case NameUse::same:
                    argument(std::string(known->flag), setting.value, setting);
                    break;
                case NameUse::inverted:
                    argument(std::string(known->flag), means_off(setting.value) ? "true" : "false", setting);
                    break;
                case NameUse::neutral:
                    mention(neutral_, setting);
                    break;
                case NameUse::matters:
                    means_off(setting.value) ? mention(neutral_, setting) : not_modelled(setting);
                    break;
            }
            return;
        }
        const std::string canonical = canonical_flag(name);
        if (canonical.size() > 2 && !is_known(canonical, dialect_)) {
            if (const auto opposite = opposite_flag(canonical, dialect_)) {
                argument(*opposite, means_off(setting.value) ? "true" : "false", setting);
                return;
            }
        }
        argument(std::string(name), setting.value, setting);
    }

    // Names that stand for several arguments, or for one with another value. In every style.
    bool take_special(std::string_view name, const Setting& setting) {
        if (style_ == ConfigStyle::flags) return false;
        const bool on = !means_off(setting.value);
        if (name == "grad_reduce_in_fp32") {
            // arguments.py@d98e8a64: grad_reduce_in_fp32 = accumulate_allreduce_grads_in_fp32, which bf16
            // sets unless --grad-reduce-in-bf16.
            argument("accumulate_allreduce_grads_in_fp32", on ? "true" : "false", setting);
            argument("grad_reduce_in_bf16", on ? "false" : "true", setting);
        } else if ((name == "params_dtype" && style_ != ConfigStyle::dump) ||
                   (name == "dtype" && style_ == ConfigStyle::verl)) {
            take_type(setting);
        } else if (name == "activation_func" && style_ == ConfigStyle::megatron_yaml) {
            // yaml_arguments.py@d98e8a64: "swiglu" is the gated SiLU.
            if (setting.value == "swiglu")
                argument("--swiglu", "true", setting);
            else
                mention(neutral_, setting);
        } else if (name == "num_query_groups" && style_ == ConfigStyle::megatron_yaml) {
            // Straight into TransformerConfig: it counts without group_query_attention.
            if (on) arguments_.push_back({"--group-query-attention", {}, setting.line, setting.source, {}});
            argument("--num-query-groups", setting.value, setting);
        } else if (name == "group_query_attention" && style_ == ConfigStyle::megatron_yaml) {
            mention(neutral_, setting);
        } else if (name == "freeze_language_model" || name == "freeze_vision_model" ||
                   name == "freeze_vision_tower") {
            argument(name == "freeze_language_model" ? "--freeze-LM" : "--freeze-ViT", on ? "true" : "false",
                     setting);
        } else if (name == "devices" || name == "n_gpus_per_node" || name == "num_gpus_per_node" ||
                   name == "gpus_per_node") {
            take_devices(setting);
        } else {
            return false;
        }
        return true;
    }

    void take_devices(const Setting& setting) {
        Setting known = setting;
        if (known.unresolved.empty() && !parse_unsigned(trim(known.value)))
            known.unresolved = "as many GPUs as a node has: how many?";
        argument("gpus_per_node", known.value, known);
    }

    void take_type(const Setting& setting) {
        const std::string type = type_of(setting.value);
        if (!type.empty() || !setting.unresolved.empty()) {
            if (type == "fp32" || type.empty())
                direct("precision", type, setting);
            else
                argument("--" + type, "true", setting);
        } else {
            warn("unknown_choice", setting, fmt::format("{} is no precision", quote(setting.value)));
        }
    }

    bool take_in_style(std::string_view name, const Setting& setting) {
        switch (style_) {
            case ConfigStyle::bridge:
            case ConfigStyle::nemo2:
                if (name == "mixed_precision" || (name == "plugins" && style_ == ConfigStyle::nemo2)) {
                    take_precision_recipe(setting);
                    return true;
                }
                return false;
            case ConfigStyle::nemo1:
                return take_nemo1(name, setting);
            case ConfigStyle::verl:
                return verl_.take(name, setting);
            case ConfigStyle::primus:
                if (name != "framework") return false;
                if (setting.value == "megatron")
                    mention(neutral_, setting);
                else
                    warn("not_modelled", setting,
                         fmt::format("{} isn't Megatron-LM: its memory isn't modelled here",
                                     quote(setting.value)));
                return true;
            default:
                return false;
        }
    }

    void take_precision_recipe(const Setting& setting) {
        std::string name = setting.value;
        std::replace(name.begin(), name.end(), '-', '_');
        while (name.ends_with(')') || name.ends_with('('))
            name.pop_back();
        if (!setting.unresolved.empty() || name == "None") {
            direct("precision", "fp32", setting);
            return;
        }
        std::string_view rest = name;
        // Two models' own recipes: which layers stay in bf16 decides few bytes.
        for (const std::string_view prefix : {"nemotron_h_", "nanov2_", "nemotron_3_super_"}) {
            if (rest.starts_with(prefix)) rest.remove_prefix(prefix.size());
        }
        const bool half = rest.starts_with("fp16_");
        if (half || rest.starts_with("bf16_")) {
            rest.remove_prefix(5);
            const PrecisionRecipe* recipe = find_precision_recipe(rest);
            const bool known = recipe != nullptr;
            const bool fp4 = rest == "with_nvfp4_mixed";
            if (known || fp4 || rest == "mixed") {
                argument(half ? "--fp16" : "--bf16", "true", setting);
                if (known) {
                    argument("--fp8-format", std::string(recipe->format), setting);
                    // nanov2's is blockwise where the others of its name are tensorwise.
                    argument("--fp8-recipe",
                             name.starts_with("nanov2_") ? "blockwise" : std::string(recipe->recipe),
                             setting);
                    argument("--fp8-param-gather", std::string(recipe->param_gather), setting);
                }
                if (fp4) argument("--fp4-format", "e2m1", setting);
                return;
            }
        }
        warn("unknown_choice", setting,
             fmt::format("{} is no recipe of Megatron-Bridge that is known here", quote(setting.value, 60)));
    }

    bool take_nemo1(std::string_view name, const Setting& setting) {
        const std::string& value = setting.value;
        const bool on = !means_off(value);
        if (name == "precision") {
            take_type(setting);
        } else if (name == "normalization" && setting.unresolved.empty()) {
            argument("--normalization",
                     value == "rmsnorm"               ? "RMSNorm"
                     : value.starts_with("layernorm") ? "LayerNorm"
                                                      : value,
                     setting);
        } else if (name == "activation" && setting.unresolved.empty()) {
            argument("--swiglu", value.find("glu") != std::string::npos ? "true" : "false", setting);
        } else if (name == "transformer_engine") {
            argument("--transformer-impl", on ? "transformer_engine" : "local", setting);
        } else if (name == "megatron_amp_O2") {
            on ? mention(neutral_, setting) : not_modelled(setting);
        } else if (name == "name" && setting.path == "model.optim.name") {
            const bool distributed = value.find("distributed") != std::string::npos;
            argument("--use-distributed-optimizer", distributed ? "true" : "false", setting);
        } else {
            return false;
        }
        return true;
    }

    void settle_verl() {
        verl_.settle();
        std::move(verl_.arguments.begin(), verl_.arguments.end(), std::back_inserter(arguments_));
        for (const auto& [setting, note] : verl_.neutral)
            mention(neutral_, *setting, std::string(note));
        for (const Setting* setting : verl_.foreign) {
            warn("not_modelled", *setting,
                 fmt::format("{} isn't Megatron-LM: its memory isn't modelled here", quote(setting->value)));
        }
    }

    bool is_said(std::string_view key) const {
        const auto same = [&](const auto& item) { return item.key == key; };
        return std::any_of(import_.taken.begin(), import_.taken.end(), same) ||
               std::any_of(import_.questions.begin(), import_.questions.end(), same);
    }

    void drop_default(std::string_view key) {
        std::erase_if(import_.defaults, [&](const Taken& taken) { return taken.key == key; });
    }

    // Fields that no argument of Megatron-LM sets.
    void add_direct() {
        Scenario scratch;
        for (Taken& taken : direct_) {
            const Field& field = *find_field(taken.key);
            if (auto problem = set_text(scratch, field, taken.value)) {
                problem->severity = Severity::warning;
                problem->message =
                    fmt::format("{} (line {}): {}", taken.source, taken.line, problem->message);
                import_.problems.push_back(std::move(*problem));
                continue;
            }
            const auto old = std::find_if(import_.taken.begin(), import_.taken.end(),
                                          [&](const Taken& t) { return t.key == taken.key; });
            taken.value = get_text(scratch, field);
            if (old != import_.taken.end()) {
                import_.problems.push_back({old->value == taken.value ? Severity::info : Severity::warning,
                                            "repeated_flag", std::string(taken.key),
                                            fmt::format("{} says {}, and {} says {}; the latter counts",
                                                        old->source, old->value, taken.source, taken.value)});
                import_.taken.erase(old);
            }
            drop_default(taken.key);
            import_.taken.push_back(std::move(taken));
        }
        for (Question& question : questions_) {
            drop_default(question.key);
            import_.questions.push_back(std::move(question));
        }
        if (adapter_) {
            import_.problems.push_back(
                {Severity::warning, "not_modelled", "peft",
                 "adapters (LoRA and the like) change what is trained and aren't modelled "
                 "here: the figures are of full training"});
        }
    }

    void add_defaults() {
        // NeMo 1's YAML says all itself; nothing is known of what it leaves out.
        if (style_ == ConfigStyle::nemo1) import_.defaults.clear();
        for (const ConfigDefault& row : defaults_of(style_)) {
            if (is_said(row.key)) continue;
            drop_default(row.key);
            import_.defaults.push_back({row.key, std::string(row.value), "", 0});
        }
    }

    void ask_for_model() {
        if (model_ == nullptr) return;
        if (is_said("num_layers")) {
            mention(neutral_, *model_);
            return;
        }
        import_.questions.push_back(
            {"num_layers", model_->source, model_->line,
             "the model is described elsewhere: paste that file or its config.json too, "
             "or start from a preset"});
    }

    std::vector<Setting> settings_;
    ConfigStyle style_;
    Dialect dialect_;
    Format format_;
    Import import_;
    std::vector<Argument> arguments_;
    std::vector<Taken> direct_;
    std::vector<Question> questions_;
    std::vector<Mention> neutral_;
    std::vector<Mention> unknown_;
    Problems problems_;
    const Setting* model_ = nullptr;
    const Setting* flash_ = nullptr;  // TransformerEngine's variables
    const Setting* fused_ = nullptr;
    bool adapter_ = false;
    std::set<std::string> told_;  // paths that aren't modelled
    VerlSizes verl_;
};

bool begins(const std::vector<Setting>& settings, std::string_view prefix) {
    return std::any_of(settings.begin(), settings.end(), [&](const Setting& s) {
        return s.path.starts_with(prefix) &&
               (prefix.ends_with('.') || s.path.size() == prefix.size() || s.path[prefix.size()] == '.');
    });
}

}  // namespace

std::string_view title_of(ConfigStyle style) {
    switch (style) {
        case ConfigStyle::flags:
            return "Megatron-LM's model_config.yaml";
        case ConfigStyle::arguments:
            return "a map of Megatron-LM arguments";
        case ConfigStyle::megatron_yaml:
            return "Megatron-LM's --yaml-cfg";
        case ConfigStyle::primus:
            return "Primus configuration";
        case ConfigStyle::mindspeed:
            return "MindSpeed configuration";
        case ConfigStyle::bridge:
            return "Megatron-Bridge configuration";
        case ConfigStyle::nemo1:
            return "NeMo 1 configuration";
        case ConfigStyle::nemo2:
            return "NeMo 2 configuration";
        case ConfigStyle::verl:
            return "verl configuration";
        case ConfigStyle::dump:
            return "argument lines of Megatron-LM's log";
    }
    return "";
}

ConfigStyle style_of(const std::vector<Setting>& settings) {
    const auto has = [&](std::string_view prefix) { return begins(settings, prefix); };
    if (has("MODEL_ARGS")) return ConfigStyle::flags;
    if (has("modules")) return ConfigStyle::primus;
    if (has("megatron_training")) return ConfigStyle::mindspeed;
    if (has("actor_rollout_ref") || has("engine.override_transformer_config")) return ConfigStyle::verl;
    if (has("language_model") || has("model_parallel")) return ConfigStyle::megatron_yaml;
    if (has("trainer.strategy") || has("model.config") || has("optim.config") || has("trainer.plugins"))
        return ConfigStyle::nemo2;
    if (has("trainer") && (has("model") || has("exp_manager"))) return ConfigStyle::nemo1;
    if (has("data.seq_length") || has("data.global_batch_size") || has("data.micro_batch_size"))
        return ConfigStyle::nemo2;
    for (const std::string_view section :
         {"model", "train", "ddp", "mixed_precision", "comm_overlap", "dataset"}) {
        if (has(fmt::format("{}.", section)) || (section == "mixed_precision" && has(section)))
            return ConfigStyle::bridge;
    }
    const bool flags = std::any_of(settings.begin(), settings.end(),
                                   [](const Setting& s) { return s.path.starts_with("--"); });
    return flags ? ConfigStyle::flags : ConfigStyle::arguments;
}

std::size_t known_in(const std::vector<Setting>& settings, ConfigStyle style) {
    std::set<std::string_view> fields;
    for (const Setting& setting : settings) {
        const Located located = locate(setting.path, style);
        if (located.section != Section::taken || located.name.empty()) continue;
        const ConfigName* name =
            style == ConfigStyle::flags ? nullptr : find_config_name(located.name, style);
        const std::string canonical =
            canonical_flag(name != nullptr && !name->flag.empty() ? name->flag : located.name);
        if (find_argument_field(canonical).field != nullptr ||
            find_alias(canonical, dialect_of(style)) != nullptr)
            fields.insert(located.name);
    }
    return fields.size();
}

Import read_settings(std::vector<Setting> settings, ConfigStyle style, Format format) {
    return SettingsReader(std::move(settings), style, format).read();
}

}  // namespace megamem

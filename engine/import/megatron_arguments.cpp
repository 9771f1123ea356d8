#include "import/megatron_arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "base/text.h"
#include "import/argument_defaults.h"
#include "import/argument_names.h"
#include "import/argument_values.h"
#include "import/mindspeed.h"
#include "import/multimodal.h"
#include "scenario/field.h"

namespace megamem {

namespace {

// A hostile text can be wrong a million times; people read the first of it.
constexpr std::size_t kMostMentions = 200;
// Looking for a near name is slow; so many are looked for.
constexpr int kMostSuggestions = 20;

std::string source_of(const Argument& argument) {
    if (!argument.source.empty()) return argument.source;
    std::string text = argument.flag;
    for (const std::string& value : argument.values) {
        if (text.size() > 100) return text + " …";
        text += ' ';
        text += value.size() > 100 ? value.substr(0, 100) : value;
    }
    return text;
}

// Values that a log prints of flags nobody gave; the defaults of arguments.py and of core v0.14 to v0.16.
bool is_default(std::string_view flag, const Argument& argument) {
    struct Default {
        std::string_view flag;
        std::string_view value;
    };
    constexpr std::array kDefaults = {
        Default{"--mlp-chunks-for-training", "1"},
        Default{"--moe-dispatch-fwd-dtype", "bf16"},
        Default{"--moe-combine-bwd-dtype", "bf16"},
        Default{"--megatron-fsdp-main-params-dtype", "fp32"},
        Default{"--megatron-fsdp-main-params-dtype", "torch.float32"},
        Default{"--megatron-fsdp-grad-comm-dtype", "auto"},
        Default{"--num-frames", "1"},
        Default{"--cuda-graph-scope", "full"},
    };
    if (argument.values.size() != 1) return false;
    const std::string& value = argument.values.front();
    return value == "[]" || std::any_of(kDefaults.begin(), kDefaults.end(), [&](const Default& row) {
               return row.flag == flag && row.value == value;
           });
}

std::string at_line(std::size_t line) {
    return line == 0 ? std::string() : fmt::format(" (line {})", line);
}

class ArgumentReader {
  public:
    explicit ArgumentReader(Dialect dialect) : dialect_(dialect), scratch_(defaults_of(dialect)) {}

    Import read(const std::vector<Argument>& arguments) {
        for (const Argument& argument : arguments)
            take(argument);
        settle();
        tell_repeated();
        drop_replaced();
        add_defaults();
        if (left_out_ > 0) {
            import_.problems.push_back({Severity::warning, "more_problems", "",
                                        fmt::format("{} more problems of this kind", left_out_)});
        }
        return std::move(import_);
    }

  private:
    // What stands in the text for one field.
    struct Slot {
        std::size_t taken = kNone;
        std::size_t question = kNone;
        int times = 0;
        bool differs = false;
        std::string flag;  // as last written
    };
    static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

    void take(const Argument& argument) {
        const std::string flag = canonical_flag(argument.flag);
        if (take_special(flag, argument)) return;
        if (const Alias* alias = find_alias(flag, dialect_)) {
            take_alias(*alias, argument);
            return;
        }
        const NamedField named = find_argument_field(flag);
        if (named.field == nullptr) {
            take_known(flag, argument);
        } else {
            take_field(*named.field, named.by_key, argument);
        }
    }

    // Flags that no one field has; settle() puts them together.
    bool take_special(const std::string& flag, const Argument& argument) {
        const bool on = !is_off(argument);
        if (flag == "--group-query-attention") {
            grouped_ = on ? &argument : nullptr;
            if (!on) mention(import_.neutral, argument, {});
        } else if (flag == "--recompute-activations") {
            recompute_activations_ = on ? &argument : nullptr;
        } else if (flag == "--moe-layer-recompute") {
            recompute_moe_ = on ? &argument : nullptr;
        } else if (is_one_of(flag, {"--freeze-LM", "--freeze-llm", "--freeze-language-model"})) {
            freeze(freezes_language_, argument);
        } else if (is_one_of(flag, {"--freeze-ViT", "--freeze-vit", "--freeze-vision-model",
                                    "--freeze-vision-tower", "--freeze-clip-vision-tower"})) {
            freeze(freezes_vision_, argument);
        } else if (is_one_of(flag, {"--checkpoint-activations", "--activations-checkpoint-method"})) {
            old_recompute_ = on ? &argument : nullptr;
        } else if (flag == "--cuda-graph-scope" && !is_default(flag, argument) &&
                   fits_graph_modules(argument)) {
            take_field(*find_field("cuda_graph_modules"), true, argument);  // its name before
        } else if (flag == "--world-size") {
            world_size_ = &argument;
        } else if (flag == "--padded-vocab-size") {
            padded_vocabulary_ = &argument;
        } else if (dialect_ == Dialect::swift && (flag == "--tuner-type" || flag == "--train-type")) {
            const bool full = !argument.values.empty() && argument.values.front() == "full";
            full ? mention(import_.neutral, argument, {}) : not_modelled(argument);
        } else if (dialect_ == Dialect::swift && (flag.starts_with("--lora-") || flag == "--rlhf-type")) {
            not_modelled(argument);
        } else if (dialect_ == Dialect::swift && flag == "--model") {
            model_ = &argument;
        } else {
            const bool valued = !argument.values.empty() || !argument.unresolved.empty();
            if ((flag == "--tokenizer-model" || flag == "--tokenizer-type") && valued) tokenizer_ = &argument;
            if (flag == "--vocab-file") tokenizer_ = &argument;
            if (flag == "--use-checkpoint-args" && on) checkpoint_ = &argument;
            if (flag == "--use-dynamic-batch-size" && on) packed_ = &argument;
            if (flag == "--max-tokens-per-gpu") packed_tokens_ = &argument;
            return false;
        }
        return true;
    }

    static bool is_one_of(std::string_view flag, std::initializer_list<std::string_view> flags) {
        return std::find(flags.begin(), flags.end(), flag) != flags.end();
    }

    static bool fits_graph_modules(const Argument& argument) {
        const Field& field = *find_field("cuda_graph_modules");
        Scenario scratch;
        return !argument.unresolved.empty() ||
               !set_text(scratch, field, read_value(field, argument.values).text);
    }

    void freeze(const Argument*& part, const Argument& argument) {
        part = is_off(argument) && argument.unresolved.empty() ? nullptr : &argument;
        if (part == nullptr) mention(import_.neutral, argument, {});
    }

    void take_alias(const Alias& alias, const Argument& argument) {
        const Field& field = *find_field(alias.key);
        if (alias.value.empty()) {
            take_field(field, true, argument);
            return;
        }
        if (!argument.unresolved.empty()) {
            ask(field, argument, argument.unresolved);
        } else if (is_off(argument)) {
            mention(import_.neutral, argument, {});
        } else {
            set(field, std::string(alias.value), argument, {});
            tell_stray_switch(argument);
        }
    }

    void take_field(const Field& field, bool by_key, const Argument& argument) {
        if (!argument.unresolved.empty()) {
            ask(field, argument, argument.unresolved);
            return;
        }
        if (field.type == FieldType::boolean) {
            const bool negated = field.negated && !by_key;
            set(field, is_off(argument) == negated ? "1" : "0", argument, {});
            tell_stray_switch(argument);
            return;
        }
        if (argument.values.empty()) {
            warn("missing_value", field.key, fmt::format("{}: no value is given", argument.flag));
            return;
        }
        if (leaves_default(field, argument.values.front())) {
            forget(field.key, "replaced by None");
            mention(import_.neutral, argument, "None leaves it as it is by default");
            return;
        }
        const ReadValue value = read_value(field, argument.values);
        if (!value.ask.empty()) {
            ask(field, argument, value.ask);
            return;
        }
        set(field, value.text, argument, value.note);
        const bool list = field.type == FieldType::words || field.type == FieldType::layer_pattern ||
                          field.type == FieldType::layout || field.key == "cp_comm_type";
        if (argument.values.size() > 1 && !list) stray(argument, 1);
    }

    void take_known(const std::string& flag, const Argument& argument) {
        const auto known = find_known_flag(flag, dialect_);
        if (!known) {
            // A switch in the middle of a word list would make thousands of them: each name once.
            std::string near = suggestions_ < kMostSuggestions ? similar_flag(flag) : std::string();
            ++suggestions_;
            mention(import_.unknown, argument, near.empty() ? "" : fmt::format("{} is meant?", near));
        } else if (!known->matters || is_off(argument) || is_default(flag, argument)) {
            mention(import_.neutral, argument, {});
        } else {
            not_modelled(argument);
        }
    }

    void not_modelled(const Argument& argument) {
        if (!told_.insert(argument.flag).second) return;
        warn("not_modelled", argument.flag,
             fmt::format("{} changes memory and isn't modelled here", argument.flag));
    }

    void mention(std::vector<Mention>& list, const Argument& argument, std::string note) {
        if (!told_.insert(argument.flag).second) return;
        if (list.size() == kMostMentions) note = "and more like it";
        if (list.size() > kMostMentions) return;
        list.push_back({source_of(argument), argument.line, std::move(note)});
    }

    static bool is_off(const Argument& argument) {
        return !argument.values.empty() && means_off(argument.values.front());
    }

    void warn(std::string_view code, std::string_view path, std::string message) {
        if (import_.problems.size() >= kMostMentions) {
            ++left_out_;
            return;
        }
        import_.problems.push_back({Severity::warning, code, std::string(path), std::move(message)});
    }

    void tell_stray_switch(const Argument& argument) {
        if (argument.values.empty() || is_off(argument)) return;
        if (const std::size_t from = means_on(argument.values.front()) ? 1 : 0; from < argument.values.size())
            stray(argument, from);
    }

    void stray(const Argument& argument, std::size_t from) {
        warn("stray_word", argument.flag,
             fmt::format("{}{}: {} belongs to no flag", argument.flag, at_line(argument.line),
                         quote(argument.values[from])));
    }

    void set(const Field& field, const std::string& value, const Argument& argument,
             const std::string& note) {
        if (auto problem = set_text(scratch_, field, value)) {
            warn(problem->code, problem->path,
                 fmt::format("{}{}: {}", argument.flag, at_line(argument.line), problem->message));
            return;
        }
        if (!note.empty())
            warn("reading", field.key, fmt::format("{}{}: {}", argument.flag, at_line(argument.line), note));
        Slot& slot = slots_[field.key];
        std::string text = get_text(scratch_, field);
        if (slot.taken != kNone && import_.taken[slot.taken].value != text) slot.differs = true;
        replace(slot);
        slot.taken = import_.taken.size();
        slot.flag = argument.flag;
        ++slot.times;
        import_.taken.push_back({field.key, std::move(text), source_of(argument), argument.line});
    }

    void ask(const Field& field, const Argument& argument, std::string_view why) {
        Slot& slot = slots_[field.key];
        replace(slot);
        slot.question = import_.questions.size();
        import_.questions.push_back({field.key, source_of(argument), argument.line, std::string(why)});
    }

    // What stood for the field before; drop_replaced() takes it out.
    void replace(Slot& slot) {
        if (slot.taken != kNone) dead_.insert(slot.taken);
        if (slot.question != kNone) dead_questions_.insert(slot.question);
        slot.taken = slot.question = kNone;
    }

    void drop_replaced() {
        const auto without = [](auto& list, const std::set<std::size_t>& dead) {
            if (dead.empty()) return;
            std::size_t at = 0;
            std::size_t kept = 0;
            for (auto& item : list) {
                if (!dead.contains(at++)) {
                    if (&list[kept] != &item) list[kept] = std::move(item);
                    ++kept;
                }
            }
            list.resize(kept);
        };
        without(import_.taken, dead_);
        without(import_.questions, dead_questions_);
    }

    void tell_repeated() {
        for (const auto& [key, slot] : slots_) {
            if (slot.times < 2 || slot.taken == kNone) continue;
            const Taken& last = import_.taken[slot.taken];
            import_.problems.push_back({slot.differs ? Severity::warning : Severity::info, "repeated_flag",
                                        std::string(key),
                                        fmt::format("{} is given {} times; the last, {}{}, counts", slot.flag,
                                                    slot.times, last.value, at_line(last.line))});
        }
    }

    bool is_taken(std::string_view key) const {
        const auto found = slots_.find(key);
        return found != slots_.end() && found->second.taken != kNone;
    }

    bool is_asked(std::string_view key) const {
        const auto found = slots_.find(key);
        return found != slots_.end() && found->second.question != kNone;
    }

    bool is_said(std::string_view key) const { return is_taken(key) || is_asked(key); }

    // A value that a switch of another name decides, whatever else was said.
    void overrule(std::string_view key, const std::string& value, const Argument& argument) {
        const Field& field = *find_field(key);
        replace(slots_[field.key]);
        slots_[field.key].times = 0;
        set(field, value, argument, {});
    }

    void forget(std::string_view key, const std::string& note) {
        const auto found = slots_.find(key);
        if (found == slots_.end() || found->second.taken == kNone) return;
        const Taken& taken = import_.taken[found->second.taken];
        import_.neutral.push_back({taken.source, taken.line, note});
        copy_field(scratch_, defaults_of(dialect_), *find_field(key));
        replace(found->second);
        slots_.erase(found);
    }

    bool gives_model() const { return is_said("num_layers") || is_said("hidden_size"); }

    // What depends on several flags.
    void settle() {
        settle_groups();
        settle_recompute();
        settle_frozen();
        settle_world();
        settle_vocabulary();
        settle_packed();
        // A pattern of MoE layers means nothing without experts.
        if (dialect_ == Dialect::megatron && gives_model() && !is_asked("num_experts") &&
            (!is_taken("num_experts") || scratch_.num_experts == 0)) {
            forget("moe_layer_freq", "counts only with --num-experts");
        }
        if (checkpoint_ != nullptr && !is_said("num_layers")) {
            import_.questions.push_back(
                {"num_layers", source_of(*checkpoint_), checkpoint_->line,
                 "the model's shape stands in the checkpoint: give it, or paste its config.json"});
        }
        if (model_ != nullptr && !is_said("num_layers")) {
            import_.questions.push_back(
                {"num_layers", source_of(*model_), model_->line,
                 "the model's shape stands in its config.json: paste that too, or start from a preset"});
        }
    }

    void settle_groups() {
        if (dialect_ != Dialect::megatron) {
            if (grouped_ != nullptr) mention(import_.neutral, *grouped_, {});
            return;
        }
        // num_query_groups counts only with --group-query-attention, and is 1 then unless it is given
        // (arguments.py@d98e8a64).
        if (grouped_ == nullptr) {
            forget("num_query_groups", "counts only with --group-query-attention");
        } else if (!grouped_->unresolved.empty()) {
            import_.questions.push_back(
                {"num_query_groups", source_of(*grouped_), grouped_->line, grouped_->unresolved});
        } else if (!is_said("num_query_groups")) {
            set(*find_field("num_query_groups"), "1", *grouped_, {});
        } else {
            mention(import_.neutral, *grouped_, "makes num_query_groups count");
        }
    }

    void settle_frozen() {
        if (freezes_language_ == nullptr && freezes_vision_ == nullptr) return;
        const Field& field = *find_field("frozen");
        const Argument& one = freezes_language_ != nullptr ? *freezes_language_ : *freezes_vision_;
        for (const Argument* part : {freezes_language_, freezes_vision_}) {
            if (part == nullptr || part->unresolved.empty()) continue;
            ask(field, *part, part->unresolved);
            return;
        }
        if (freezes_language_ == nullptr || freezes_vision_ == nullptr) {
            set(field, freezes_language_ != nullptr ? "language" : "vision", one, {});
            return;
        }
        Argument both = one;
        both.source = fmt::format("{}, {}", source_of(*freezes_language_), source_of(*freezes_vision_));
        set(field, "language_and_vision", both, {});
    }

    // Full recompute before --recompute-granularity: megatron/arguments.py of v2.0 to v3.0.
    void settle_old_recompute() {
        if (old_recompute_ == nullptr || is_said("recompute_granularity")) return;
        const Argument& old = *old_recompute_;
        if (!old.unresolved.empty()) {
            ask(*find_field("recompute_granularity"), old, old.unresolved);
            return;
        }
        set(*find_field("recompute_granularity"), "full", old, {});
        const bool block = !old.values.empty() && old.values.front() == "block";
        if (!is_said("recompute_method"))
            set(*find_field("recompute_method"), block ? "block" : "uniform", old, {});
        if (!is_said("recompute_num_layers")) set(*find_field("recompute_num_layers"), "1", old, {});
    }

    void settle_recompute() {
        settle_old_recompute();
        const auto granularity = [&] { return scratch_.recompute_granularity; };
        // --recompute-activations rules, wherever it stands (arguments.py:1040@d98e8a64).
        if (recompute_activations_ != nullptr) {
            if (!recompute_activations_->unresolved.empty()) {
                ask(*find_field("recompute_granularity"), *recompute_activations_,
                    recompute_activations_->unresolved);
            } else {
                overrule("recompute_granularity", "selective", *recompute_activations_);
            }
        }
        // Its own doc: short for selective recompute of the module "moe" (transformer_config.py@d98e8a64).
        if (recompute_moe_ != nullptr && recompute_moe_->unresolved.empty() &&
            granularity() != RecomputeGranularity::full) {
            std::string modules = get_text(scratch_, *find_field("recompute_modules"));
            if (modules.empty() && granularity() == RecomputeGranularity::selective) modules = "core_attn";
            if (!is_said("recompute_granularity"))
                overrule("recompute_granularity", "selective", *recompute_moe_);
            overrule("recompute_modules", modules.empty() ? "moe" : modules + ",moe", *recompute_moe_);
        }
        if (dialect_ == Dialect::swift) {
            if (is_taken("recompute_granularity") && granularity() != RecomputeGranularity::selective &&
                !is_said("recompute_modules"))
                scratch_.recompute_modules.clear();
            return;
        }
        // Selective recompute without modules is core_attn (transformer_config.py:1930@d98e8a64).
        if (granularity() == RecomputeGranularity::selective && scratch_.recompute_modules.empty())
            scratch_.recompute_modules = {"core_attn"};
    }

    // A log knows the number of processes only. How they stand in nodes decides no byte of a GPU.
    void settle_world() {
        if (world_size_ == nullptr || is_said("nodes") || is_said("gpus_per_node")) return;
        const Field& nodes = *find_field("nodes");
        if (!world_size_->unresolved.empty()) {
            ask(nodes, *world_size_, world_size_->unresolved);
            return;
        }
        const auto world = parse_unsigned(world_size_->values.empty() ? "" : trim(world_size_->values[0]));
        if (!world || *world < 1 || *world > nodes.max) {
            warn("bad_world_size", "nodes", fmt::format("{}: no number of GPUs", source_of(*world_size_)));
            return;
        }
        const std::int64_t per_node = *world < 8 ? *world : *world % 8 == 0 ? 8 : 1;
        set(nodes, fmt::format("{}", *world / per_node), *world_size_, {});
        set(*find_field("gpus_per_node"), fmt::format("{}", per_node), *world_size_, {});
    }

    void settle_vocabulary() {
        const Field& field = *find_field("vocab_size");
        if (padded_vocabulary_ != nullptr && !is_said("vocab_size")) {
            Argument padded = *padded_vocabulary_;
            padded.source = source_of(*padded_vocabulary_);
            take_field(field, true, padded);
        }
        if (tokenizer_ != nullptr && !is_said("vocab_size")) {
            ask(field, *tokenizer_, "the vocabulary is the tokenizer's: give its number of tokens");
        }
    }

    // slime packs sequences up to a number of tokens a GPU (slime/utils/arguments.py: --max-tokens-per-gpu).
    void settle_packed() {
        if (packed_ == nullptr) return;
        const Argument& tokens = packed_tokens_ != nullptr ? *packed_tokens_ : *packed_;
        const std::string count =
            tokens.values.empty() ? std::string("--max-tokens-per-gpu") : quote(tokens.values.front());
        if (!is_said("micro_batch_size")) {
            ask(*find_field("micro_batch_size"), tokens,
                fmt::format(
                    "sequences are packed up to {} tokens a GPU: set micro-batch size 1 and a sequence of "
                    "that many tokens times the context-parallel size",
                    count));
        }
        if (!is_said("seq_length")) {
            ask(*find_field("seq_length"), tokens,
                fmt::format("{} tokens a GPU times the context-parallel size", count));
        }
    }

    void add_defaults() {
        const bool model = gives_model();
        for (const Field& field : field_table()) {
            if (is_said(field.key) || !has_default(field, dialect_)) continue;
            if (describes_model(field) && !model && dialect_ == Dialect::megatron) continue;
            import_.defaults.push_back({field.key, get_text(scratch_, field), "", 0});
        }
    }

    Dialect dialect_;
    Scenario scratch_;
    Import import_;
    std::map<std::string_view, Slot> slots_;  // by key of the field
    std::set<std::string_view> told_;         // flags that are in a list already
    std::set<std::size_t> dead_;
    std::set<std::size_t> dead_questions_;
    const Argument* grouped_ = nullptr;
    const Argument* recompute_activations_ = nullptr;
    const Argument* recompute_moe_ = nullptr;
    const Argument* old_recompute_ = nullptr;
    const Argument* packed_ = nullptr;
    const Argument* packed_tokens_ = nullptr;
    const Argument* freezes_language_ = nullptr;
    const Argument* freezes_vision_ = nullptr;
    const Argument* world_size_ = nullptr;
    const Argument* padded_vocabulary_ = nullptr;
    const Argument* tokenizer_ = nullptr;
    const Argument* checkpoint_ = nullptr;
    const Argument* model_ = nullptr;
    int suggestions_ = 0;
    std::size_t left_out_ = 0;
};

// The flag at the front of a source.
std::string flag_of(const std::string& source) {
    return source.substr(0, source.find(' '));
}

}  // namespace

Import read_arguments(const std::vector<Argument>& arguments, Format format, Dialect dialect) {
    std::vector<Argument> rewritten;
    if (dialect == Dialect::megatron) rewritten = with_mindspeed(with_multimodal(arguments));
    Import import = ArgumentReader(dialect).read(dialect == Dialect::megatron ? rewritten : arguments);
    import.format = format;
    import.recognised = dialect == Dialect::swift    ? "ms-swift arguments"
                        : dialect == Dialect::bridge ? "Megatron-Bridge overrides"
                                                     : "Megatron-LM arguments";
    return import;
}

ImportedArguments import_arguments(const std::vector<Argument>& arguments) {
    Import import = read_arguments(arguments, Format::argument_map, Dialect::megatron);
    ImportedArguments imported;
    imported.scenario = megatron_defaults();
    for (const auto* list : {&import.defaults, &import.taken}) {
        for (const Taken& taken : *list)
            (void)set_text(imported.scenario, *find_field(taken.key), taken.value);
    }
    for (const Taken& taken : import.taken)
        imported.taken.push_back(flag_of(taken.source));
    for (const auto* list : {&import.neutral, &import.unknown}) {
        for (const Mention& mention : *list)
            imported.ignored.push_back(flag_of(mention.source));
    }
    for (Problem& problem : import.problems) {
        if (problem.code == "not_modelled") imported.ignored.push_back(problem.path);
        imported.problems.push_back(std::move(problem));
    }
    return imported;
}

}  // namespace megamem

#include "import/config_verl.h"

#include <fmt/format.h>

#include <string>

#include "base/text.h"
#include "import/argument_values.h"

namespace megamem {

bool VerlSizes::take(std::string_view name, const Setting& setting) {
    const auto number = setting.unresolved.empty() ? parse_unsigned(trim(setting.value)) : std::nullopt;
    if (name == "ppo_micro_batch_size_per_gpu" || name == "micro_batch_size_per_gpu") {
        if (!means_off(setting.value) || !setting.unresolved.empty())
            add("--micro-batch-size", setting);
        else
            neutral.emplace_back(&setting, "");
    } else if (name == "ppo_mini_batch_size") {
        mini_batch_ = {&setting, number};
    } else if (name == "n" && setting.path == "actor_rollout_ref.rollout.n") {
        answers_ = {&setting, number};
    } else if (name == "max_prompt_length") {
        prompt_ = {&setting, number};
    } else if (name == "max_response_length") {
        response_ = {&setting, number};
    } else if (name == "use_dynamic_bsz") {
        dynamic_ = means_off(setting.value) ? nullptr : &setting;
        if (dynamic_ == nullptr) neutral.emplace_back(&setting, "");
    } else if (name == "ppo_max_token_len_per_gpu" || name == "max_token_len_per_gpu") {
        tokens_ = &setting;
    } else if (name == "strategy") {
        if (setting.value == "megatron")
            neutral.emplace_back(&setting, "");
        else
            foreign.push_back(&setting);
    } else {
        return false;
    }
    return true;
}

void VerlSizes::add(std::string_view flag, const Setting& setting) {
    Argument argument{std::string(flag), {setting.value}, setting.line, setting.source, setting.unresolved};
    arguments.push_back(std::move(argument));
}

// A number that two of verl's give together.
void VerlSizes::combine(std::string_view flag, const Number& a, const Number& b, bool product) {
    if (a.setting == nullptr && b.setting == nullptr) return;
    const Setting& first = a.setting != nullptr ? *a.setting : *b.setting;
    Setting joined = first;
    const auto limited = [](const Number& n) { return n.value && *n.value <= (std::int64_t{1} << 31); };
    if (limited(a) && limited(b)) {
        joined.value = fmt::format("{}", product ? *a.value * *b.value : *a.value + *b.value);
        joined.source = shown_source(fmt::format("{}, {}", a.setting->source, b.setting->source), 200);
    } else if (product && limited(a) && b.setting == nullptr) {
        joined.value = first.value;  // one answer a prompt: rollout.n is 1 (rollout.yaml)
    } else {
        const Number& missing = limited(a) ? b : a;
        joined.unresolved = missing.setting != nullptr && !missing.setting->unresolved.empty()
                                ? missing.setting->unresolved
                                : std::string("its other half isn't in this text");
    }
    add(flag, joined);
}

void VerlSizes::settle() {
    combine("--seq-length", prompt_, response_, false);
    if (mini_batch_.setting != nullptr)
        combine("--global-batch-size", mini_batch_, answers_, true);
    else if (answers_.setting != nullptr)
        neutral.emplace_back(answers_.setting, "");
    if (dynamic_ != nullptr) {
        Setting packed = *dynamic_;
        packed.value.clear();
        packed.unresolved = fmt::format(
            "sequences are packed up to {} tokens a GPU: set micro-batch size 1 and a sequence of that many "
            "tokens times the context-parallel size",
            tokens_ != nullptr ? quote(tokens_->value) : "ppo_max_token_len_per_gpu");
        add("--micro-batch-size", packed);
    } else if (tokens_ != nullptr) {
        neutral.emplace_back(tokens_, "counts only with use_dynamic_bsz");
    }
}

}  // namespace megamem

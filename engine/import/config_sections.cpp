#include "import/config_sections.h"

#include <algorithm>
#include <array>
#include <span>

namespace megamem {

namespace {

using enum Section;

struct Row {
    std::string_view prefix;  // whole parts of a path; the longest that fits counts
    Section section;
};

// ConfigContainer: megatron/bridge/training/config.py:962-1011@067f987d of NVIDIA-NeMo/Megatron-Bridge.
constexpr std::array kBridge = {
    Row{"model", taken},
    Row{"train", taken},
    Row{"dataset", taken},
    Row{"ddp", taken},
    Row{"optimizer", taken},
    Row{"mixed_precision", taken},
    Row{"comm_overlap", taken},
    Row{"dist", taken},
    Row{"tokenizer", taken},
    Row{"dataset.offline_packing_specs", neutral},
    Row{"dataset.source", neutral},
    Row{"dataset.preprocessing", neutral},
    Row{"checkpoint", neutral},
    Row{"logger", neutral},
    Row{"rng", neutral},
    Row{"scheduler", neutral},
    Row{"profiling", neutral},
    Row{"validation", neutral},
    Row{"rerun_state_machine", neutral},
    Row{"ft", neutral},
    Row{"straggler", neutral},
    Row{"nvrx_straggler", neutral},
    Row{"tensor_inspect", neutral},
    Row{"inprocess_restart", neutral},
    Row{"optimizer_config_override_provider", neutral},
    Row{"peft", adapter},
    Row{"env_vars", environment},
    Row{"comm_overlap.tp_comm_overlap_cfg", neutral},
};

// examples/nlp/language_modeling/conf/megatron_gpt_config.yaml@000763d0 of NVIDIA/NeMo.
constexpr std::array kNemo1 = {
    Row{"model", taken},
    Row{"trainer", taken},
    Row{"model.optim", taken},
    Row{"model.data", taken},
    Row{"model.optim.sched", neutral},
    Row{"model.tokenizer", neutral},
    Row{"model.nsys_profile", neutral},
    Row{"exp_manager", neutral},
    Row{"model.peft", adapter},
    Row{"run", neutral},
    Row{"model.optim.betas", neutral},
    Row{"cluster", neutral},
    Row{"name", neutral},
    Row{"restore_from_path", neutral},
};

// nemo/collections/llm/recipes/llama3_8b.py@00617962 of NVIDIA/NeMo, and NeMo-Run's command line.
constexpr std::array kNemo2 = {
    Row{"trainer", taken},
    Row{"trainer.strategy", taken},
    Row{"trainer.strategy.ddp", taken},
    Row{"trainer.plugins", taken},
    Row{"trainer.callbacks", neutral},
    Row{"data", taken},
    Row{"data.tokenizer", neutral},
    Row{"data.dataset_kwargs", neutral},
    Row{"model", taken},
    Row{"model.config", taken},
    Row{"optim", taken},
    Row{"optim.config", taken},
    Row{"optim.lr_scheduler", neutral},
    Row{"log", neutral},
    Row{"resume", neutral},
    Row{"peft", adapter},
    Row{"executor", taken},
    Row{"executor.env_vars", environment},
};

// verl/trainer/config/engine/megatron.yaml@0b8f32c7 and ppo_megatron_trainer.yaml of volcengine/verl.
constexpr std::array kVerl = {
    Row{"actor_rollout_ref.actor", taken},
    Row{"actor_rollout_ref.actor.megatron", taken},
    Row{"actor_rollout_ref.actor.megatron.override_transformer_config", taken},
    Row{"actor_rollout_ref.actor.megatron.override_mcore_model_config", taken},
    Row{"actor_rollout_ref.actor.megatron.override_ddp_config", taken},
    Row{"actor_rollout_ref.actor.optim", taken},
    Row{"actor_rollout_ref.actor.optim.override_optimizer_config", taken},
    Row{"actor_rollout_ref.actor.checkpoint", neutral},
    Row{"actor_rollout_ref.actor.policy_loss", neutral},
    Row{"actor_rollout_ref.actor.profiler", neutral},
    Row{"actor_rollout_ref.actor.profile", neutral},
    Row{"actor_rollout_ref.actor.router_replay", neutral},
    Row{"actor_rollout_ref.actor.fsdp_config", neutral},
    Row{"async_training", neutral},
    Row{"rollout", elsewhere},
    Row{"actor_rollout_ref.model", neutral},
    Row{"actor_rollout_ref.model.path", model_choice},
    Row{"actor_rollout_ref.model.lora", adapter},
    Row{"actor_rollout_ref.model.lora_rank", adapter},
    Row{"actor_rollout_ref.ref", elsewhere},
    Row{"actor_rollout_ref.rollout", elsewhere},
    Row{"actor_rollout_ref.rollout.n", taken},
    Row{"actor_rollout_ref.hybrid_engine", neutral},
    Row{"actor_rollout_ref.nccl_timeout", neutral},
    Row{"critic", elsewhere},
    Row{"reward_model", elsewhere},
    Row{"reward", elsewhere},
    Row{"custom_reward_function", neutral},
    Row{"algorithm", neutral},
    Row{"data", taken},
    Row{"trainer", taken},
    Row{"ray_kwargs", neutral},
    Row{"ray_init", neutral},
    Row{"global_profiler", neutral},
    Row{"transfer_queue", neutral},
    Row{"engine", taken},
    Row{"engine.override_transformer_config", taken},
    Row{"engine.override_ddp_config", taken},
    Row{"optim", taken},
    Row{"optim.override_optimizer_config", taken},
    Row{"model.path", model_choice},
    Row{"defaults", neutral},
    Row{"hydra", neutral},
};

// configs/dpo_qwen3_30b_a3b_A3.yaml@01fe0a44 of Ascend/MindSpeed-RL.
constexpr std::array kMindspeed = {
    Row{"megatron_training", taken}, Row{"megatron_training.model", model_choice},
    Row{"actor_config", taken},      Row{"actor_config.model", model_choice},
    Row{"ref_config", elsewhere},    Row{"reward_config", elsewhere},
    Row{"critic_config", elsewhere}, Row{"generate_config", elsewhere},
    Row{"rl_config", neutral},       Row{"defaults", model_choice},
    Row{"msprobe_config", neutral},  Row{"profiler_config", neutral},
};

// examples/gpt3/gpt_config.yaml@07659f9f of NVIDIA/Megatron-LM: what has no section is an argument too.
constexpr std::array kMegatronYaml = {Row{"language_model", taken}, Row{"model_parallel", taken}};

// tests/functional_tests/shell_test_utils/run_ci_test.sh@d98e8a64: MODEL_ARGS, MODEL_ARGS_2 and so on.
constexpr std::array kFlags = {
    Row{"MODEL_ARGS", taken},
    Row{"BASE_MODEL_ARGS", taken},
    Row{"ENV_VARS", environment},
    Row{"MODEL_ENV_VARS", environment},
    Row{"TEST_TYPE", neutral},
    Row{"LAUNCHER", neutral},
    Row{"METRICS", neutral},
    Row{"MODE", neutral},
    Row{"BEFORE_SCRIPT", neutral},
    Row{"AFTER_SCRIPT", neutral},
    Row{"THROUGHPUT_TEST_PARAMS", neutral},
    Row{"TEST_EVALUATION", neutral},
};

// examples/megatron/configs/MI300X@05b350b3 of AMD-AGI/Primus; below modules see locate_primus().
constexpr std::array kPrimus = {
    Row{"work_group", neutral},    Row{"user_name", neutral}, Row{"exp_name", neutral},
    Row{"workspace", neutral},     Row{"platform", neutral},  Row{"extends", model_choice},
    Row{"includes", model_choice},
};

std::span<const Row> rows_of(ConfigStyle style) {
    switch (style) {
        case ConfigStyle::flags:
            return kFlags;
        case ConfigStyle::megatron_yaml:
            return kMegatronYaml;
        case ConfigStyle::primus:
            return kPrimus;
        case ConfigStyle::mindspeed:
            return kMindspeed;
        case ConfigStyle::bridge:
            return kBridge;
        case ConfigStyle::nemo1:
            return kNemo1;
        case ConfigStyle::nemo2:
            return kNemo2;
        case ConfigStyle::verl:
            return kVerl;
        case ConfigStyle::arguments:
        case ConfigStyle::dump:
            return {};
    }
    return {};
}

std::string_view first_part(std::string_view path) {
    return path.substr(0, path.find('.'));
}

std::string_view after_first(std::string_view path) {
    const std::size_t dot = path.find('.');
    return dot == std::string_view::npos ? std::string_view() : path.substr(dot + 1);
}

// modules.NAME.overrides.ARGUMENT; modules.NAME.model names a file.
Located locate_primus(std::string_view path) {
    const std::string_view inner = after_first(after_first(path));
    if (first_part(inner) == "overrides" && inner.find('.') != std::string_view::npos)
        return {taken, after_first(inner)};
    if (inner == "model") return {model_choice, inner};
    if (inner == "framework") return {taken, inner};
    return {neutral, {}};
}

// Parts of a vision tower, a teacher or an inference engine bear the same names as the trained model's.
bool is_of_another(std::string_view path) {
    for (const std::string_view word : {"vision", "vit", "image", "audio", "sound", "teacher", "ref",
                                        "critic", "reward", "rollout", "generate", "draft"}) {
        for (std::string_view rest = path; rest.find('.') != std::string_view::npos;
             rest = after_first(rest)) {
            const std::string_view part = first_part(rest);
            if (part == word ||
                (part.starts_with(word) && part.size() > word.size() && part[word.size()] == '_'))
                return true;
        }
    }
    return false;
}

Located locate_argument(std::string_view path) {
    if (is_of_another(path)) return {elsewhere, path};
    if (path == "extends" || path == "includes" || path == "defaults") return {model_choice, path};
    const std::size_t dot = path.rfind('.');
    return {taken, dot == std::string_view::npos ? path : path.substr(dot + 1)};
}

}  // namespace

Located locate(std::string_view path, ConfigStyle style) {
    if (style == ConfigStyle::arguments) return locate_argument(path);
    if (style == ConfigStyle::dump) return {taken, path};
    if (style == ConfigStyle::primus && first_part(path) == "modules") return locate_primus(path);
    // MODEL_ARGS_1: a second run with other arguments; the last one counts, which read_arguments() tells.
    if (style == ConfigStyle::flags) {
        if (path.starts_with("--")) return {taken, path};
        if (first_part(path).starts_with("MODEL_ARGS")) return {taken, after_first(path)};
    }
    const Row* best = nullptr;
    for (const Row& row : rows_of(style)) {
        const bool fits = path.starts_with(row.prefix) &&
                          (path.size() == row.prefix.size() || path[row.prefix.size()] == '.');
        if (fits && (best == nullptr || row.prefix.size() > best->prefix.size())) best = &row;
    }
    if (best == nullptr) {
        const bool plain = path.find('.') == std::string_view::npos;
        if (style == ConfigStyle::megatron_yaml && plain) return {taken, path};
        return {unknown, path};
    }
    if (path.size() == best->prefix.size()) return {best->section, path.substr(path.rfind('.') + 1)};
    return {best->section, path.substr(best->prefix.size() + 1)};
}

}  // namespace megamem

#include "panels/field_defaults.h"

#include <fmt/format.h>

#include "scenario/defaults.h"
#include "scenario/vision_kinds.h"
#include "text/text.h"

namespace megamem::web {

namespace {

OptionalInt default_value(const State& state, std::string_view key) {
    const Scenario& s = state.scenario;
    if (key == "ffn_hidden_size") return default_ffn_hidden_size(s);
    if (key == "kv_channels") return default_kv_channels(s.hidden_size, s.num_attention_heads);
    if (key == "num_query_groups") return s.num_attention_heads;
    if (key == "moe_ffn_hidden_size")
        return s.ffn_hidden_size ? s.ffn_hidden_size : default_ffn_hidden_size(s);
    if (key == "expert_tensor_parallel_size") return s.tensor_model_parallel_size;
    if (key == "num_virtual_stages_per_pipeline_rank" && state.report.valid)
        return state.report.virtual_stages;
    if (key == "global_batch_size" && state.report.valid && s.micro_batch_size) {
        return *s.micro_batch_size * state.report.groups.data_parallel_size;
    }
    return default_vision(s, key);
}

}  // namespace

std::string default_text(const State& state, const Field& field) {
    const OptionalInt value = default_value(state, field.key);
    return value ? fmt::format("{}", *value) : std::string(words::kUnset);
}

}  // namespace megamem::web

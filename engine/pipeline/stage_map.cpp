#include "pipeline/stage_map.h"

#include "model/layers.h"
#include "pipeline/layout_rules.h"
#include "scenario/layer_pattern.h"

namespace megamem {

namespace {

std::vector<bool> types_of_layers(const Scenario& s, const Resolved& r) {
    // A list of another length has an error of its own.
    const LayerPattern pattern = parse_layer_pattern(s.moe_layer_freq);
    if (!s.moe_layer_freq.empty() && pattern.every == 0 && pattern.length() != r.layers) return {};
    Problems told_elsewhere;
    return moe_layers(s, r, told_elsewhere).value_or(std::vector<bool>());
}

}  // namespace

const Stage* StageMap::stage(std::int64_t rank, std::int64_t chunk) const {
    const std::int64_t i = chunk * pipeline->ranks + rank;
    return i < static_cast<std::int64_t>(pipeline->stages.size()) ? &pipeline->stage(rank, chunk) : nullptr;
}

StageMap stage_map(const Scenario& s) {
    StageMap map;
    Problems told_elsewhere;
    Assumptions assumptions;
    const std::string& text = s.pipeline_model_parallel_layout;
    const LayoutText layout = text.empty() ? LayoutText{} : parse_layout(text);
    if (layout.error) map.fault = {layout.error->position, layout.error->message};
    const auto resolved = resolve(s, told_elsewhere, assumptions);
    if (!resolved || s.pipeline_model_parallel_size < 1) return map;
    map.moe = types_of_layers(s, *resolved);
    if (text.empty()) {
        map.pipeline = plan_pipeline(s, *resolved, told_elsewhere);
    } else if (!layout.error) {
        const auto faults = layout_faults(layout.stages, s, *resolved);
        map.pipeline = pipeline_of(layout.stages, s.pipeline_model_parallel_size);
        if (!faults.empty()) {
            const std::size_t stage = faults[0].stage;
            map.fault = {stage < layout.places.size() ? layout.places[stage] : text.size(),
                         faults[0].message};
        }
    }
    return map;
}

}  // namespace megamem

#include "pipeline/stages.h"

#include <fmt/format.h>

#include <algorithm>

#include "pipeline/layout.h"

namespace megamem {

namespace {

constexpr std::string_view kLayout = "pipeline_model_parallel_layout";

class LayoutRules {
  public:
    LayoutRules(const std::vector<std::string>& stages, const Scenario& scenario, const Resolved& resolved,
                Problems& problems)
        : stages_(stages), scenario_(scenario), resolved_(resolved), problems_(problems) {}

    // validate_layer_layout, pipeline_parallel_layer_layout.py:86-151@d98e8a64, and the division at :41-47.
    bool hold() {
        const std::size_t before = problems_.size();
        division();
        once_and_in_place('E', "embedding E", true);
        once_and_in_place('L', "output layer L", false);
        count('t', "decoder layers t", "num_layers", resolved_.layers);
        count('m', "MTP layers m", "mtp_num_layers", scenario_.mtp_num_layers);
        mtp_after_decoders();
        mtp_together();
        return problems_.size() == before;
    }

  private:
    void division() {
        const auto pp = static_cast<std::size_t>(scenario_.pipeline_model_parallel_size);
        if (stages_.size() % pp == 0) return;
        fail("layout_stages",
             fmt::format("the layout has {} stages, which is not divisible by PP {}", stages_.size(), pp));
    }

    void once_and_in_place(char letter, std::string_view what, bool first) {
        std::size_t seen = 0;
        for (std::size_t i = 0; i < stages_.size(); ++i) {
            for (const char c : stages_[i]) {
                if (c == letter && ++seen == 2) {
                    fail("layout_once",
                         fmt::format("{} stands a second time, in stage {} ({}); it must stand once", what, i,
                                     shown(i)));
                }
            }
        }
        // The first or last letter of the flattened stages; empty stages before or after it are allowed.
        const auto filled = [](const std::string& stage) { return !stage.empty(); };
        std::size_t edge = 0;
        if (first) {
            edge = static_cast<std::size_t>(std::find_if(stages_.begin(), stages_.end(), filled) -
                                            stages_.begin());
        } else {
            edge = static_cast<std::size_t>(stages_.rend() -
                                            std::find_if(stages_.rbegin(), stages_.rend(), filled)) -
                   1;
        }
        if (edge >= stages_.size()) {
            fail("layout_empty", "every stage of the layout is empty");
            return;
        }
        const char found = first ? stages_[edge].front() : stages_[edge].back();
        if (found == letter) return;
        fail(first ? "layout_first" : "layout_last",
             fmt::format("the {} of the layout must be {}: stage {} ({}) {} {}", first ? "first" : "last",
                         what, edge, shown(edge), first ? "begins with" : "ends with", found));
    }

    void count(char letter, std::string_view what, std::string_view field, std::int64_t wanted) {
        std::int64_t found = 0;
        std::size_t last = 0;
        for (std::size_t i = 0; i < stages_.size(); ++i) {
            const auto here = std::count(stages_[i].begin(), stages_[i].end(), letter);
            if (here > 0) last = i;
            found += here;
        }
        if (found == wanted) return;
        fail("layout_count", fmt::format("the layout holds {} {} (the last in stage {}) and {} is {}", found,
                                         what, last, field, wanted));
    }

    void mtp_after_decoders() {
        bool mtp = false;
        for (std::size_t i = 0; i < stages_.size(); ++i) {
            for (const char c : stages_[i]) {
                if (c == 't' && mtp) {
                    fail("layout_mtp_order",
                         fmt::format(
                             "MTP layers m come after all decoder layers: stage {} ({}) has a t after an m",
                             i, shown(i)));
                    return;
                }
                mtp = mtp || c == 'm';
            }
        }
    }

    void mtp_together() {
        const auto has_mtp = [](const std::string& stage) { return stage.find('m') != std::string::npos; };
        const auto pp = static_cast<std::size_t>(scenario_.pipeline_model_parallel_size);
        const auto first = std::find_if(stages_.begin(), stages_.end(), has_mtp);
        if (first == stages_.end()) return;
        const auto stage = static_cast<std::size_t>(first - stages_.begin());
        const auto second = std::find_if(first + 1, stages_.end(), has_mtp);
        if (second != stages_.end()) {
            const auto other = static_cast<std::size_t>(second - stages_.begin());
            fail("layout_mtp_split",
                 fmt::format(
                     "all MTP layers m must be in one stage: they are in stage {} ({}) and stage {} ({})",
                     stage, shown(stage), other, shown(other)));
        }
        if (stages_.size() % pp == 0 && stage / pp + 1 != stages_.size() / pp) {
            fail("layout_mtp_chunk",
                 fmt::format("MTP layers m must be in the last chunk of their rank: stage {} ({}) is chunk "
                             "{} of {} on rank {}",
                             stage, shown(stage), stage / pp, stages_.size() / pp, stage % pp));
        }
    }

    std::string shown(std::size_t stage) const {
        constexpr std::size_t kShown = 24;
        const std::string& text = stages_[stage];
        if (text.empty()) return "empty";
        return text.size() <= kShown ? text : text.substr(0, kShown) + "…";
    }

    void fail(std::string_view code, std::string message) {
        problems_.push_back({Severity::error, code, std::string(kLayout), std::move(message)});
    }

    const std::vector<std::string>& stages_;
    const Scenario& scenario_;
    const Resolved& resolved_;
    Problems& problems_;
};

std::optional<Pipeline> from_layout(const Scenario& s, const Resolved& r, Problems& problems) {
    const LayoutText layout = parse_layout(s.pipeline_model_parallel_layout);
    if (layout.error) {
        problems.push_back({Severity::error, layout.error->code, std::string(kLayout),
                            fmt::format("{}: {}", kLayout, layout.error->message)});
        return std::nullopt;
    }
    if (!LayoutRules(layout.stages, s, r, problems).hold()) return std::nullopt;

    Pipeline pipeline;
    pipeline.ranks = s.pipeline_model_parallel_size;
    pipeline.chunks = static_cast<std::int64_t>(layout.stages.size()) / pipeline.ranks;
    std::int64_t next_layer = 0;
    for (const std::string& letters : layout.stages) {
        const auto has = [&](char c) { return std::count(letters.begin(), letters.end(), c); };
        pipeline.stages.push_back({has('E') > 0, next_layer, has('t'), has('m'), has('L') > 0});
        next_layer += has('t');
    }
    return pipeline;
}

// Without a layout every stage gets as many layers (transformer_block.py:76-203@d98e8a64); the embedding
// comes with the first stage, MTP and output layer with the last.
std::optional<Pipeline> evenly(const Scenario& s, const Resolved& r, Problems& problems) {
    Pipeline pipeline;
    pipeline.ranks = s.pipeline_model_parallel_size;
    pipeline.chunks = s.num_virtual_stages_per_pipeline_rank.value_or(1);
    if (r.layers % pipeline.ranks != 0) {
        problems.push_back(
            {Severity::error, "layers_over_pp", "num_layers",
             fmt::format("num_layers {} is not divisible by PP {}, and there is no pipeline layout", r.layers,
                         pipeline.ranks)});
        return std::nullopt;
    }
    const std::int64_t per_rank = r.layers / pipeline.ranks;
    if (per_rank % pipeline.chunks != 0) {
        problems.push_back(
            {Severity::error, "layers_over_vpp", "num_virtual_stages_per_pipeline_rank",
             fmt::format("num_layers {} / PP {} = {} layers a rank, which is not divisible by VPP {}",
                         r.layers, pipeline.ranks, per_rank, pipeline.chunks)});
        return std::nullopt;
    }
    const std::int64_t per_stage = per_rank / pipeline.chunks;
    const std::int64_t count = pipeline.ranks * pipeline.chunks;
    for (std::int64_t i = 0; i < count; ++i) {
        const bool last = i + 1 == count;
        pipeline.stages.push_back({i == 0, i * per_stage, per_stage, last ? s.mtp_num_layers : 0, last});
    }
    return pipeline;
}

// The interleaved schedule takes micro-batches in groups of PP (schedules.py:1161-1180@d98e8a64, with the
// default group size). Megatron refuses other counts; a method that doesn't look at the schedule only warns.
void check_micro_batches(const Scenario& s, const Resolved& r, const Pipeline& pipeline, Problems& problems) {
    const std::int64_t model = s.tensor_model_parallel_size * pipeline.ranks * s.context_parallel_size;
    if (pipeline.chunks == 1 || !s.global_batch_size || r.world_size % model != 0) return;
    const std::int64_t step = r.micro_batch * (r.world_size / model);
    if (*s.global_batch_size % step != 0) return;  // said by its own rule
    const std::int64_t count = *s.global_batch_size / step;
    if (count % pipeline.ranks == 0) return;
    problems.push_back(
        {Severity::warning, "micro_batches_over_pp", "global_batch_size",
         fmt::format("with VPP {} micro-batches go in groups of PP {}, and there are {} of them",
                     pipeline.chunks, pipeline.ranks, count)});
}

}  // namespace

std::optional<Pipeline> plan_pipeline(const Scenario& s, const Resolved& r, Problems& problems) {
    std::optional<Pipeline> pipeline =
        s.pipeline_model_parallel_layout.empty() ? evenly(s, r, problems) : from_layout(s, r, problems);
    if (pipeline) check_micro_batches(s, r, *pipeline, problems);
    return pipeline;
}

std::string letters_of(const Stage& stage) {
    std::string text = stage.embedding ? "E" : "";
    text.append(static_cast<std::size_t>(stage.layers), 't');
    text.append(static_cast<std::size_t>(stage.mtp), 'm');
    if (stage.output) text += 'L';
    return text;
}

}  // namespace megamem

#include "pipeline/stages.h"

#include <fmt/format.h>

#include <algorithm>

#include "pipeline/layout_rules.h"

namespace megamem {

namespace {

std::optional<Pipeline> from_layout(const Scenario& s, const Resolved& r, Problems& problems) {
    const LayoutText layout = parse_layout(s.pipeline_model_parallel_layout);
    if (layout.error) {
        problems.push_back({Severity::error, layout.error->code, std::string(kLayoutField),
                            fmt::format("{}: {}", kLayoutField, layout.error->message)});
        return std::nullopt;
    }
    const std::vector<LayoutFault> faults = layout_faults(layout.stages, s, r);
    for (const LayoutFault& fault : faults)
        problems.push_back({Severity::error, fault.code, std::string(kLayoutField), fault.message});
    if (!faults.empty()) return std::nullopt;
    return pipeline_of(layout.stages, s.pipeline_model_parallel_size);
}

class EvenSplit {
  public:
    EvenSplit(const Scenario& scenario, const Resolved& resolved, Problems& problems)
        : s_(scenario), layers_(resolved.layers), problems_(problems) {}

    // transformer_block.py:76-203@d98e8a64: uneven first and last ranks, or embedding and loss counted as
    // layers, or as many layers everywhere. The embedding comes with the first stage, MTP and output layer
    // with the last.
    std::optional<Pipeline> plan() {
        pipeline_.ranks = s_.pipeline_model_parallel_size;
        if (!set_chunks()) return std::nullopt;
        const bool uneven = s_.decoder_first_pipeline_num_layers || s_.decoder_last_pipeline_num_layers;
        if (!(uneven ? set_uneven() : set_even())) return std::nullopt;
        std::int64_t next_layer = 0;
        const std::int64_t count = pipeline_.ranks * pipeline_.chunks;
        for (std::int64_t i = 0; i < count; ++i) {
            const std::int64_t layers = layers_of(i);
            const bool last = i + 1 == count;
            pipeline_.stages.push_back({i == 0, next_layer, layers, last ? s_.mtp_num_layers : 0, last});
            next_layer += layers;
        }
        return pipeline_;
    }

  private:
    std::int64_t extra() const {
        return (s_.account_for_embedding_in_pipeline_split ? 1 : 0) +
               (s_.account_for_loss_in_pipeline_split ? 1 : 0);
    }

    bool set_chunks() {
        pipeline_.chunks = s_.num_virtual_stages_per_pipeline_rank.value_or(1);
        if (!s_.num_layers_per_virtual_pipeline_stage) return true;
        const std::int64_t per_stage = *s_.num_layers_per_virtual_pipeline_stage;
        const std::int64_t per_rank = (layers_ + extra()) / pipeline_.ranks;
        // arguments.py:968-972@d98e8a64
        if (per_rank == 0 || per_rank % per_stage != 0) {
            return fail("layers_over_virtual_stage", "num_layers_per_virtual_pipeline_stage",
                        fmt::format("{} layers a rank are not divisible by {} layers a virtual stage",
                                    per_rank, per_stage));
        }
        pipeline_.chunks = pipeline_.ranks == 1 ? 1 : per_rank / per_stage;
        return true;
    }

    // transformer_config.py:2294-2368@d98e8a64
    bool set_uneven() {
        first_ = s_.decoder_first_pipeline_num_layers;
        last_ = s_.decoder_last_pipeline_num_layers;
        const std::int64_t middle_ranks = pipeline_.ranks - (first_ ? 1 : 0) - (last_ ? 1 : 0);
        const std::int64_t middle = layers_ - first_.value_or(0) - last_.value_or(0);
        if (middle < 0 || middle_ranks < 0 ||
            (middle_ranks == 0 ? middle != 0 : middle % middle_ranks != 0)) {
            return fail(
                "uneven_split", "decoder_first_pipeline_num_layers",
                fmt::format(
                    "num_layers {} less {} on the first and {} on the last rank leaves {} for {} ranks",
                    layers_, first_.value_or(0), last_.value_or(0), middle, middle_ranks));
        }
        per_rank_ = middle_ranks == 0 ? 0 : middle / middle_ranks;
        for (const std::int64_t layers : {first_.value_or(0), last_.value_or(0), per_rank_}) {
            if (layers % pipeline_.chunks == 0) continue;
            return fail(
                "layers_over_vpp", "num_virtual_stages_per_pipeline_rank",
                fmt::format("{} layers on a rank are not divisible by VPP {}", layers, pipeline_.chunks));
        }
        return true;
    }

    bool set_even() {
        const std::int64_t counted = layers_ + extra();
        const std::string what =
            extra() == 0 ? fmt::format("num_layers {}", layers_)
                         : fmt::format("num_layers {} + {} for embedding and loss", layers_, extra());
        if (counted % pipeline_.ranks != 0) {
            return fail("layers_over_pp", "num_layers",
                        fmt::format("{} is not divisible by PP {}, and there is no pipeline layout", what,
                                    pipeline_.ranks));
        }
        per_rank_ = counted / pipeline_.ranks;
        if (per_rank_ % pipeline_.chunks != 0) {
            return fail("layers_over_vpp", "num_virtual_stages_per_pipeline_rank",
                        fmt::format("{} / PP {} = {} layers a rank, which is not divisible by VPP {}", what,
                                    pipeline_.ranks, per_rank_, pipeline_.chunks));
        }
        const bool no_room =
            per_rank_ / pipeline_.chunks <
            (pipeline_.ranks * pipeline_.chunks == 1 ? extra() : std::min<std::int64_t>(extra(), 1));
        return !no_room || fail("layers_over_pp", "num_layers",
                                "embedding and loss count as more layers than a stage has");
    }

    std::int64_t layers_of(std::int64_t stage) const {
        const std::int64_t rank = stage % pipeline_.ranks;
        std::int64_t layers = per_rank_;
        if (rank == 0 && first_) layers = *first_;
        if (rank == pipeline_.ranks - 1 && last_) layers = *last_;
        layers /= pipeline_.chunks;
        if (first_ || last_) return layers;
        if (stage == 0 && s_.account_for_embedding_in_pipeline_split) --layers;
        if (stage + 1 == pipeline_.ranks * pipeline_.chunks && s_.account_for_loss_in_pipeline_split)
            --layers;
        return layers;
    }

    bool fail(std::string_view code, std::string_view path, std::string message) {
        problems_.push_back({Severity::error, code, std::string(path), std::move(message)});
        return false;
    }

    const Scenario& s_;
    std::int64_t layers_;
    Problems& problems_;
    Pipeline pipeline_;
    OptionalInt first_;
    OptionalInt last_;
    std::int64_t per_rank_ = 0;
};

// The interleaved schedule takes micro-batches in groups, of PP by default; what is left over must be nothing
// or at least PP (schedules.py:1161-1180@d98e8a64). Megatron refuses other counts; a method that doesn't look
// at the schedule only warns.
void check_micro_batches(const Scenario& s, const Resolved& r, const Pipeline& pipeline, Problems& problems) {
    const std::int64_t model = s.tensor_model_parallel_size * pipeline.ranks * s.context_parallel_size;
    if (pipeline.chunks == 1 || !s.global_batch_size || r.world_size % model != 0) return;
    const std::int64_t step = r.micro_batch * (r.world_size / model);
    if (*s.global_batch_size % step != 0) return;  // said by its own rule
    const std::int64_t count = *s.global_batch_size / step;
    const OptionalInt& given = s.microbatch_group_size_per_virtual_pipeline_stage;
    const std::int64_t group = given.value_or(pipeline.ranks);
    const std::int64_t rest = count % group;
    if (rest == 0 || rest >= pipeline.ranks) return;
    problems.push_back(
        {Severity::warning, "micro_batches_over_pp", "global_batch_size",
         fmt::format("with VPP {} micro-batches go in groups of {} {}, and there are {} of them",
                     pipeline.chunks, given ? "G" : "PP", group, count)});
}

}  // namespace

std::optional<Pipeline> plan_pipeline(const Scenario& s, const Resolved& r, Problems& problems) {
    std::optional<Pipeline> pipeline = s.pipeline_model_parallel_layout.empty()
                                           ? EvenSplit(s, r, problems).plan()
                                           : from_layout(s, r, problems);
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

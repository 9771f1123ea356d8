#include "pipeline/layout_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace megamem {

namespace {

class LayoutRules {
  public:
    LayoutRules(const std::vector<std::string>& stages, const Scenario& scenario, const Resolved& resolved)
        : stages_(stages), scenario_(scenario), resolved_(resolved) {}

    // validate_layer_layout, pipeline_parallel_layer_layout.py:86-151@d98e8a64, and the division at :41-47.
    std::vector<LayoutFault> find() {
        division();
        once_and_in_place('E', "embedding E", true);
        once_and_in_place('L', "output layer L", false);
        count('t', "decoder layers t", "num_layers", resolved_.layers);
        count('m', "MTP layers m", "mtp_num_layers", scenario_.mtp_num_layers);
        mtp_after_decoders();
        mtp_together();
        return std::move(faults_);
    }

  private:
    void division() {
        const auto pp = static_cast<std::size_t>(scenario_.pipeline_model_parallel_size);
        if (stages_.size() % pp == 0) return;
        fail("layout_stages", stages_.size(),
             fmt::format("the layout has {} stages, which is not divisible by PP {}", stages_.size(), pp));
    }

    void once_and_in_place(char letter, std::string_view what, bool first) {
        std::size_t seen = 0;
        for (std::size_t i = 0; i < stages_.size(); ++i) {
            for (const char c : stages_[i]) {
                if (c == letter && ++seen == 2) {
                    fail("layout_once", i,
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
            fail("layout_empty", 0, "every stage of the layout is empty");
            return;
        }
        const char found = first ? stages_[edge].front() : stages_[edge].back();
        if (found == letter) return;
        fail(first ? "layout_first" : "layout_last", edge,
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
        fail("layout_count", last,
             fmt::format("the layout holds {} {} (the last in stage {}) and {} is {}", found, what, last,
                         field, wanted));
    }

    void mtp_after_decoders() {
        bool mtp = false;
        for (std::size_t i = 0; i < stages_.size(); ++i) {
            for (const char c : stages_[i]) {
                if (c == 't' && mtp) {
                    fail("layout_mtp_order", i,
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
            fail("layout_mtp_split", other,
                 fmt::format(
                     "all MTP layers m must be in one stage: they are in stage {} ({}) and stage {} ({})",
                     stage, shown(stage), other, shown(other)));
        }
        if (stages_.size() % pp == 0 && stage / pp + 1 != stages_.size() / pp) {
            fail("layout_mtp_chunk", stage,
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

    void fail(std::string_view code, std::size_t stage, std::string message) {
        faults_.push_back({code, std::move(message), stage});
    }

    const std::vector<std::string>& stages_;
    const Scenario& scenario_;
    const Resolved& resolved_;
    std::vector<LayoutFault> faults_;
};

}  // namespace

std::vector<LayoutFault> layout_faults(const std::vector<std::string>& stages, const Scenario& scenario,
                                       const Resolved& resolved) {
    return LayoutRules(stages, scenario, resolved).find();
}

Pipeline pipeline_of(const std::vector<std::string>& stages, std::int64_t ranks) {
    Pipeline pipeline;
    pipeline.ranks = ranks;
    // Rounded up: the last chunk of stages that can't be dealt evenly is short.
    pipeline.chunks = (static_cast<std::int64_t>(stages.size()) + ranks - 1) / ranks;
    pipeline.stages.reserve(stages.size());
    std::int64_t next_layer = 0;
    for (const std::string& letters : stages) {
        const auto has = [&](char c) { return std::count(letters.begin(), letters.end(), c); };
        pipeline.stages.push_back({has('E') > 0, next_layer, has('t'), has('m'), has('L') > 0});
        next_layer += has('t');
    }
    return pipeline;
}

}  // namespace megamem

// What a vision tower with a vision_model_type saves for backward: on the first pipeline stage, for as many
// micro-batches as its first chunk has in flight. Sequence and context parallelism don't reach into it, and
// no attention mask is causal (examples/multimodal/model.py:187-222, layer_specs.py:101-128@d98e8a64).
#include "memory/detailed_tower.h"

#include <algorithm>
#include <numeric>

#include "model/vision.h"

namespace megamem::detailed {

namespace {

// How full recompute cuts the encoder's layers.
struct Pieces {
    std::int64_t checkpoints = 0;  // inputs that stay
    std::int64_t saved = 0;        // layers that keep everything
    std::int64_t rebuilt = 0;      // layers of the largest piece
};

class TowerMemory {
  public:
    TowerMemory(const Context& c, const std::vector<std::int64_t>& in_flight, std::vector<LineItem>& items)
        : c_(c),
          kind_(*c.r.vision.kind),
          v_(vision_sizes(c.s, c.r)),
          b_(tower_bytes(c)),
          e_(c.z.element),
          micro_batches_(in_flight.front()),
          all_in_flight_(std::accumulate(in_flight.begin(), in_flight.end(), std::int64_t{0})),
          items_(items),
          encoder_frozen_(freezes_vision(c.s)),
          projector_frozen_(c.s.freeze_vision_projection) {}

    void add() {
        if (!encoder_frozen_) encoder();
        if (kind_.merger) {
            mergers();
        } else {
            projector();
        }
    }

  private:
    // Nothing in it has a gradient where it is frozen, so nothing is saved.
    void encoder() {
        item("vision/patch_input", "detailed.vision.patch_input",
             e_ * 3 * v_.temporal * v_.patch * v_.patch * v_.patches);
        const Wide norm = v_.tokens * (b_.norm * v_.h + b_.norm_stats);
        if (kind_.pre_norm) item("vision/pre_norm", "detailed.vision.norm", norm);
        if (kind_.rotary == VisionRotary::once)
            item("vision/rotary_tables", "detailed.vision.rotary_once", 8 * v_.tokens * v_.d);
        const Pieces pieces = cut();
        const std::size_t first = items_.size();
        layers(pieces.saved);
        if (pieces.checkpoints > 0) {
            item("vision/checkpoints", "detailed.vision.checkpoints", e_ * v_.tokens * v_.h,
                 pieces.checkpoints);
        }
        if (pieces.rebuilt > 0) rebuild(first, pieces);
        if (kind_.post_norm) item("vision/post_norm", "detailed.vision.norm", norm);
    }

    // --recompute-vision takes the method and checkpoints every layer (examples/multimodal/model.py:203-209);
    // Megatron-Bridge's Qwen3-VL takes all three settings of the language model
    // (modelling_qwen3_vl/transformer_config.py:80-82), transformers' Qwen2.5-VL none.
    Pieces cut() const {
        const bool asked = kind_.recompute_by_flag ? c_.s.recompute_vision : !kind_.hugging_face;
        const std::int64_t all = c_.r.vision.layers;
        if (!asked || !c_.full_recompute()) return {0, all, 0};
        const std::int64_t each = kind_.recompute_by_flag ? all : c_.s.recompute_num_layers.value_or(1);
        const std::int64_t n = std::clamp<std::int64_t>(each, 1, all);
        if (c_.s.recompute_method == RecomputeMethod::block) return {n, all - n, 1};
        return {(all + n - 1) / n, 0, n};
    }

    // Items of so many layers; none, to sum up what one would save.
    void layers(std::int64_t count) {
        const Wide t = v_.tokens;
        const auto each = [&](std::string_view component, std::string_view formula, Wide bytes) {
            layer_ += bytes;
            if (count > 0) item(component, formula, bytes, count);
        };
        each("vision/norms", "detailed.vision.norms",
             2 * t * ((b_.norm + b_.linear_input) * v_.h + b_.norm_stats));
        if (kind_.qk_norm) {
            each("vision/qk_norms", "detailed.vision.qk_norms", 2 * t * (8 + e_) * v_.n * v_.d / v_.tp);
        }
        if (kind_.rotary == VisionRotary::every_layer)
            each("vision/rotary_tables", "detailed.vision.rotary_tables", 16 * t * v_.d);
        if (kind_.hugging_face) {
            each("vision/attention", "detailed.vision.attention_views",
                 e_ * t * (4 * v_.n + 3 * v_.g) * v_.d);
        } else {
            each("vision/attention", "detailed.vision.attention",
                 e_ * t * (2 * v_.n + 2 * v_.g) * v_.d / v_.tp);
        }
        if (c_.attention == Attention::unfused && !kind_.hugging_face) {
            each("vision/scores", "detailed.vision.scores", e_ * v_.n * t * v_.sequence / v_.tp);
        } else {
            each("vision/log_sum_exp", "detailed.vision.log_sum_exp", 4 * t * v_.n / v_.tp);
        }
        if (kind_.gated) {
            each("vision/mlp", "detailed.vision.mlp_gated", t * v_.f * (3 * e_ + b_.linear_input) / v_.tp);
        } else {
            each("vision/mlp", "detailed.vision.mlp", t * v_.f * (e_ + b_.linear_input) / v_.tp);
        }
        if (kind_.layer_scale) each("vision/layer_scale", "detailed.vision.layer_scale", 2 * e_ * t * v_.h);
    }

    // The encoder runs backward when the language model's tensors of that micro-batch are freed: what is
    // rebuilt adds to the peak only where it is more than those.
    void rebuild(std::size_t first, const Pieces& pieces) {
        const Wide language = one_micro_batch_of_language(first);
        const Wide more = std::max<Wide>(pieces.rebuilt * layer_ - language, 0);
        items_.push_back({.component = "vision/rebuilt",
                          .part = Part::vision,
                          .kind = Kind::transient,
                          .bytes = narrow(more),
                          .formula = "detailed.vision.rebuilt",
                          .module = "vision/rebuilt"});
    }

    Wide one_micro_batch_of_language(std::size_t end) const {
        Wide saved = 0;
        Wide passing = 0;
        for (std::size_t i = 0; i < end; ++i) {
            if (items_[i].part != Part::language) continue;
            if (items_[i].kind == Kind::activation) saved += items_[i].bytes;
            if (items_[i].kind == Kind::transient) passing += items_[i].bytes;
        }
        return saved / std::max<std::int64_t>(all_in_flight_, 1) + passing;
    }

    void mergers() {
        const bool encoder_graph = !encoder_frozen_;
        if (encoder_frozen_ && projector_frozen_) return;
        const Wide inner =
            e_ * v_.patches / v_.merge * v_.wide / v_.tp;  // of FC1's output, and of FC2's input
        if (projector_frozen_) {
            item("vision/merger", "detailed.vision.merger_frozen",
                 v_.patches * (b_.norm_frozen * v_.h + b_.norm_stats) + inner);
        } else {
            item("vision/merger", "detailed.vision.merger",
                 v_.patches * ((b_.norm + e_) * v_.h + b_.norm_stats) + 2 * inner);
        }
        if (v_.deepstack == 0) return;
        // Inside the encoder's checkpoints, full recompute drops them too (transformer_block.py:115-154).
        if (encoder_graph && cut().checkpoints > 0) return;
        const Wide stats = v_.patches / v_.merge * b_.norm_stats;
        if (projector_frozen_) {
            item("vision/deepstack", "detailed.vision.deepstack_frozen", stats + inner, narrow(v_.deepstack));
        } else if (encoder_graph) {  // their input is that of the next layer's norm
            item("vision/deepstack", "detailed.vision.deepstack", e_ * v_.patches * v_.h + stats + 2 * inner,
                 narrow(v_.deepstack));
        } else {
            item("vision/deepstack", "detailed.vision.deepstack_alone",
                 2 * e_ * v_.patches * v_.h + stats + 2 * inner, narrow(v_.deepstack));
        }
    }

    void projector() {
        const Wide m = v_.merged;
        if (c_.s.vision_projection_type == VisionProjection::affine) {
            if (!projector_frozen_)
                item("vision/projector_tensors", "detailed.vision.affine", e_ * m * v_.input);
            return;
        }
        const Wide norm = e_ * v_.input + 4 * c_.z.norm;
        const Wide inner = v_.wide / v_.tp;
        if (!projector_frozen_) {
            item("vision/projector_tensors", "detailed.vision.projector_mlp",
                 m * (norm + b_.linear_input * v_.input + (e_ + b_.linear_input) * inner));
        } else if (!encoder_frozen_) {
            item("vision/projector_tensors", "detailed.vision.projector_frozen", m * (norm + e_ * inner));
        }
    }

    void item(std::string_view component, std::string_view formula, Wide bytes, std::int64_t count = 1) {
        items_.push_back({.component = component,
                          .part = Part::vision,
                          .kind = Kind::activation,
                          .bytes = narrow(bytes * count * micro_batches_),
                          .multiplicity = count * micro_batches_,
                          .formula = formula,
                          .module = component});
    }

    const Context& c_;
    const VisionKind& kind_;
    VisionSizes v_;
    TowerBytes b_;
    Wide e_;
    std::int64_t micro_batches_;  // of the first chunk
    std::int64_t all_in_flight_;  // of every chunk
    std::vector<LineItem>& items_;
    bool encoder_frozen_;
    bool projector_frozen_;
    Wide layer_ = 0;  // what one layer saves
};

}  // namespace

// A norm keeps its input and, for its linear layer, its output. InternViT's and transformers' are written in
// PyTorch's operators: an fp32 copy of the input and the normalised input stay, and one statistic
// (examples/multimodal/nvlm/internvit.py:91-115@d98e8a64).
TowerBytes tower_bytes(const Context& c) {
    const VisionKind& kind = *c.r.vision.kind;
    TowerBytes bytes;
    bytes.linear_input = c.fp8() && kind.takes_fp8 ? 1 : c.z.element;
    bytes.norm = kind.composite_norm ? 4 + c.z.element : c.z.element;
    bytes.norm_frozen = kind.composite_norm ? 4 : c.z.element;
    bytes.norm_stats = kind.composite_norm ? 4 : 4 * kind.norm;
    return bytes;
}

void add_tower(const Context& c, const std::vector<std::int64_t>& in_flight, std::vector<LineItem>& items) {
    TowerMemory(c, in_flight, items).add();
}

}  // namespace megamem::detailed

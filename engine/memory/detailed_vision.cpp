// The generic vision tower of the detailed method: an encoder and projector on the first pipeline stage only,
// divided by TP, in the dense gradient buffer of that stage; sequence and context parallelism don't reach
// into it (examples/multimodal/model.py:186-222, core/models/vision/*.py@d98e8a64).
#include "memory/detailed.h"
#include "memory/detailed_tower.h"
#include "scenario/vision_kinds.h"

namespace megamem::detailed {

namespace {

constexpr std::string_view kEncoder = "vision/encoder";
constexpr std::string_view kProjector = "vision/projector";

class Vision {
  public:
    Vision(const Context& c, std::int64_t micro_batches, std::vector<LineItem>& items)
        : c_(c), v_(c.r.vision), micro_batches_(micro_batches), items_(items) {}

    void add() {
        const Wide h = v_.hidden;
        const Wide query = Wide{v_.head_width} * v_.heads;
        const Wide key = Wide{v_.head_width} * v_.groups;
        const Wide tp = c_.z.tp;
        const Wide merged = Wide{v_.merge_side} * v_.merge_side;
        // clip_vit_model.py:91-154: the patch embedding is whole on every rank; two LayerNorms a layer.
        const Wide layer = (query + 2 * key) * h / tp + query * h / tp + 2 * Wide{v_.ffn} * h / tp + 4 * h;
        states(kEncoder, "detailed.vision.encoder",
               Wide{v_.patch_side} * v_.patch_side * 3 * h + v_.layers * layer, freezes_vision(c_.s));
        // The projector takes merge x merge patches as one token.
        states(kProjector, "detailed.vision.projector", (merged * h + c_.r.hidden) * v_.projector_ffn / tp,
               c_.s.freeze_vision_projection);

        const Wide patches = v_.patches;
        const Wide e = c_.z.element;
        const Wide lse = c_.attention == Attention::unfused ? 0 : 4 * patches * v_.heads / tp;
        const Wide saved =
            patches * (4 * e * h + 4 * 4 + (2 * query + 2 * key + 2 * Wide{v_.ffn}) * e / tp) + lse;
        // A frozen encoder runs without a graph.
        if (!freezes_vision(c_.s)) {
            activation("vision/layers", "detailed.vision.layers", saved * v_.layers * micro_batches_);
        }
        activation("vision/projector_tensors", "detailed.vision.projector_tensors",
                   e * (patches * h + 2 * patches / merged * v_.projector_ffn / tp) * micro_batches_);
    }

  private:
    void states(std::string_view component, std::string_view formula, Wide elements, bool frozen) {
        const Wide shards = c_.s.use_distributed_optimizer ? c_.z.dense_shards : 1;
        const bool fp32 = c_.s.precision == Precision::fp32;
        const auto add = [&](Kind kind, Wide bytes) {
            items_.push_back(
                {component, Part::vision, kind, narrow(bytes), 1, narrow(elements), formula, component});
        };
        add(Kind::weight, elements * c_.z.element);
        if (frozen) return;
        add(Kind::grad, elements * 4);
        add(Kind::master, fp32 ? 0 : elements * 4 / shards);
        add(Kind::optimizer, elements * 8 / shards);
    }

    void activation(std::string_view component, std::string_view formula, Wide bytes) {
        items_.push_back({component, Part::vision, Kind::activation, narrow(bytes), micro_batches_, 0,
                          formula, component});
    }

    const Context& c_;
    const VisionTower& v_;
    std::int64_t micro_batches_;
    std::vector<LineItem>& items_;
};

}  // namespace

void add_vision(const Context& c, const RankReport& rank, std::vector<LineItem>& items) {
    if (c.r.vision.layers == 0 || rank.pipeline_rank != 0) return;
    // As many micro-batches as the first chunk has in flight.
    if (c.r.vision.kind != nullptr) {
        add_tower(c, rank.in_flight, items);
    } else {
        Vision(c, rank.in_flight.front(), items).add();
    }
}

}  // namespace megamem::detailed

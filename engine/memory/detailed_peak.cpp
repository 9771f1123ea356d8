// Activations of the micro-batches in flight, and the event on top of them that makes the peak.
#include <algorithm>

#include "memory/detailed.h"
#include "memory/detailed_fsdp.h"

namespace megamem::detailed {

namespace {

struct Event {
    std::string_view name;
    std::string_view formula;
    Wide bytes = 0;
};

bool full_recompute(const Context& c) {
    return c.s.recompute_granularity == RecomputeGranularity::full;
}

// Layers of a stage that are kept as checkpoints, and how many inputs that keeps
// (core/recompute.py:21-189@d98e8a64).
struct Checkpoints {
    std::int64_t inputs = 0;
    std::int64_t layers = 0;
};

Checkpoints checkpoints_of(const Context& c, std::int64_t layers) {
    if (!full_recompute(c)) return {};
    const std::int64_t n = c.s.recompute_num_layers.value_or(1);
    if (c.s.recompute_method == RecomputeMethod::block) {
        const std::int64_t first = std::min(n, layers);
        return {first, first};
    }
    const std::int64_t piece = std::max<std::int64_t>(n, 1);
    return {(layers + piece - 1) / piece, layers};
}

class Peak {
  public:
    Peak(const Context& c, std::int64_t rank, const std::array<LayerMemory, 2>& layers,
         const std::vector<std::int64_t>& in_flight, std::vector<LineItem>& items)
        : c_(c), rank_(rank), layers_(layers), in_flight_(in_flight), items_(items) {}

    std::string_view add() {
        saved();
        batch();
        const Event event = largest_event();
        item("at_the_peak", event.formula, Kind::transient, event.bytes);
        return event.name;
    }

  private:
    const Stage& stage(std::int64_t chunk) const { return c_.pipeline.stage(rank_, chunk); }

    void saved() {
        Counts alive;             // layers whose tensors are all kept, times micro-batches
        std::int64_t inputs = 0;  // checkpointed inputs, likewise
        std::int64_t embeddings = 0;
        for (std::int64_t chunk = 0; chunk < c_.pipeline.chunks; ++chunk) {
            const std::int64_t count = in_flight_[static_cast<std::size_t>(chunk)];
            const Stage& here = stage(chunk);
            const Checkpoints kept = checkpoints_of(c_, here.layers);
            inputs += kept.inputs * count;
            // Block recompute checkpoints the first layers of the stage and keeps the others whole.
            Stage rest = here;
            rest.first_layer += kept.layers;
            rest.layers -= kept.layers;
            const Counts counts = counts_of(c_, rest);
            alive.dense += counts.dense * count;
            alive.moe += counts.moe * count;
            alive.mtp += here.mtp * count;
            if (here.embedding) embeddings += count;
        }
        layers_of(layers_[0], alive.dense + (c_.last_is_moe ? 0 : alive.mtp));
        layers_of(layers_[1], alive.moe + (c_.last_is_moe ? alive.mtp : 0));
        // MTP: concatenation, projection and norms (multi_token_prediction.py@d98e8a64).
        constexpr Wide kMtpHidden = 6;
        item("mtp_projection", "detailed.act.mtp_projection", Kind::activation,
             kMtpHidden * c_.z.hidden_bytes() * alive.mtp, alive.mtp, "mtp");
        item("checkpointed_inputs", "detailed.act.checkpoint", Kind::activation,
             checkpoint_bytes(c_) * inputs, inputs);
        if (c_.s.hidden_dropout.ten_thousandths > 0) {
            item("embedding_dropout_mask", "detailed.act.dropout_mask", Kind::activation,
                 c_.z.local_tokens * c_.z.h * embeddings, embeddings, "embedding");
        }
    }

    void layers_of(const LayerMemory& layer, std::int64_t count) {
        if (count == 0) return;
        for (const Saved& saved : layer.saved)
            item(saved.term, saved.formula, Kind::activation, saved.bytes * count, count, saved.module);
    }

    // training/utils.py:540-575@d98e8a64: ids, labels, loss mask, positions; and the attention mask where it
    // is made.
    void batch() {
        item("batch", "detailed.batch", Kind::transient, 28 * c_.z.tokens);
        if (!c_.s.create_attention_mask_in_dataloader) return;
        item("attention_mask", "detailed.attention_mask", Kind::transient,
             Wide{c_.r.micro_batch} * c_.r.sequence * c_.r.sequence / c_.z.cp);
    }

    Event largest_event() const {
        const std::int64_t last_chunk = c_.pipeline.chunks - 1;
        const Stage& last = stage(last_chunk);
        const Wide hidden = c_.z.hidden_bytes();
        std::vector<Event> events;
        Wide backward = 0;
        if (last.layers > 0) {
            const LayerMemory& layer = layers_[last_layer_is_moe(last) ? 1 : 0];
            backward = layer.backward + recomputed(last);
        }
        events.push_back({"layer_backward", "detailed.peak.layer_backward", backward});
        if ((last.layers > 0 && last_layer_is_moe(last)) || (last.mtp > 0 && c_.last_is_moe)) {
            events.push_back({"moe_forward", "detailed.peak.moe_forward", layers_[1].forward_hold});
        }
        if (last.output) add_head(last, events);

        if (c_.s.use_megatron_fsdp) add_fsdp(last, events);

        // Tensors that the schedule holds between stages: the previous micro-batch's input gradient, and with
        // the interleaved schedule a prefetched input; a forward event has one more
        // (schedules.py:2277@23e00ed0).
        Wide between = 0;
        const bool first_of_1f1b = rank_ == 0 && c_.pipeline.chunks == 1;
        if (c_.z.pp > 1 && c_.z.micro_batches > 1 && !first_of_1f1b) between = c_.pipeline.chunks > 1 ? 3 : 2;
        for (Event& event : events) {
            const bool forward = event.name == "cross_entropy" || event.name == "moe_forward";
            event.bytes += hidden * (forward ? between : std::max<Wide>(between - 1, 0));
        }
        return *std::max_element(events.begin(), events.end(),
                                 [](const Event& a, const Event& b) { return a.bytes < b.bytes; });
    }

    // Layers fetched ahead are alive in every event; the end of the backward pass has whole gradients
    // besides.
    void add_fsdp(const Stage& last, std::vector<Event>& events) const {
        const FsdpGathered gathered = fsdp_gathered(c_, rank_);
        const Wide weights = gathered.forward_weights + (gathered.root_stays ? 0 : gathered.root_weights);
        for (Event& event : events)
            event.bytes += weights;
        if (last.layers == 0) return;
        // All but one layer's activations are freed by then; what the other events stand on is taken off
        // again.
        const LayerMemory& layer = layers_[c_.moe[static_cast<std::size_t>(last.first_layer)] ? 1 : 0];
        const Wide alive = layer.total + layer.backward - saved_;
        events.push_back(
            {"backward_end", "detailed.peak.backward_end", weights + alive + gathered.queued_gradients});
    }

    bool last_layer_is_moe(const Stage& stage) const {
        return stage.layers > 0 && c_.moe[static_cast<std::size_t>(stage.first_layer + stage.layers - 1)];
    }

    // Full recompute rebuilds one piece in its backward pass.
    Wide recomputed(const Stage& stage) const {
        if (checkpoints_of(c_, stage.layers).layers < stage.layers || !full_recompute(c_)) return 0;
        const std::int64_t piece =
            c_.s.recompute_method == RecomputeMethod::block
                ? 1
                : std::clamp<std::int64_t>(c_.s.recompute_num_layers.value_or(1), 1, stage.layers);
        Wide sum = 0;
        for (std::int64_t i = 0; i < piece; ++i) {
            sum += layers_[c_.moe[static_cast<std::size_t>(stage.first_layer + stage.layers - 1 - i)] ? 1 : 0]
                       .total;
        }
        return sum;
    }

    bool te_loss() const {
        return c_.s.cross_entropy_loss_fusion && c_.s.cross_entropy_fusion_impl == CrossEntropyImpl::te;
    }

    // Bytes a logit at the peak of the loss: 6 unfused (the logits and fp32 exponentials), 10 with the native
    // fusion, 2 with TE's, which works in place (tensor_parallel/cross_entropy.py:25, 181;
    // fused_cross_entropy.py; TE cross_entropy.py:62). In fp32 the native ones work in place too: 4.
    Wide loss_bytes() const {
        if (c_.s.precision == Precision::fp32) return 4;
        if (!c_.s.cross_entropy_loss_fusion) return 6;
        return te_loss() ? 2 : 10;
    }

    Wide te_loss_extra() const { return te_loss() ? 16 * c_.z.tokens : 0; }

    void add_head(const Stage& last, std::vector<Event>& events) const {
        const Sizes& z = c_.z;
        const Wide logits = z.tokens * z.vocab_local;
        const Wide norm = 2 * z.hidden_bytes() + 4 * z.norm * z.local_tokens;
        const Wide gradient = c_.s.gradient_accumulation_fusion ? 0 : z.element * z.vocab_local * z.h;
        const Wide deferred = deferred_output();
        events.push_back({"cross_entropy", "detailed.peak.cross_entropy",
                          norm + loss_bytes() * logits + te_loss_extra() + 4 * logits * last.mtp + deferred});
        events.push_back({"output_backward", "detailed.peak.output_backward",
                          norm + z.element * logits + z.element * z.tokens * z.h +
                              (z.sp ? z.hidden_bytes() : 0) + gradient + deferred});
    }

    // --defer-embedding-wgrad-compute keeps output gradients of the deferred and inputs of all micro-batches.
    Wide deferred_output() const {
        if (!c_.s.defer_embedding_wgrad_compute) return 0;
        const std::int64_t m = c_.z.micro_batches;
        const std::int64_t limit = c_.s.wgrad_deferral_limit > 0 ? std::min(c_.s.wgrad_deferral_limit, m) : m;
        return c_.z.element * c_.z.tokens * (limit * c_.z.vocab_local + m * c_.z.h);
    }

    void item(std::string_view component, std::string_view formula, Kind kind, Wide bytes,
              std::int64_t multiplicity = 1, std::string_view module = {}) {
        if (bytes == 0) return;
        if (kind == Kind::activation) saved_ += bytes;
        items_.push_back({.component = component,
                          .kind = kind,
                          .bytes = narrow(bytes),
                          .multiplicity = multiplicity,
                          .formula = formula,
                          .module = module});
    }

    const Context& c_;
    std::int64_t rank_;
    const std::array<LayerMemory, 2>& layers_;
    const std::vector<std::int64_t>& in_flight_;
    std::vector<LineItem>& items_;
    Wide saved_ = 0;  // activations in flight
};

}  // namespace

std::string_view add_peak(const Context& context, std::int64_t rank, const std::array<LayerMemory, 2>& layers,
                          const std::vector<std::int64_t>& in_flight, std::vector<LineItem>& items) {
    return Peak(context, rank, layers, in_flight, items).add();
}

}  // namespace megamem::detailed

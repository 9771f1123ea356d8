// Activations of the micro-batches in flight, and the event on top of them that makes the peak.
#include <algorithm>

#include "memory/detailed.h"
#include "memory/detailed_chunk.h"
#include "memory/detailed_fsdp.h"
#include "memory/detailed_moment.h"

namespace megamem::detailed {

namespace {

bool te_loss(const Scenario& s) {
    return s.cross_entropy_loss_fusion && s.cross_entropy_fusion_impl == CrossEntropyImpl::te;
}

}  // namespace

// 6 unfused (the logits and fp32 exponentials), 10 with the native fusion, 2 with TE's, which works in place
// (tensor_parallel/cross_entropy.py:25, 181; fused_cross_entropy.py; TE cross_entropy.py:62). In fp32 the
// native ones work in place too: 4.
Wide loss_bytes(const Scenario& s) {
    if (fp32_logits(s)) return 4;
    if (!s.cross_entropy_loss_fusion) return 6;
    return te_loss(s) ? 2 : 10;
}

bool fp32_logits(const Scenario& s) {
    return s.precision == Precision::fp32 || s.output_logit_dtype == LogitDtype::fp32;
}

// training/utils.py:540-575@23e00ed0: ids, labels, loss mask, positions; and the attention mask where it is
// made.
Wide mask_bytes(const Context& c) {
    if (!c.s.create_attention_mask_in_dataloader) return 0;
    return Wide{c.r.micro_batch} * c.r.sequence * c.r.sequence / c.z.cp;
}

Wide batch_bytes(const Context& c) {
    return 28 * c.z.tokens + mask_bytes(c);
}

namespace {

struct Event {
    std::string_view name;
    std::string_view formula;
    Wide bytes = 0;
    bool forward = true;  // of a forward pass
};

class Peak {
  public:
    Peak(const Context& c, std::int64_t rank, const Layers& layers, const RankKind& kind,
         std::vector<LineItem>& items)
        : c_(c), rank_(rank), layers_(layers), kind_(kind), items_(items) {}

    std::string_view add(std::vector<std::int64_t>& in_flight) {
        find_moment();
        in_flight = moment_.alive;
        saved();
        kept_by_delta();
        batch();
        const Event event = largest_event();
        item("at_the_peak", event.formula, Kind::transient, event.bytes);
        return event.name;
    }

  private:
    const Stage& stage(std::int64_t chunk) const { return c_.pipeline.stage(rank_, chunk); }

    void find_moment() {
        std::vector<PassBytes> bytes(kind_.chunks.size());
        for (std::int64_t chunk = 0; chunk < c_.pipeline.chunks; ++chunk) {
            PassBytes& most = bytes[static_cast<std::size_t>(chunk)];
            for (const Event& event : events_of(chunk, 0)) {
                Wide& sum = event.forward ? most.forward : most.backward;
                sum = std::max(sum, event.bytes);
            }
        }
        moment_ = heaviest_moment(c_, rank_, kind_, bytes);
    }

    void saved() {
        KeptTensors kept;
        std::int64_t embeddings = 0;
        for (std::int64_t i = 0; i < c_.pipeline.chunks; ++i) {
            const std::int64_t count = moment_.alive[static_cast<std::size_t>(i)];
            const ChunkMemory& chunk = kind_.chunks[static_cast<std::size_t>(i)];
            const std::int64_t next = moment_.next == i ? 1 : 0;
            kept.add(chunk.kept(Residence::away).tensors, count - next);
            kept.add(chunk.kept(moment_.residence).tensors, next);
            if (stage(i).embedding) embeddings += count;
        }
        for (std::size_t kind = 0; kind < layers_.size(); ++kind) {
            for (std::size_t term = 0; term < kept.layers[kind].size(); ++term) {
                const Saved& saved = layers_[kind].saved[term];
                const std::int64_t count = kept.layers[kind][term];
                item(saved.term, saved.formula, Kind::activation, saved.bytes * count, count, saved.module);
            }
        }
        const bool uniform = c_.full_recompute() && c_.s.recompute_method != RecomputeMethod::block;
        item("mtp_tensors", uniform ? "detailed.act.mtp_checkpointed" : "detailed.act.mtp", Kind::activation,
             kept.mtp, kept.mtp_count, "mtp");
        item("checkpointed_inputs", "detailed.act.checkpoint", Kind::activation, kept.checkpoints,
             kept.checkpoint_count, "checkpoints");
        if (c_.s.hidden_dropout.ten_thousandths > 0) {
            item("embedding_dropout_mask", "detailed.act.dropout_mask", Kind::activation,
                 c_.z.local_tokens * c_.z.h * embeddings, embeddings, "embedding");
        }
    }

    // Each pipeline rank keeps so many bytes more than the one before, in whole groups: those of the first
    // backward pass first (fine_grained_activation_offload.py:640-648@d98e8a64).
    void kept_by_delta() {
        if (!c_.s.fine_grained_activation_offloading) return;
        Wide wanted = Wide{rank_} * c_.s.delta_offload_bytes_across_pp_ranks;
        Wide kept = 0;
        for (std::int64_t i = c_.pipeline.chunks; i-- > 0 && kept < wanted;) {
            const Chunk chunk(c_, stage(i), layers_);
            for (std::int64_t pass = 0; pass < moment_.alive[static_cast<std::size_t>(i)]; ++pass) {
                const bool next = i == moment_.next && pass == 0;
                for (const Wide bytes : chunk.offloaded_groups(next ? moment_.residence : Residence::away))
                    kept += kept < wanted ? bytes : 0;
                if (kept >= wanted) break;
            }
        }
        item("kept_for_balance", "detailed.act.kept_for_balance", Kind::activation, kept);
    }

    void batch() {
        item("batch", "detailed.batch", Kind::transient, batch_bytes(c_) - mask_bytes(c_));
        item("attention_mask", "detailed.attention_mask", Kind::transient, mask_bytes(c_));
    }

    // Events of the passes of one chunk. `backward`: what the backward pass of its layers holds.
    std::vector<Event> events_of(std::int64_t chunk, Wide backward) const {
        const Stage& here = stage(chunk);
        const ChunkMemory& memory = kind_.chunks[static_cast<std::size_t>(chunk)];
        std::vector<Event> events;
        constexpr std::size_t kMostEvents = 6;
        events.reserve(kMostEvents);
        events.push_back({"layer_backward", "detailed.peak.layer_backward", backward, false});
        if (const LayerMemory* layer = memory.last_layer) {
            if (memory.ends_in_moe)
                events.push_back({"moe_forward", "detailed.peak.moe_forward", layer->moe_forward, true});
            if (memory.attention_forward > 0) {
                events.push_back(
                    {"attention_forward", "detailed.peak.attention_forward", memory.attention_forward, true});
            }
        }
        if (here.output) add_head(here, events);

        // Tensors that the schedule holds between stages: the previous micro-batch's input gradient, and with
        // the interleaved schedule a prefetched input; a forward event has one more
        // (schedules.py:2277@23e00ed0).
        Wide between = 0;
        const bool first_of_1f1b = rank_ == 0 && c_.pipeline.chunks == 1;
        if (c_.z.pp > 1 && c_.z.micro_batches > 1 && !first_of_1f1b) between = c_.pipeline.chunks > 1 ? 3 : 2;
        for (Event& event : events)
            event.bytes += stream_bytes(c_) * (event.forward ? between : std::max<Wide>(between - 1, 0));
        return events;
    }

    Event largest_event() const {
        const ChunkMemory& memory = kind_.chunks[static_cast<std::size_t>(moment_.chunk)];
        const Residence residence = moment_.next == moment_.chunk ? moment_.residence : Residence::away;
        std::vector<Event> events = events_of(moment_.chunk, memory.kept(residence).backward);
        std::erase_if(events,
                      [&](const Event& e) { return e.forward ? !moment_.forward : !moment_.backward; });
        if (c_.s.use_megatron_fsdp) add_fsdp(stage(moment_.chunk), events);
        if (c_.s.use_torch_fsdp2) add_fsdp2(stage(moment_.chunk), events);
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
        const LayerMemory& layer = layers_[kind_of(c_, last.first_layer)];
        const Wide alive = layer.total + layer.backward - saved_;
        events.push_back({"backward_end", "detailed.peak.backward_end",
                          weights + alive + gathered.queued_gradients, false});
    }

    // Weights that PyTorch's FSDP2 has gathered in each event, and gradients that wait to be scattered.
    void add_fsdp2(const Stage& last, std::vector<Event>& events) const {
        const Fsdp2Gathered gathered = fsdp2_gathered(c_, rank_, last);
        for (Event& event : events) {
            event.bytes += gathered.kept;
            if (event.name == "layer_backward") event.bytes += gathered.layer_backward;
            if (event.name == "output_backward") event.bytes += gathered.output_backward;
            if (event.name == "moe_forward" || event.name == "attention_forward")
                event.bytes += gathered.layer_forward;
        }
    }

    // What each MTP depth's loss keeps until its backward pass: TE's the bf16 gradient only.
    Wide mtp_loss_bytes() const { return te_loss(c_.s) ? 2 : 4; }

    Wide te_loss_extra() const { return te_loss(c_.s) ? 16 * c_.z.tokens : 0; }

    void add_head(const Stage& last, std::vector<Event>& events) const {
        const Sizes& z = c_.z;
        const Wide logits = z.tokens * z.vocab_local;
        const Wide input = c_.software.te ? z.hidden_bytes() : stream_bytes(c_);
        const Wide norm = input + z.hidden_bytes() + 4 * z.norm * z.local_tokens;
        const Wide logit = fp32_logits(c_.s) ? 4 : z.element;
        const Wide gradient = c_.s.gradient_accumulation_fusion ? 0 : z.element * z.vocab_local * z.h;
        const Wide deferred = deferred_output();
        events.push_back({"cross_entropy", "detailed.peak.cross_entropy",
                          norm + loss_bytes(c_.s) * logits + te_loss_extra() +
                              mtp_loss_bytes() * logits * last.mtp + deferred,
                          true});
        events.push_back({"output_backward", "detailed.peak.output_backward",
                          norm + logit * logits + z.element * z.tokens * z.h + (z.sp ? z.hidden_bytes() : 0) +
                              gradient + deferred,
                          false});
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
    const Layers& layers_;
    const RankKind& kind_;
    Moment moment_;
    std::vector<LineItem>& items_;
    Wide saved_ = 0;  // activations in flight
};

}  // namespace

std::string_view add_peak(const Context& context, std::int64_t rank, const Layers& layers,
                          const RankKind& kind, std::vector<std::int64_t>& in_flight,
                          std::vector<LineItem>& items) {
    return Peak(context, rank, layers, kind, items).add(in_flight);
}

}  // namespace megamem::detailed

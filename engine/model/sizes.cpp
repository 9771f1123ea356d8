#include "model/sizes.h"

#include <algorithm>
#include <optional>

namespace megamem {

namespace {

// ceil(ceil-to-capacity) of the balanced share: moe_utils.py:248-266@d98e8a64.
Wide capacity(const Scenario& s, Wide tokens) {
    const Wide share = tokens * s.moe_router_topk * s.moe_expert_capacity_factor.ten_thousandths;
    const Wide divisor = Wide{s.num_experts} * Decimal4::kOne;
    return (share + divisor - 1) / divisor;
}

// Tokens of an expert are a multiple of this where its GEMMs are in FP8 or FP4 (fp8_utils.py:356-361,
// fp4_utils.py:176-204, moe_utils.py:1463-1481@d98e8a64).
Wide alignment(const Scenario& s) {
    if (s.fp4_format != Fp4Format::none) return 128;
    if (s.fp8_format == Fp8Format::none) return 1;
    return s.fp8_recipe == Fp8Recipe::mxfp8 ? 32 : 16;
}

// Half of what can be missing to a multiple, on average: once for each local expert, or, where the router
// pads, for each expert on every rank that sends (token_dispatcher.py:649, 1433@d98e8a64; the flex
// dispatcher pads what has arrived).
Wide padding(const Scenario& s, const Sizes& z) {
    const bool by_sender =
        s.moe_router_padding_for_quantization && s.moe_token_dispatcher_type != Dispatcher::flex;
    const Wide experts = by_sender ? Wide{s.num_experts} * z.etp : Wide{z.experts_local};
    return experts * (alignment(s) - 1) / 2;
}

// HybridEP and NCCL-EP receive into a buffer of fixed size (token_dispatcher.py:1098-1110@d98e8a64).
std::optional<Wide> budget(const Scenario& s, const Sizes& z) {
    const bool has_one = s.moe_token_dispatcher_type == Dispatcher::flex &&
                         s.moe_flex_dispatcher_backend != FlexBackend::deepep;
    if (!has_one || s.moe_expert_rank_capacity_factor.ten_thousandths == 0) return std::nullopt;
    const Wide tokens = z.sent * s.moe_expert_rank_capacity_factor.ten_thousandths / Decimal4::kOne;
    const Wide multiple = alignment(s);
    return (tokens + multiple - 1) / multiple * multiple;
}

Wide routed_tokens(const Scenario& s, const Sizes& z) {
    if (const auto fixed = budget(s, z)) return *fixed;
    // Dropless: N = Ts k ETP for a balanced load, whatever EP is; the load factor is the user's.
    Wide routed = z.sent * z.etp * s.moe_load_factor.ten_thousandths / Decimal4::kOne;
    if (s.moe_expert_capacity_factor.ten_thousandths > 0) {
        // Padded, every expert gets exactly its capacity (token_dispatcher.py:517-540@d98e8a64); else at most
        // that.
        const Wide most = capacity(s, z.local_tokens) * z.experts_local * z.ep * z.etp;
        if (s.moe_pad_expert_input_to_capacity) return most;
        routed = std::min(routed, most);
    }
    return routed + padding(s, z);
}

}  // namespace

Sizes sizes_of(const Scenario& s, const Resolved& r) {
    Sizes z;
    z.tp = s.tensor_model_parallel_size;
    z.pp = s.pipeline_model_parallel_size;
    z.cp = s.context_parallel_size;
    z.ep = s.expert_model_parallel_size;
    z.etp = r.etp;
    z.dp = std::max<std::int64_t>(r.world_size / (z.tp * z.pp * z.cp), 1);
    z.edp = std::max<std::int64_t>(r.world_size / (z.etp * z.ep * z.pp), 1);
    z.dense_shards = std::max<std::int64_t>(z.dp * z.cp / s.num_distributed_optimizer_instances, 1);
    z.expert_shards = std::max<std::int64_t>(z.edp / s.num_distributed_optimizer_instances, 1);
    z.separate_experts = z.ep > 1 || z.etp != z.tp;
    z.sp = s.sequence_parallel && z.tp > 1;  // arguments.py:1433-1440@d98e8a64

    z.element = s.precision == Precision::fp32 ? 4 : 2;
    z.h = r.hidden;
    z.heads = r.heads;
    z.groups = r.groups;
    z.head = r.head_width;
    z.n_local = std::max<Wide>(z.heads / z.tp, 1);
    z.g_local = std::max<Wide>(z.groups / z.tp, 1);
    z.ffn = r.ffn;
    z.moe_ffn = r.moe_ffn;
    z.shared = s.num_experts > 0 ? s.moe_shared_expert_intermediate_size : 0;
    z.expert_h = s.moe_latent_size.value_or(r.hidden);
    z.gate = s.swiglu ? 2 : 1;
    z.norm = s.normalization == Normalization::rms_norm ? 1 : 2;
    // vocab_utils.py:39-62@d98e8a64
    const Wide multiple = Wide{s.make_vocab_size_divisible_by} * z.tp;
    z.vocab_local = (r.vocab + multiple - 1) / multiple * multiple / z.tp;

    z.tokens = Wide{r.micro_batch} * r.sequence / z.cp;
    z.local_tokens = z.sp ? z.tokens / z.tp : z.tokens;
    if (s.num_experts > 0) {
        z.experts_local = s.num_experts / z.ep;
        z.sent = z.local_tokens * s.moe_router_topk;
        z.routed = routed_tokens(s, z);
    }
    const std::int64_t step = r.micro_batch * z.dp;
    z.micro_batches = s.global_batch_size ? std::max<std::int64_t>(*s.global_batch_size / step, 1) : 2 * z.pp;
    return z;
}

}  // namespace megamem

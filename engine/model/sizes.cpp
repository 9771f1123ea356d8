#include "model/sizes.h"

#include <algorithm>

namespace megamem {

namespace {

// ceil(ceil-to-capacity) of the balanced share: moe_utils.py:248-266@d98e8a64.
Wide capacity(const Scenario& s, Wide tokens) {
    const Wide share = tokens * s.moe_router_topk * s.moe_expert_capacity_factor.ten_thousandths;
    const Wide divisor = Wide{s.num_experts} * Decimal4::kOne;
    return (share + divisor - 1) / divisor;
}

Wide routed_tokens(const Scenario& s, const Sizes& z) {
    // Dropless: N = Ts k ETP for a balanced load, whatever EP is; the load factor is the user's.
    Wide routed = z.sent * z.etp * s.moe_load_factor.ten_thousandths / Decimal4::kOne;
    if (s.moe_expert_capacity_factor.ten_thousandths > 0) {
        // Padded, every expert gets exactly its capacity (token_dispatcher.py:517-540@d98e8a64); else at most
        // that.
        const Wide most = capacity(s, z.local_tokens) * z.experts_local * z.ep * z.etp;
        routed = s.moe_pad_expert_input_to_capacity ? most : std::min(routed, most);
    }
    return routed;
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

// Formulas of the `megatron-report` method. Lines are of
// megatron/training/theoretical_memory_usage.py@d98e8a64.
#include <array>

#include "memory/formulas.h"

namespace megamem {

namespace {

constexpr std::array kFormulas = {
    Formula{"megatron_report.attention",
            "2 × hidden × kv_channels × (heads + groups) × (layers / PP + MTP layers) / TP",
            "lines 81-93, 248-252"},
    Formula{"megatron_report.mla",
            "(q_lora × (hidden + heads × (qk + rope) + mla_norm) + kv_lora × (hidden + heads × (qk + v) + "
            "mla_norm) + hidden × rope + heads × v × hidden) × (layers / PP + MTP layers) / TP",
            "lines 62-80, 248-252"},
    Formula{"megatron_report.mla_whole_query",
            "(hidden × heads × (qk + rope) + kv_lora × (hidden + heads × (qk + v) + mla_norm) + hidden × rope "
            "+ heads × v × hidden) × (layers / PP + MTP layers) / TP",
            "lines 62-80, 248-252"},
    Formula{"megatron_report.mlp", "2 × hidden × ffn × gated × (dense layers / PP + dense MTP layers) / TP",
            "lines 103, 248-252"},
    Formula{"megatron_report.shared_experts",
            "2 × hidden × shared × gated × (MoE layers / PP + MoE MTP layers) / TP", "lines 104, 248-252"},
    Formula{"megatron_report.experts",
            "2 × expert_hidden × moe_ffn × experts × gated × (MoE layers / PP + MoE MTP layers) / "
            "expert_split",
            "lines 107-112, 256-259"},
    Formula{"megatron_report.latent",
            "2 × hidden × latent × (MoE layers / PP + MoE MTP layers) / TP_r; from v0.19",
            "lines 122-126, 253-255"},
    Formula{"megatron_report.router",
            "(hidden × experts + router_bias) × (MoE layers / PP + MoE MTP layers) / TP_r; from v0.18",
            "lines 128-132, 253-255"},
    Formula{"megatron_report.shared_expert_gate",
            "hidden × (MoE layers / PP + MoE MTP layers) / TP_r; from v0.18", "lines 133-137, 253-255"},
    Formula{"megatron_report.norms", "2 × hidden × norm × (layers / PP + MTP layers) / TP_r",
            "lines 60, 127, 253-255"},
    Formula{"megatron_report.final_norm", "hidden × norm / PP / TP_r", "lines 96, 253-255"},
    Formula{"megatron_report.embedding", "hidden × padded vocab / TP", "lines 95, 251-252"},
    Formula{"megatron_report.output_layer", "hidden × padded vocab / TP; untied and with PP 1",
            "lines 265-267"},
    Formula{"megatron_report.act.layers",
            "seq × batch × hidden × (18 + 4 × ffn / hidden) × layers × in flight / TP", "lines 316-325, 379"},
    Formula{"megatron_report.act.layers_without_sp",
            "seq × batch × hidden × (10 + 24 / TP) × layers × in flight", "lines 385-395"},
    Formula{"megatron_report.act.token_ids", "8 × seq × batch × PP × in flight / TP_a",
            "lines 329-332, 397-401"},
    Formula{"megatron_report.act.embedding_dropout", "seq × batch × hidden × PP × in flight / TP_a",
            "lines 333-339, 402-408"},
    Formula{"megatron_report.act.output_layer",
            "4 × seq × batch × hidden × (1 + padded vocab / hidden) / TP; with PP 1", "lines 368-376"},
    Formula{"megatron_report.act.output_layer_without_sp",
            "2 × seq × batch × (padded vocab / TP + hidden); with PP 1", "lines 437-447"},
    Formula{"megatron_report.act.overhead", "0.05 × others; the activations above", "lines 449-451"},
};

}  // namespace

std::span<const Formula> megatron_report_formulas() {
    return kFormulas;
}

}  // namespace megamem

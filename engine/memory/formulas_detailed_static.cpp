// Formulas of the `detailed` method: states, workspaces, what is held between steps, and events at the peak.
// Written as those in formulas_detailed.cpp.
#include <array>

#include "memory/formulas.h"

namespace megamem {

namespace {

constexpr std::array kFormulas = {
    // States. B and D differ between tensors of a module: see the explanation's parts.
    Formula{"detailed.weight",
            "P × B / D; B = 2 bytes (fp32: 4; fp8_param_gather and fp4_param_gather: one FP8 or FP4 copy; "
            "buffers: 4), D = 1 (FSDP's "
            "optim_grads_params: "
            "data-parallel shards)",
            "docs/user-guide/features/dist_optimizer.md@d98e8a64"},
    Formula{"detailed.fp8_cache",
            "P × B / D; B = one copy row-wise (none with fp8_param_gather) + one transposed (none on compute "
            "capability 10.x with delayed or tensorwise scaling, and in FSDP without "
            "keep_fp8_transpose_cache); a "
            "copy has a byte an element, with MXFP8 and NVFP4 scales of 32 and 16, in FP4 half a byte",
            "TE module/base.py:792-887@d0067d0d; TE utils.py:658-664@d0067d0d"},
    Formula{"detailed.grad",
            "P × B / D; B = 4 bytes (2 with fp16 or bf16 gradients), D = 1 (FSDP's optim_grads and "
            "optim_grads_params: data-parallel shards)",
            "megatron/training/arguments.py:1204-1217@d98e8a64"},
    Formula{
        "detailed.master",
        "P × B / D; B = 4 bytes (fp32 training: 0; precision-aware: main_params_dtype, or 2 for bf16's "
        "remainder), D = data-parallel shards of the distributed optimizer",
        "docs/user-guide/features/dist_optimizer.md@d98e8a64; TE optimizers/fused_adam.py:98-100@d0067d0d"},
    Formula{"detailed.optimizer",
            "P × B / D; B = 8 bytes for Adam's two fp32 moments (SGD, Lion, Muon: 4; precision-aware: "
            "exp_avg and "
            "exp_avg_sq types), D = data-parallel shards of the distributed optimizer",
            "docs/user-guide/features/dist_optimizer.md@d98e8a64"},
    Formula{
        "detailed.deepep_buffers",
        "10 × p_ep × (t_near × (2 × h_e + 2056) + 8 × n_ep + 12) + 20 × n_far × (t_far × (2 × h_e + 2072) + "
        "72) + 2^25; NVLink and RDMA buffers of 10 channels with tokens, their experts and scales",
        "DeepEP csrc/config.hpp:47-98, deep_ep/buffer.py:232-271@v1.2.1; "
        "core/transformer/moe/fused_a2a.py:38-72@d98e8a64"},
    Formula{"detailed.hybridep_buffers",
            "t_ep × (EP × ETP × (2 × h_e + 4 × E / EP × p_ep + h_e / 32) + far); room for all tokens of the "
            "group, "
            "with probabilities and scales, and what goes to other NVLink domains",
            "DeepEP csrc/hybrid_ep/buffer/intranode.cu:186-262, internode_doca.cu:383-580@94a9f8f"},
    Formula{"detailed.fp32_gradient_copy",
            "P × B / D; B = 4 bytes: 2-byte gradients in fp32 for the step, until the next forward pass",
            "core/optimizer/distrib_optimizer.py:2784-2792@d98e8a64"},
    Formula{"detailed.muon_owned_master", "4 × (P_muon + P_adam); whole parameters that this rank owns",
            "core/optimizer/layer_wise_optimizer.py:101-148@5fe3f06658, 116-262@0044db1f20"},
    Formula{"detailed.muon_owned",
            "4 × P_muon + 8 × P_adam; one momentum of Muon's matrices, Adam's two of the rest",
            "core/optimizer/layer_wise_optimizer.py:101-148@5fe3f06658, 116-262@0044db1f20"},
    Formula{"detailed.muon_padding", "2 × P_pad; padding of the layer-wise layout",
            "core/optimizer/layer_wise_optimizer.py:116-262@0044db1f20"},
    Formula{"detailed.muon_padding_grad", "B_g × P_pad; padding of the layer-wise layout",
            "core/optimizer/layer_wise_optimizer.py:116-262@0044db1f20"},

    // Beyond what is allocated
    Formula{"detailed.fragmentation", "P_peak × share / 100; the allocator's own reserve",
            "reserved and allocated peaks of published runs: MooreThreads/SimuMax docs/b200, "
            "NVIDIA-NeMo/Megatron-Bridge model cards"},

    // The vision tower
    Formula{"detailed.vision.encoder",
            "elements × bytes, states / data-parallel shards; the patch embedding is whole on every TP rank, "
            "attention and "
            "MLP are divided by TP",
            "core/models/vision/clip_vit_model.py:91-154@d98e8a64"},
    Formula{
        "detailed.vision.projector",
        "(merge² × vit_hidden + hidden) × projector_ffn / TP elements × bytes, states / data-parallel shards",
        "examples/multimodal/model.py:186-222@d98e8a64"},
    Formula{"detailed.vision.layers",
            "what each ViT layer keeps of every patch, times the micro-batches in flight",
            "core/models/vision/clip_vit_model.py@d98e8a64; as a dense layer without sequence parallelism"},
    Formula{"detailed.vision.projector_tensors", "input and two projector tensors of every merged patch",
            "examples/multimodal/model.py:186-222@d98e8a64"},

    // Kept from start to end
    Formula{"detailed.te_workspace", "W_te", "TE cpp_extensions/gemm.py:31-36@v2.11"},
    Formula{"detailed.grouped_workspace", "4 × W_te; a workspace for each stream of grouped GEMMs",
            "TE cpp_extensions/gemm.py:51-56@v2.11"},
    Formula{"detailed.user_buffer_workspace", "3 × W_te; a workspace for each stream of tp_comm_overlap",
            "TE cpp_extensions/gemm.py:28, 44-49@v2.11"},
    Formula{"detailed.cublas_workspace", "2 × W_cublas; one for the forward thread, one for autograd's",
            "CUBLAS_WORKSPACE_CONFIG, or cuBLAS's default for the GPU"},
    Formula{"detailed.global_buffer", "element × T × h; the output layer's gathered input",
            "core/tensor_parallel/layers.py:627@d98e8a64"},
    Formula{"detailed.global_buffer_tokens",
            "element × Ts × h × ETP × EP; the allgather dispatcher's tokens of all ranks",
            "core/transformer/moe/token_dispatcher.py:300@d98e8a64"},
    Formula{"detailed.global_buffer_scores",
            "element × b × n / TP × s × s / CP; scores of the local attention",
            "core/transformer/dot_product_attention.py:189@d98e8a64"},
    Formula{"detailed.rotary_tables", "VPP × 4 × s / CP × d_rot; an fp32 table for each model chunk",
            "core/models/common/embeddings/rotary_pos_embedding.py:177@01eb7e87"},
    Formula{
        "detailed.rotary_tables_mla",
        "L_r × (4 × s × d_rot + 4 × s_rot × d_rot); of each layer an fp32 table, and cos and sin in 2 bytes",
        "core/models/common/embeddings/yarn_rotary_pos_embedding.py:118-190@01eb7e87"},
    Formula{"detailed.dummy_gradients",
            "element × R; one dummy gradient for each distinct shape of a weight, made where gradients "
            "accumulate "
            "in fused kernels",
            "TE module/base.py:64, 79-92@v2.11; core/tensor_parallel/layers.py:742-754@d98e8a64"},
    Formula{"detailed.fsdp_root", "element × P_root; embedding, final norm and output layer stay gathered",
            "Megatron-LM 378d81fbd3"},

    Formula{"detailed.fsdp_double_buffers",
            "2 × pool; two buffers that the weights and gradients of the commonest kind of layer go through",
            "core/distributed/fsdp/src/megatron_fsdp/param_and_grad_buffer.py:648-745, 2524-2560@d98e8a64"},
    Formula{"detailed.static_batches",
            "M × (28 × T + mask); inputs of all micro-batches, as a graph reads them",
            "core/full_cuda_graph.py:98-136@d98e8a64"},

    // Held between steps
    Formula{"detailed.dispatcher_alltoall",
            "L_moe × (Ts × E × (e_p + 1) + 4 × Ts × (2 × E + 1)); probabilities, map and fused row map of "
            "the last "
            "micro-batch",
            "core/transformer/moe/token_dispatcher.py:615-640@01eb7e87"},
    Formula{
        "detailed.dispatcher_alltoall_unfused",
        "L_moe × (Ts × E × (e_p + 1) + 8 × Ts × k); probabilities, map and indices of the last micro-batch",
        "core/transformer/moe/token_dispatcher.py:615-640@01eb7e87"},
    Formula{"detailed.dispatcher_flex",
            "L_moe × (5 × Ts × E + 4 × N); probabilities and map of the last micro-batch",
            "core/transformer/moe/token_dispatcher.py@01eb7e87"},
    Formula{"detailed.dispatcher_hybrid_ep",
            "L_moe × (5 × Ts × E + 4 × N + Ts × (4 × EP × ETP + 5 × E)); also HybridEP's handle",
            "core/transformer/moe/fused_a2a.py:386@01eb7e87"},
    Formula{"detailed.dispatcher_allgather",
            "L_moe × (Ts × ETP × EP × (E / EP) + N × (e_p + 8)); map, probabilities and indices of the last "
            "micro-batch",
            "core/transformer/moe/token_dispatcher.py@01eb7e87"},
    Formula{"detailed.retained_leaves",
            "2 × H_r × leaves; inputs of MoE graphs or checkpoints with their gradients, which live on",
            "core/pipeline_parallel/utils.py:212@01eb7e87"},
    Formula{"detailed.graph_inputs",
            "graphs × (H + mask_g); a hidden tensor and a mask for each layer and micro-batch alive",
            "core/transformer/module.py:237, transformer_layer.py:1087@cd4afffa64"},
    Formula{"detailed.stage_inputs", "2 × H_r × C_in; the last received input of a chunk, with its gradient",
            "core/transformer/transformer_block.py:463, core/pipeline_parallel/schedules.py:561@d98e8a64"},
    Formula{"detailed.kept_batches",
            "(M - 1) × (B_b × T + mask); batches kept for reruns, all of a step but one",
            "core/rerun_state_machine.py:1143-1156, pretrain_gpt.py:94-98@6e091e1b"},
    Formula{"detailed.kept_batch", "B_b × T + mask; the last batch, kept for reruns between steps",
            "core/rerun_state_machine.py:1143-1156, pretrain_gpt.py:94-98@6e091e1b"},
    Formula{"nccl_buffer", "nccl_buffer_gib × 2^30", "set by the user"},

    // At the peak
    Formula{"detailed.batch", "28 × T; ids, labels and positions of 8 bytes, the loss mask of 4",
            "megatron/training/utils.py:540-575@23e00ed0"},
    Formula{"detailed.attention_mask", "b × s × s / CP; a byte an entry",
            "megatron/training/utils.py:540-575@23e00ed0"},
    Formula{"detailed.peak.cross_entropy",
            "2 × H + 4 × ns × Ts + B_l × T × V / TP + rest; final norm and logits at the loss; the rest is "
            "what the "
            "pipeline, MTP's losses, deferred gradients and FSDP hold",
            "core/tensor_parallel/cross_entropy.py:25, 181@d98e8a64; TE cross_entropy.py:62@v2.11"},
    Formula{"detailed.peak.output_backward",
            "2 × H + 4 × ns × Ts + e_l × T × V / TP + element × T × h + rest; final norm, gradients of "
            "logits "
            "and input; the rest is the scattered gradient with sequence_parallel, the weight's without "
            "gradient_accumulation_fusion, and what pipeline, deferral and FSDP hold",
            "core/tensor_parallel/layers.py:627-760@d98e8a64"},
    Formula{
        "detailed.peak.layer_backward",
        "the most that a layer's backward pass holds: gradients of its halves' tensors, what recompute or "
        "offloading brings back, less what is freed by then; and what pipeline and FSDP hold",
        "core/fusions/fused_bias_swiglu.py:235-288@d98e8a64; TE module/linear.py:433@v2.11"},
    Formula{"detailed.peak.moe_forward",
            "the most at the combine of the last MoE layer: permuted tokens (element × Ts × k × h_e), the "
            "all-to-all's result, expert outputs (element × N × h_e) and their sorted copy, which Python "
            "names keep "
            "until it ends; and what pipeline and FSDP hold",
            "core/transformer/moe/moe_layer.py:658@d98e8a64"},
    Formula{"detailed.peak.attention_forward",
            "unfused attention's scores (element × b × n / TP × s × s / CP) before the softmax, and its "
            "tensors that "
            "leave for the host or are made again; less the block's tensors, which aren't made yet; and what "
            "pipeline and FSDP hold",
            "core/transformer/dot_product_attention.py:189-230@d98e8a64"},
    Formula{"detailed.peak.backward_end",
            "FSDP at the end of the backward pass: gathered weights, whole gradients that wait, one layer's "
            "tensors",
            "core/distributed/fsdp/src/megatron_fsdp/megatron_fsdp.py:404-408@febd25e3fb"},
};

}  // namespace

std::span<const Formula> detailed_static_formulas() {
    return kFormulas;
}

}  // namespace megamem

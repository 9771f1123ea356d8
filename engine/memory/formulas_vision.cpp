// Formulas of the `detailed` method: what a vision tower with a vision_model_type saves, for one layer and
// micro-batch. Written as those in formulas_detailed.cpp; its states have the formulas of every other module.
#include <array>

#include "memory/formulas.h"

namespace megamem {

namespace {

constexpr std::array kFormulas = {
    // Embedding
    Formula{"detailed.vision.patch_input",
            "element × 3 × v_t × v_p^2 × v_P; the pixels, input of the convolution or linear layer",
            "core/models/vision/clip_vit_model.py:115-177; radio.py:345-379@d98e8a64"},
    Formula{"detailed.vision.norm", "v_T × (v_x × v_h + v_s); a norm before or after the layers",
            "core/models/vision/clip_vit_model.py:191-201@d98e8a64"},

    // Layers
    Formula{"detailed.vision.norms",
            "2 × v_T × ((v_x + v_e) × v_h + v_s); both norms: what they keep, their outputs, and factors of "
            "each token",
            "TE module/layernorm_linear.py:526-536@d0067d0d; InternViT: "
            "examples/multimodal/nvlm/internvit.py:91-115@d98e8a64"},
    Formula{
        "detailed.vision.qk_norms",
        "2 × v_T × (8 + element) × v_n × v_d / v_TP; two fp32 copies and the normalised input, of queries "
        "and of keys",
        "examples/multimodal/nvlm/internvit.py:97-115, 197-211@d98e8a64"},
    Formula{"detailed.vision.rotary_tables",
            "16 × v_T × v_d; cos and sin in fp32, for queries and for keys, new in every layer",
            "core/models/common/embeddings/rope_utils.py:138-147@d98e8a64; Megatron-Bridge "
            "qwen_vl/modelling_qwen3_vl/rope.py:453-497@067f987d"},
    Formula{"detailed.vision.rotary_once", "8 × v_T × v_d; cos and sin in fp32, shared by all layers",
            "transformers models/qwen2_5_vl/modeling_qwen2_5_vl.py (apply_rotary_pos_emb_vision)"},
    Formula{"detailed.vision.attention",
            "element × v_T × (2 × v_n + 2 × v_g) × v_d / v_TP; q, k, v and the output",
            "TE attention/dot_product_attention/backends.py:1323-1332@v2.11"},
    Formula{
        "detailed.vision.attention_views",
        "element × v_T × (4 × v_n + 3 × v_g) × v_d; q, k, the value as a view that keeps all three, and the "
        "output of each window and of all",
        "transformers models/qwen2_5_vl/modeling_qwen2_5_vl.py (Qwen2_5_VLVisionAttention)"},
    Formula{"detailed.vision.log_sum_exp", "4 × v_T × v_n / v_TP",
            "TE attention/dot_product_attention/backends.py:1323-1332@v2.11"},
    Formula{
        "detailed.vision.scores",
        "element × v_n × v_T × v_S / v_TP; unfused attention's, of every image with itself: no causal mask",
        "core/transformer/dot_product_attention.py:189-235@d98e8a64"},
    Formula{"detailed.vision.mlp",
            "v_T × v_f × (element + v_e) / v_TP; FC1's output with its bias, and FC2's input",
            "core/transformer/mlp.py:323-347@d98e8a64"},
    Formula{
        "detailed.vision.mlp_gated",
        "v_T × v_f × (3 × element + v_e) / v_TP; both halves of FC1's output, the gate, and FC2's input",
        "core/transformer/mlp.py:323-347@d98e8a64; examples/multimodal/config.py:189@d98e8a64: nothing is "
        "fused"},
    Formula{"detailed.vision.layer_scale",
            "2 × element × v_T × v_h; what attention and MLP give, before their scale",
            "examples/multimodal/layer_scaling.py:10-21@d98e8a64"},
    Formula{"detailed.vision.checkpoints", "element × v_T × v_h; the input of each checkpointed piece",
            "examples/multimodal/model.py:202-209@d98e8a64"},
    Formula{"detailed.vision.rebuilt",
            "the most that rebuilding a piece of the encoder holds over what the language model's backward "
            "pass of that micro-batch has freed before",
            "examples/multimodal/model.py:202-209@d98e8a64"},

    // Merger and projector
    Formula{"detailed.vision.merger",
            "v_P × ((v_x + element) × v_h + v_s) + 2 × element × v_P / v_q × v_w / v_TP; its norm, FC1's "
            "output and FC2's input",
            "Megatron-Bridge qwen_vl/modelling_qwen3_vl/utils.py:170-180@067f987d"},
    Formula{"detailed.vision.merger_frozen",
            "v_P × (v_y × v_h + v_s) + element × v_P / v_q × v_w / v_TP; what the input's gradient needs",
            "Megatron-Bridge qwen_vl/modelling_qwen3_vl/utils.py:170-180, model.py:533-539@067f987d"},
    Formula{"detailed.vision.deepstack",
            "element × v_P × v_h + v_P / v_q × v_s + 2 × element × v_P / v_q × v_w / v_TP; a merger inside "
            "the encoder, whose input the next layer keeps anyway",
            "Megatron-Bridge qwen_vl/modelling_qwen3_vl/transformer_block.py:89-100, 366-369@067f987d"},
    Formula{"detailed.vision.deepstack_alone",
            "2 × element × v_P × v_h + v_P / v_q × v_s + 2 × element × v_P / v_q × v_w / v_TP; with a frozen "
            "encoder its input stays too",
            "Megatron-Bridge qwen_vl/modelling_qwen3_vl/model.py:541-546@067f987d"},
    Formula{"detailed.vision.deepstack_frozen",
            "v_P / v_q × v_s + element × v_P / v_q × v_w / v_TP; what the input's gradient needs",
            "Megatron-Bridge qwen_vl/modelling_qwen3_vl/model.py:533-539@067f987d"},
    Formula{
        "detailed.vision.projector_mlp",
        "v_M × (element × v_i + 4 × ns + v_e × v_i + (element + v_e) × v_w / v_TP); its norm's input and "
        "output, FC1's output and FC2's input",
        "core/models/vision/multimodal_projector.py:46-50; examples/multimodal/model.py:197-200@d98e8a64"},
    Formula{"detailed.vision.projector_frozen",
            "v_M × (element × v_i + 4 × ns + element × v_w / v_TP); what the input's gradient needs",
            "core/models/multimodal/llava_model.py:577-586@d98e8a64"},
    Formula{"detailed.vision.affine", "element × v_M × v_i; the input of the one linear layer",
            "core/models/vision/multimodal_projector.py:51-63@d98e8a64"},
};

}  // namespace

std::span<const Formula> detailed_vision_formulas() {
    return kFormulas;
}

}  // namespace megamem

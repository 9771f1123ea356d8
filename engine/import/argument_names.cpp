#include "import/argument_names.h"

#include <algorithm>
#include <array>

#include "import/known_flags.h"

namespace megamem {

namespace {

// Other spellings of a field's flag, older releases' among them (arguments.py@d98e8a64 and core_v0.5 to
// v0.14), and the flags of what starts the processes (torchrun, srun, deepspeed).
constexpr std::array kAliases = {
    Alias{"--fp16", "precision", "fp16"},
    Alias{"--bf16", "precision", "bf16"},
    Alias{"--use-custom-fsdp", "use_megatron_fsdp", "1"},
    Alias{"--no-position-embedding", "position_embedding_type", "none"},
    Alias{"--use-rotary-position-embeddings", "position_embedding_type", "rope"},
    Alias{"--enable-bias-linear", "add_bias_linear", "1"},
    Alias{"--moe-enable-deepep", "moe_flex_dispatcher_backend", "deepep"},
    Alias{"--moe-router-padding-for-fp8", "moe_router_padding_for_quantization", "1"},
    // distributed_data_parallel_config.py: user buffers need double buffers under FSDP.
    Alias{"--use-nccl-ub", "fsdp_double_buffer", "1"},
    Alias{"--disable-bias-swiglu-fusion", "bias_swiglu_fusion", "0"},
    Alias{"--disable-gradient-accumulation-fusion", "gradient_accumulation_fusion", "0"},
    Alias{"--disable-create-attention-mask-in-dataloader", "create_attention_mask_in_dataloader", "0"},
    Alias{"--encoder-num-layers", "num_layers"},
    Alias{"--encoder-seq-length", "seq_length"},
    Alias{"--model-parallel-size", "tensor_model_parallel_size"},
    Alias{"--batch-size", "micro_batch_size"},
    // Another gated activation: the same tensors (arguments.py: gated_linear_unit).
    Alias{"--quick-geglu", "swiglu", "1"},
    Alias{"--no-pad-vocab-size", "make_vocab_size_divisible_by", "1"},
    Alias{"--disable-pad-vocab-size", "make_vocab_size_divisible_by", "1"},
    Alias{"--fp8", "fp8_format"},
    Alias{"--moe-intermediate-size", "moe_ffn_hidden_size"},
    Alias{"--checkpoint-num-layers", "recompute_num_layers"},
    Alias{"--activations-checkpoint-num-layers", "recompute_num_layers"},
    Alias{"--fp8-hybrid", "fp8_format", "hybrid"},
    Alias{"--fp8-e4m3", "fp8_format", "e4m3"},
    Alias{"--enable-cuda-graph", "cuda_graph_impl", "local"},
    Alias{"--external-cuda-graph", "cuda_graph_impl", "transformer_engine"},
    Alias{"--virtual-pipeline-model-parallel-size", "num_virtual_stages_per_pipeline_rank"},
    Alias{"--nnodes", "nodes"},
    Alias{"--num-nodes", "nodes"},
    Alias{"--nproc-per-node", "gpus_per_node"},
    Alias{"--ntasks-per-node", "gpus_per_node"},
    Alias{"--num-gpus", "gpus_per_node"},
};

// ms-swift's own words (swift/megatron/arguments/megatron_args.py@3602360a).
constexpr std::array kSwiftAliases = {
    Alias{"--max-length", "seq_length"},
    Alias{"--packing-length", "seq_length"},
    Alias{"--bias-activation-fusion", "bias_swiglu_fusion"},
    Alias{"--microbatch-group-size-per-vp-stage", "microbatch_group_size_per_virtual_pipeline_stage"},
    Alias{"--torch-dtype", "precision"},
    Alias{"--freeze-aligner", "freeze_vision_projection"},
};

const Alias* find_in(std::span<const Alias> aliases, std::string_view flag) {
    const auto found =
        std::find_if(aliases.begin(), aliases.end(), [&](const Alias& a) { return a.flag == flag; });
    return found == aliases.end() ? nullptr : &*found;
}

// Fields without a flag of their own that an argument may name all the same.
constexpr std::array<std::string_view, 12> kNamedByKey = {"nodes",
                                                          "gpus_per_node",
                                                          "nvte_allow_nondeterministic_algo",
                                                          "cublas_workspace_config",
                                                          "freeze_vision_projection",
                                                          "frozen",
                                                          "num_dense_layers",
                                                          "vision_num_layers",
                                                          "vision_patch_dim",
                                                          "vision_patches_per_micro_batch",
                                                          "vision_projector_ffn_hidden_size",
                                                          "vision_spatial_merge_size"};

// Flags that megatron_arguments.cpp settles by itself.
constexpr std::array<std::string_view, 12> kSwitches = {"--group-query-attention",
                                                        "--recompute-activations",
                                                        "--moe-layer-recompute",
                                                        "--checkpoint-activations",
                                                        "--freeze-LM",
                                                        "--freeze-ViT",
                                                        "--freeze-clip-vision-tower",
                                                        "--freeze-language-model",
                                                        "--freeze-llm",
                                                        "--freeze-vision-model",
                                                        "--freeze-vision-tower",
                                                        "--freeze-vit"};

// Changes between two words, at most `limit` + 1: an edit distance in which only near rows are worth a look.
std::size_t distance(std::string_view a, std::string_view b, std::size_t limit) {
    const std::size_t longer = std::max(a.size(), b.size());
    if (longer - std::min(a.size(), b.size()) > limit || longer > 80) return limit + 1;
    std::array<std::size_t, 82> row{};
    for (std::size_t j = 0; j <= b.size(); ++j)
        row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        std::size_t best = row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t above = row[j];
            row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0u : 1u)});
            diagonal = above;
            best = std::min(best, row[j]);
        }
        if (best > limit) return limit + 1;
    }
    return row[b.size()];
}

}  // namespace

std::string canonical_flag(std::string_view written) {
    const std::size_t first = written.find_first_not_of('-');
    if (first == std::string_view::npos) return std::string(written);
    std::string flag = "--";
    flag += written.substr(first);
    std::replace(flag.begin(), flag.end(), '_', '-');
    return flag;
}

const Alias* find_alias(std::string_view canonical, Dialect dialect) {
    if (dialect == Dialect::swift) {
        if (const Alias* alias = find_in(kSwiftAliases, canonical)) return alias;
    }
    return find_in(kAliases, canonical);
}

NamedField find_argument_field(std::string_view canonical) {
    if (const Field* field = find_field_by_flag(canonical)) return {field, false};
    std::string key(canonical.substr(std::min<std::size_t>(2, canonical.size())));
    std::replace(key.begin(), key.end(), '-', '_');
    const Field* field = find_field(key);
    if (field == nullptr) return {};
    const bool named = std::find(kNamedByKey.begin(), kNamedByKey.end(), field->key) != kNamedByKey.end();
    if (field->flag.empty() && !named) return {};
    return {field, true};
}

std::optional<KnownFlag> find_known_flag(std::string_view canonical, Dialect dialect) {
    if (!canonical.starts_with("--")) return std::nullopt;
    canonical.remove_prefix(2);
    if (dialect == Dialect::swift) {
        if (const auto known = swift_flags().find(canonical)) return known;
    }
    if (const auto known = megatron_flags().find(canonical)) return known;
    return patch_flags().find(canonical);
}

std::optional<Arity> arity_of(std::string_view canonical, Dialect dialect) {
    if (const Alias* alias = find_alias(canonical, dialect))
        return alias->value.empty() ? Arity::one : Arity::none;
    if (const NamedField named = find_argument_field(canonical); named.field != nullptr) {
        if (named.field->type == FieldType::boolean) return Arity::none;
        return named.field->type == FieldType::words ? Arity::several : Arity::one;
    }
    if (std::find(kSwitches.begin(), kSwitches.end(), canonical) != kSwitches.end()) return Arity::none;
    if (canonical == "--world-size" || canonical == "--padded-vocab-size" ||
        canonical == "--activations-checkpoint-method")
        return Arity::one;
    const auto known = find_known_flag(canonical, dialect);
    return known ? std::optional(known->arity) : std::nullopt;
}

std::string similar_flag(std::string_view canonical) {
    std::size_t nearest = canonical.size() > 12 ? 3 : 2;  // exclusive
    std::string best;
    const auto consider = [&](std::string_view flag) {
        const std::size_t away = distance(canonical.substr(2), flag.substr(2), nearest - 1);
        if (away >= nearest) return;
        nearest = away;
        best = flag;
    };
    if (canonical.size() < 6) return best;
    for (const Field& field : field_table()) {
        if (!field.flag.empty()) consider(field.flag);
    }
    for (const Alias& alias : kAliases)
        consider(alias.flag);
    for (std::size_t i = 0; i < megatron_flags().size() && nearest > 1; ++i)
        consider(std::string("--").append(megatron_flags().name(i)));
    return best;
}

}  // namespace megamem

#include "import/short_names.h"

#include <algorithm>
#include <array>

namespace megamem {

namespace {

constexpr std::string_view kWorld = "world_size";  // settled by read_arguments()
constexpr std::string_view kData = "data_parallel_size";
constexpr std::string_view kCount = "no size of the model follows from its number of parameters";
constexpr std::string_view kBatch = "is it the micro or the global batch? mbs or gbs says it";

constexpr std::array kNames = {
    ShortName{"tp", "tensor_model_parallel_size"},
    ShortName{"tp_size", "tensor_model_parallel_size"},
    ShortName{"tensor_parallel", "tensor_model_parallel_size"},
    ShortName{"tensor_parallelism", "tensor_model_parallel_size"},
    ShortName{"tensor_parallel_size", "tensor_model_parallel_size"},
    ShortName{"tensor_model_parallel", "tensor_model_parallel_size"},
    ShortName{"pp", "pipeline_model_parallel_size"},
    ShortName{"pp_size", "pipeline_model_parallel_size"},
    ShortName{"pipeline_parallel", "pipeline_model_parallel_size"},
    ShortName{"pipeline_parallelism", "pipeline_model_parallel_size"},
    ShortName{"pipeline_parallel_size", "pipeline_model_parallel_size"},
    ShortName{"pipeline_model_parallel", "pipeline_model_parallel_size"},
    ShortName{"pipeline_stages", "pipeline_model_parallel_size"},
    ShortName{"vpp", "num_virtual_stages_per_pipeline_rank"},
    ShortName{"vpp_size", "num_virtual_stages_per_pipeline_rank"},
    ShortName{"virtual_pipeline_model_parallel_size", "num_virtual_stages_per_pipeline_rank"},
    ShortName{"cp", "context_parallel_size"},
    ShortName{"cp_size", "context_parallel_size"},
    ShortName{"context_parallel", "context_parallel_size"},
    ShortName{"context_parallelism", "context_parallel_size"},
    ShortName{"ep", "expert_model_parallel_size"},
    ShortName{"ep_size", "expert_model_parallel_size"},
    ShortName{"expert_parallel", "expert_model_parallel_size"},
    ShortName{"expert_parallelism", "expert_model_parallel_size"},
    ShortName{"expert_parallel_size", "expert_model_parallel_size"},
    ShortName{"expert_model_parallel", "expert_model_parallel_size"},
    ShortName{"etp", "expert_tensor_parallel_size"},
    ShortName{"etp_size", "expert_tensor_parallel_size"},
    ShortName{"expert_tensor_parallel", "expert_tensor_parallel_size"},
    ShortName{"dp", kData},
    ShortName{"dp_size", kData},
    ShortName{"data_parallel", kData},
    ShortName{"data_parallelism", kData},
    ShortName{"data_parallel_size", kData},
    ShortName{"gpus", kWorld, true},
    ShortName{"gpu_count", kWorld},
    ShortName{"total_gpus", kWorld},
    ShortName{"world", kWorld, true},
    ShortName{"world_size", kWorld},
    ShortName{"node", "nodes", true},
    ShortName{"num_nodes", "nodes"},
    ShortName{"nnodes", "nodes"},
    ShortName{"nproc_per_node", "gpus_per_node"},
    ShortName{"num_gpus_per_node", "gpus_per_node"},
    ShortName{"gpus/node", "gpus_per_node"},
    ShortName{"mbs", "micro_batch_size"},
    ShortName{"micro_batch", "micro_batch_size"},
    ShortName{"microbatch", "micro_batch_size"},
    ShortName{"microbatch_size", "micro_batch_size"},
    ShortName{"micro_bs", "micro_batch_size"},
    ShortName{"gbs", "global_batch_size"},
    ShortName{"global_batch", "global_batch_size"},
    ShortName{"global_bs", "global_batch_size"},
    ShortName{"batch", "", true, kBatch},
    ShortName{"batch_size", "", false, kBatch},
    ShortName{"bs", "", false, kBatch},
    ShortName{"seq", "seq_length"},
    ShortName{"seqlen", "seq_length"},
    ShortName{"seq_len", "seq_length"},
    ShortName{"sequence", "seq_length", true},
    ShortName{"sequence_len", "seq_length"},
    ShortName{"sequence_length", "seq_length"},
    ShortName{"context", "seq_length", true},
    ShortName{"context_length", "seq_length"},
    ShortName{"context_len", "seq_length"},
    ShortName{"max_seq_len", "seq_length"},
    ShortName{"max_seq_length", "seq_length"},
    ShortName{"layers", "num_layers", true},
    ShortName{"layer", "num_layers", true},
    ShortName{"n_layers", "num_layers"},
    ShortName{"n_layer", "num_layers"},
    ShortName{"num_hidden_layers", "num_layers"},
    ShortName{"hidden", "hidden_size", true},
    ShortName{"hidden_dim", "hidden_size"},
    ShortName{"d_model", "hidden_size"},
    ShortName{"n_embd", "hidden_size"},
    ShortName{"ffn", "ffn_hidden_size"},
    ShortName{"ffn_size", "ffn_hidden_size"},
    ShortName{"ffn_dim", "ffn_hidden_size"},
    ShortName{"ffn_hidden", "ffn_hidden_size"},
    ShortName{"d_ff", "ffn_hidden_size"},
    ShortName{"intermediate", "ffn_hidden_size", true},
    ShortName{"intermediate_size", "ffn_hidden_size"},
    ShortName{"vocab", "vocab_size"},
    ShortName{"vocabulary", "vocab_size", true},
    ShortName{"vocabulary_size", "vocab_size"},
    ShortName{"heads", "num_attention_heads", true},
    ShortName{"attention_heads", "num_attention_heads"},
    ShortName{"query_heads", "num_attention_heads"},
    ShortName{"num_heads", "num_attention_heads"},
    ShortName{"n_heads", "num_attention_heads"},
    ShortName{"n_head", "num_attention_heads"},
    ShortName{"kv", "num_query_groups"},
    ShortName{"kv_heads", "num_query_groups"},
    ShortName{"kv_groups", "num_query_groups"},
    ShortName{"num_kv_heads", "num_query_groups"},
    ShortName{"n_kv_heads", "num_query_groups"},
    ShortName{"num_key_value_heads", "num_query_groups"},
    ShortName{"query_groups", "num_query_groups"},
    ShortName{"head_dim", "kv_channels"},
    ShortName{"head_size", "kv_channels"},
    ShortName{"experts", "num_experts", true},
    ShortName{"n_experts", "num_experts"},
    ShortName{"num_moe_experts", "num_experts"},
    ShortName{"topk", "moe_router_topk"},
    ShortName{"top_k", "moe_router_topk"},
    ShortName{"num_experts_per_tok", "moe_router_topk"},
    ShortName{"moe_ffn", "moe_ffn_hidden_size"},
    ShortName{"expert_ffn", "moe_ffn_hidden_size"},
    ShortName{"moe_intermediate_size", "moe_ffn_hidden_size"},
    ShortName{"shared_expert_ffn", "moe_shared_expert_intermediate_size"},
    ShortName{"dense_layers", "num_dense_layers"},
    ShortName{"mtp_layers", "mtp_num_layers"},
    ShortName{"mtp", "mtp_num_layers"},
    ShortName{"recompute", "recompute_granularity", true},
    ShortName{"layout", "pipeline_model_parallel_layout", true},
    ShortName{"dtype", "precision"},
    ShortName{"gpu_type", "gpu"},
    ShortName{"gpu_model", "gpu"},
    ShortName{"device", "gpu", true},
    ShortName{"params", "", false, kCount},
    ShortName{"parameters", "", true, kCount},
    ShortName{"num_params", "", false, kCount},
    ShortName{"model_size", "", false, kCount},
};

}  // namespace

std::string plain_word(std::string_view written) {
    std::string plain;
    for (const char c : written) {
        if (c == '-' || c == '_' || c == ' ') {
            if (!plain.empty() && plain.back() != '_') plain += '_';
        } else {
            plain += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
        }
    }
    if (plain.ends_with('_')) plain.pop_back();
    return plain;
}

const ShortName* find_short_name(std::string_view plain) {
    const auto found =
        std::find_if(kNames.begin(), kNames.end(), [&](const ShortName& name) { return name.word == plain; });
    return found == kNames.end() ? nullptr : &*found;
}

}  // namespace megamem

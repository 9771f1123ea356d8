GPT_MODEL_ARGS=(
    --num-layers 96
    --hidden-size 12288
    --num-attention-heads 96
)
MODEL_PARALLEL_ARGS=(
	--tensor-model-parallel-size 8
	--pipeline-model-parallel-size 16
)
#= num_layers 96
#= hidden_size 12288
#= num_attention_heads 96
#= tensor_model_parallel_size 8
#= pipeline_model_parallel_size 16
#? nodes

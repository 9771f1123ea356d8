NUM_GPUS=8
declare -a FSDP=(--use-megatron-fsdp --data-parallel-sharding-strategy optim_grads_params)
readonly SEQ=8192
torchrun --nnodes=${NNODES:=2} --nproc-per-node "${NUM_GPUS}" pretrain_gpt.py "${FSDP[@]}" --no-gradient-accumulation-fusion \
  --seq-length "${SEQ}" --num-layers 80 --hidden-size 8192 --num-attention-heads 64 --untie-embeddings-and-output-weights
#= use_megatron_fsdp 1
#= data_parallel_sharding_strategy optim_grads_params
#= gradient_accumulation_fusion 0
#= seq_length 8192
#= num_layers 80
#= hidden_size 8192
#= num_attention_heads 64
#= untie_embeddings_and_output_weights 1
#= nodes 2
#= gpus_per_node 8

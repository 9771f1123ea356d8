# 4 * 80GiB
PYTORCH_CUDA_ALLOC_CONF='expandable_segments:True' \
NPROC_PER_NODE=4 \
CUDA_VISIBLE_DEVICES=0,1,2,3 \
megatron sft \
    --model Some/Model-7B \
    --dataset 'first#1000' \
              'second#1000' \
    --tuner_type full \
    --tensor_model_parallel_size 2 \
    --sequence_parallel true \
    --packing true \
    --micro_batch_size 1 \
    --global_batch_size 8 \
    --recompute_granularity full --recompute_method uniform --recompute_num_layers 1 \
    --cross_entropy_loss_fusion true \
    --max_length 8192 \
    --attention_backend flash
#= tensor_model_parallel_size 2
#= sequence_parallel 1
#= micro_batch_size 1
#= global_batch_size 8
#= recompute_granularity full
#= recompute_method uniform
#= recompute_num_layers 1
#= cross_entropy_loss_fusion 1
#= seq_length 8192
#= attention_backend flash
#= nodes 1
#= gpus_per_node 4
#? num_layers

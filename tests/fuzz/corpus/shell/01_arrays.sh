#!/bin/bash
# A dense model on two nodes, its arguments in arrays.
GPUS_PER_NODE=8
NODES=2
DIST=(
    --nproc_per_node $GPUS_PER_NODE
    --nnodes $NODES
    --master_port 6000
)
MODEL=(
    --num-layers 24
    --hidden-size 2048          # width
    --ffn-hidden-size 8192
    # --hidden-size 4096
    --num-attention-heads 16
    --seq-length 4096
    --vocab-size 50304
)
TRAIN=(
    --micro-batch-size 2
    --global-batch-size 256
    --bf16
    --lr 3e-4
)
torchrun "${DIST[@]}" pretrain_gpt.py "${MODEL[@]}" "${TRAIN[@]}" --use-distributed-optimizer
#= num_layers 24
#= hidden_size 2048
#= ffn_hidden_size 8192
#= num_attention_heads 16
#= seq_length 4096
#= vocab_size 50304
#= micro_batch_size 2
#= global_batch_size 256
#= precision bf16
#= use_distributed_optimizer 1
#= nodes 2
#= gpus_per_node 8

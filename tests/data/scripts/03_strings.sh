#!/bin/bash
GPUS=4
MODEL_ARGS="
    --num-layers 12 \
    --hidden-size 768 \
    --num-attention-heads 12 \
    --max-position-embeddings 1024
"
MODEL_ARGS="$MODEL_ARGS --seq-length 1024"
OPTIONS='--micro-batch-size 4 --fp16'
OPTIONS+=" --hidden-dropout 0.0"
torchrun --standalone --nproc_per_node $GPUS pretrain_gpt.py $MODEL_ARGS ${OPTIONS} \
    --vocab-size 50257 > run.log 2>&1
#= num_layers 12
#= hidden_size 768
#= num_attention_heads 12
#= max_position_embeddings 1024
#= seq_length 1024
#= micro_batch_size 4
#= precision fp16
#= hidden_dropout 0
#= vocab_size 50257
#= nodes 1
#= gpus_per_node 4

#!/bin/bash
PRECISION="--bf16"
if [ "$SCALE" = "big" ]; then
    LAYERS=80
    PRECISION="$PRECISION --fp8-format hybrid"
else
    LAYERS=32
fi
if [ -n "$DEBUG" ]; then LAYERS=2; fi
torchrun --nproc_per_node=8 pretrain_gpt.py --num-layers $LAYERS --hidden-size 4096 --num-attention-heads 32 $PRECISION
#= hidden_size 4096
#= num_attention_heads 32
#= precision bf16
#= nodes 1
#= gpus_per_node 8
#? num_layers
#? fp8_format

#!/bin/bash
MODEL=large
MOE=true
if [ "$MODEL" = "small" ]; then
    LAYERS=12; HIDDEN=768
elif [ "$MODEL" = "large" ]; then
    LAYERS=48; HIDDEN=1600
else
    echo "unknown model"; exit 1
fi
if [[ -z "$HEADS" ]]; then HEADS=25; fi
ARGS=(--num-layers $LAYERS --hidden-size $HIDDEN --num-attention-heads $HEADS)
[ $MOE == true ] && ARGS+=(--num-experts 8 --moe-router-topk 1)
[[ $LAYERS -gt 96 ]] && ARGS+=(--recompute-granularity full)
if [ -f /data/fp8 ]; then
    ARGS+=(--fp8-format hybrid)
fi
case $MODEL in
    small|tiny) ARGS+=(--micro-batch-size 16) ;;
    lar*) ARGS+=(--micro-batch-size 2) ;;
    *) exit 1 ;;
esac
torchrun --nproc_per_node 8 pretrain_gpt.py ${ARGS[@]}
#= num_layers 48
#= hidden_size 1600
#= num_attention_heads 25
#= num_experts 8
#= moe_router_topk 1
#= micro_batch_size 2
#= nodes 1
#= gpus_per_node 8
#? fp8_format

#!/bin/bash
MODEL_ARGS=(
   --swiglu
   --num-layers 36
   --hidden-size 4096
   --num-attention-heads 32
   --group-query-attention --num-query-groups 8
   --vocab-size 151936
)
PERF_ARGS=(
   --tensor-model-parallel-size 2 --sequence-parallel
   --recompute-granularity full --recompute-method uniform --recompute-num-layers 1
   --max-tokens-per-gpu 9216
)
ray job submit --address="http://127.0.0.1:8265" --runtime-env-json="{}" -- python3 train.py \
   --actor-num-nodes 1 --actor-num-gpus-per-node 8 \
   ${MODEL_ARGS[@]} ${PERF_ARGS[@]}
#= swiglu 1
#= num_layers 36
#= hidden_size 4096
#= num_attention_heads 32
#= num_query_groups 8
#= vocab_size 151936
#= tensor_model_parallel_size 2
#= sequence_parallel 1
#= recompute_granularity full
#= recompute_method uniform
#= recompute_num_layers 1
#= nodes 1
#= gpus_per_node 8

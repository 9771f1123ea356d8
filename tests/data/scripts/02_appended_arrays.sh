#!/usr/bin/env bash
TP=${TP:-4}
PP=${PP:-2}
ARGS=(--num-layers 32 --hidden-size 4096 --num-attention-heads 32)
ARGS+=(--tensor-model-parallel-size "$TP" --pipeline-model-parallel-size "${PP}")
ARGS+=( --sequence-parallel )
ARGS=("${ARGS[@]}" --swiglu)
python -m torch.distributed.run --nproc-per-node=8 --nnodes=1 train.py ${ARGS[*]}
#= num_layers 32
#= hidden_size 4096
#= num_attention_heads 32
#= tensor_model_parallel_size 4
#= pipeline_model_parallel_size 2
#= sequence_parallel 1
#= swiglu 1
#= nodes 1
#= gpus_per_node 8

#!/bin/bash
usage() { echo "usage: $0 size"; exit 1; }
function model() {
    local size=$1
    if [ $size == 7 ]; then
        MODEL_ARGS="--num-layers 32 --hidden-size 4096 --ffn-hidden-size 11008 --num-attention-heads 32"
    else
        MODEL_ARGS="--num-layers 40 --hidden-size 5120 --ffn-hidden-size 13824 --num-attention-heads 40"
    fi
}
while [[ $# -gt 0 ]]; do
    case $1 in
        --tp) TP=$2; shift 2 ;;
        *) usage ;;
    esac
done
model 13
CMD="torchrun --nproc_per_node 8 pretrain_gpt.py $MODEL_ARGS --tensor-model-parallel-size ${TP:-8}"
echo $CMD
eval $CMD
#= num_layers 40
#= hidden_size 5120
#= ffn_hidden_size 13824
#= num_attention_heads 40
#= tensor_model_parallel_size 8
#= nodes 1
#= gpus_per_node 8

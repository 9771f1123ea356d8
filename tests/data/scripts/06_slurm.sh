#!/bin/bash
#SBATCH --job-name=pretrain
#SBATCH --nodes=16
#SBATCH --ntasks-per-node=8
#SBATCH --gres=gpu:8
DIR=`pwd`
NAME=$(date +%s)
options=" \
    --tensor-model-parallel-size 8 \
    --pipeline-model-parallel-size 4 \
    --num-layers 96 \
    --hidden-size 12288 \
    --num-attention-heads 96 \
    --micro-batch-size 1 \
    --bf16 "
run_cmd="cd $DIR && python -u ${DIR}/pretrain_gpt.py ${options}"
srun -l --container-image "image" --output=$DIR/logs/%x_${NAME}.log sh -c "${run_cmd}"
#= tensor_model_parallel_size 8
#= pipeline_model_parallel_size 4
#= num_layers 96
#= hidden_size 12288
#= num_attention_heads 96
#= micro_batch_size 1
#= precision bf16
#= nodes 16
#= gpus_per_node 8

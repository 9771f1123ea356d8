export TP=2 PP=4
export GPUS_PER_NODE=8
NNODES=4
WORLD=$((GPUS_PER_NODE * NNODES))
DP=$((WORLD / TP / PP))
let "MBS = 1"
((GBS = DP * 16))
LAYERS_PER_STAGE=3
torchrun --nproc_per_node=$GPUS_PER_NODE --nnodes=$NNODES pretrain_gpt.py \
    --num-layers $((LAYERS_PER_STAGE * PP * 2)) \
    --hidden-size $((128*32)) --num-attention-heads $(( 4096 / 128 )) \
    --tensor-model-parallel-size $TP --pipeline-model-parallel-size $PP \
    --num-layers-per-virtual-pipeline-stage $LAYERS_PER_STAGE \
    --global-batch-size $GBS --micro-batch-size $[1+0] \
    --seq-length $((2**12))
#= num_layers 24
#= hidden_size 4096
#= num_attention_heads 32
#= tensor_model_parallel_size 2
#= pipeline_model_parallel_size 4
#= num_layers_per_virtual_pipeline_stage 3
#= global_batch_size 64
#= micro_batch_size 1
#= seq_length 4096
#= nodes 4
#= gpus_per_node 8

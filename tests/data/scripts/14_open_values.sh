TP=$1
HEADS=${2:-32}
torchrun $DISTRIBUTED_ARGS pretrain_gpt.py $EXTRA_ARGS \
    --tensor-model-parallel-size $TP \
    --num-attention-heads $HEADS \
    --num-layers $((DENSE + MOE)) \
    --seq-length $(cat length.txt) \
    --save $OUTPUT --lr ${LR} \
    --micro-batch-size ${MBS:-1}
#= num_attention_heads 32
#= micro_batch_size 1
#? tensor_model_parallel_size
#? num_layers
#? seq_length
#? nodes
#?

for TP in 1 2 4; do
  for MBS in 2; do
    torchrun --nproc_per_node 8 pretrain_gpt.py --num-layers 4 --hidden-size 64 --num-attention-heads 4 \
        --tensor-model-parallel-size $TP --micro-batch-size $MBS
  done
done
#= num_layers 4
#= hidden_size 64
#= num_attention_heads 4
#= micro_batch_size 2
#= nodes 1
#= gpus_per_node 8
#? tensor_model_parallel_size

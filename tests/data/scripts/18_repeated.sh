torchrun --nproc_per_node 8 pretrain_gpt.py --tensor-model-parallel-size 2 --num-layers 4 --hidden-size 64 \
   --num-attention-heads 4 --tensor-model-parallel-size 8
#= num_layers 4
#= hidden_size 64
#= num_attention_heads 4
#= tensor_model_parallel_size 8
#= nodes 1
#= gpus_per_node 8
#! repeated_flag

torchrun --nproc_per_node 8 --nnodes 4 pretrain_gpt.py --num-layers=32 --hidden-size=4096 --num-attention-heads=32 --pipeline-model-parallel-layout="Et*5\|(t*6\|)*4t*3L" --bf16
#= num_layers 32
#= hidden_size 4096
#= num_attention_heads 32
#= pipeline_model_parallel_layout Et*5|(t*6|)*4t*3L
#= precision bf16
#= nodes 4
#= gpus_per_node 8

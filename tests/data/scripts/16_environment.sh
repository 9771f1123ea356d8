export CUBLAS_WORKSPACE_CONFIG=:4096:8
export NVTE_ALLOW_NONDETERMINISTIC_ALGO=0
export NVTE_FLASH_ATTN=0 NVTE_FUSED_ATTN=1
torchrun --nproc_per_node 8 pretrain_gpt.py --num-layers 4 --hidden-size 256 --num-attention-heads 4 --deterministic-mode
#= num_layers 4
#= hidden_size 256
#= num_attention_heads 4
#= deterministic_mode 1
#= cublas_workspace_config :4096:8
#= nvte_allow_nondeterministic_algo 0
#= attention_backend fused
#= nodes 1
#= gpus_per_node 8

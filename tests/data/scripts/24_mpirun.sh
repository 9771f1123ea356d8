mpirun -np 16 -x NCCL_DEBUG=WARN --allow-run-as-root python pretrain_gpt.py --num-layers 4 --hidden-size 64 \
  --num-attention-heads 4 --group-query-attention --num-query-groups 2 --use-flash-attn --our-own-option 3
#= num_layers 4
#= hidden_size 64
#= num_attention_heads 4
#= num_query_groups 2
#= nodes 2
#= gpus_per_node 8

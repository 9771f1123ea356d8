torchrun pretrain_gpt.py \
--num-layers 32 \ 
--hidden-size 4096\
--disable-bias-linear \
  # --num-attention-heads 16 \
  --num-attention-heads 32
#= num_layers 32
#= hidden_size 4096
#= add_bias_linear 0
#= num_attention_heads 32
#? nodes
#! space_after_backslash
#! backslash_glued
#! comment_in_command

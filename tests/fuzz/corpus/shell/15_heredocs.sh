#!/bin/bash
cat > config.txt <<EOF
--num-layers 999
torchrun pretrain_gpt.py --num-layers 1
EOF
cat <<-'END' | tee other.txt
	--hidden-size 1
	END
torchrun --nproc_per_node 2 pretrain_gpt.py --num-layers 6 --hidden-size 512 --num-attention-heads 8 <<< "" | tee log
#= num_layers 6
#= hidden_size 512
#= num_attention_heads 8
#= nodes 1
#= gpus_per_node 2

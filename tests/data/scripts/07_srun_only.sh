srun -N 4 --gpus-per-node=h100:8 --ntasks-per-node=1 bash -c 'torchrun --nnodes $SLURM_NNODES pretrain_gpt.py --num-layers 2 --hidden-size 64 --num-attention-heads 4'
#= num_layers 2
#= hidden_size 64
#= num_attention_heads 4
#= nodes 4
#= gpus_per_node 8

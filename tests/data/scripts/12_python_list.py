import subprocess

layers = 40
command = ["torchrun", "--nproc-per-node", "8", "pretrain_gpt.py"]
command += [
    "--num-layers", str(layers),
    "--hidden-size", "5120",
    "--num-attention-heads", 40,
    "--bf16", "--swiglu",  # gated
    "--recompute-granularity", "selective",
    "--recompute-modules", "core_attn", "moe_act",
]
subprocess.run(command)
#= hidden_size 5120
#= num_attention_heads 40
#= precision bf16
#= swiglu 1
#= recompute_granularity selective
#= recompute_modules core_attn,moe_act
#= nodes 1
#= gpus_per_node 8
#? num_layers

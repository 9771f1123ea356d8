NNODES=2 NODE_RANK=0 NPROC_PER_NODE=8 swift megatron pt \
  --model Some/MoE-30B-A3B \
  --expert_model_parallel_size 8 --expert_tensor_parallel_size 1 \
  --pipeline_model_parallel_size 2 --decoder_first_pipeline_num_layers 23 \
  --moe_grouped_gemm true --moe_permute_fusion true --moe_shared_expert_overlap false \
  --optimizer_cpu_offload true --use_precision_aware_optimizer true --optimizer_offload_fraction 0.5 \
  --virtual_pipeline_model_parallel_size 2 \
  --gradient_accumulation_fusion false --torch_dtype bfloat16 --max_length 16384
#= expert_model_parallel_size 8
#= expert_tensor_parallel_size 1
#= pipeline_model_parallel_size 2
#= decoder_first_pipeline_num_layers 23
#= moe_grouped_gemm 1
#= moe_permute_fusion 1
#= moe_shared_expert_overlap 0
#= optimizer_cpu_offload 1
#= use_precision_aware_optimizer 1
#= optimizer_offload_fraction 0.5
#= num_virtual_stages_per_pipeline_rank 2
#= gradient_accumulation_fusion 0
#= precision bf16
#= seq_length 16384
#= nodes 2
#= gpus_per_node 8
#? num_layers

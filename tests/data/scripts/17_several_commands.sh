#!/bin/bash
pip install --upgrade transformers
python tools/preprocess_data.py --input data.json --output-prefix out --tokenizer-type GPT2BPETokenizer --workers 8
torchrun --nproc_per_node 8 pretrain_gpt.py --num-layers 8 --hidden-size 1024 --num-attention-heads 16 \
    --micro-batch-size 4 && python tools/checkpoint/convert.py --tensor-model-parallel-size 1
#= num_layers 8
#= hidden_size 1024
#= num_attention_heads 16
#= micro_batch_size 4
#= nodes 1
#= gpus_per_node 8
#! several_commands

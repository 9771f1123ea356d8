#include "import/known_flags.h"

#include <algorithm>
#include <array>

namespace megamem {

namespace {

// Megatron-LM's arguments @d98e8a64 (megatron/training/arguments.py and the dataclasses behind its argument
// groups) that no field and no alias has, with some of older releases and those of examples/multimodal. In
// the order of their bytes.
constexpr std::string_view kMegatronFlags =
    "DDP-impl=activation-func-clamp-value=adam-beta1=adam-beta2=adam-eps=adlr-autoresume/"
    "adlr-autoresume-interval=allow-ambiguous-pad-tokens/allow-missing-vision-projection-checkpoint/"
    "app-tag-run-name=app-tag-run-version=apply-layernorm-1p/apply-residual-connection-post-layernorm/"
    "apply-wd-to-qk-layernorm/async-ckpt-cpu-priority=async-ckpt-io-priority=async-ckpt-use-cpu-shm/"
    "async-save/async-strategy=attention-softmax-in-fp32/auto-detect-ckpt-format/batch-invariant-backend="
    "batch-invariant-mode/bert-embedder-type=bert-load=bert-no-binary-head/biencoder-projection-dim="
    "biencoder-shared-query-context-model/block-data-path=cache-mla-latents/calc-ft-timeouts/"
    "calculate-per-token-loss/chat-template=check-for-large-grads/check-for-spiky-loss/"
    "check-weight-hash-across-dp-replicas-interval=ckpt-assume-constant-structure/ckpt-convert-format="
    "ckpt-convert-save=ckpt-convert-update-legacy-dist-opt-format/ckpt-drop-redundant-extra-state/"
    "ckpt-format=ckpt-fully-parallel-load/ckpt-fully-parallel-load-exchange-algo="
    "ckpt-fully-parallel-load-per-rank-objects/ckpt-fully-parallel-load-process-group="
    "ckpt-fully-parallel-save/ckpt-fully-parallel-save-process-group=ckpt-pg-tensors-cache-create/"
    "ckpt-pg-tensors-cache-path=ckpt-step=classes-fraction=clip-grad=config-logger-dir=conv-merging!/"
    "cpu-offloading-retain-pinned-cpu-buffers/create-all-gather-group/cuda-graph-scope!+"
    "cuda-graph-warmup-steps=data-args-path=data-cache-path=data-impl=data-parallel-random-init/"
    "data-path+data-per-class-fraction=dataloader-defer-npy-index-mmap/dataloader-fast-cache-load/"
    "dataloader-inter-document-masking/dataloader-save=dataloader-seed=dataloader-seq-length="
    "dataloader-type=dataset-config=ddp-average-in-collective/ddp-bucket-size=ddp-num-buckets="
    "ddp-pad-buckets-for-high-nccl-busbw/ddp-param-name-patterns-for-fp32-local-accumulation!+"
    "ddp-reduce-scatter-with-fp32-accumulation!/decode-only-cuda-graphs/decoder-num-layers="
    "decoder-seq-length=decoupled-lr=decoupled-min-lr=decrease-batch-size-if-needed/delay-grad-reduce/"
    "delay-offload-until-cuda-graph/delay-wgrad-compute!/dino-bottleneck-size=dino-freeze-last-layer="
    "dino-head-hidden-size=dino-local-crops-number=dino-local-img-size=dino-norm-last-layer/"
    "dino-teacher-temp=dino-warmup-teacher-temp=dino-warmup-teacher-temp-epochs="
    "disable-align-grad-reduce/disable-bf16-reduced-precision-matmul/"
    "disable-ckpt-load-validate-sharding-integrity/disable-clone-scatter-output-in-embedding/"
    "disable-dsa-indexer-rotate-activation/disable-dsa-indexer-scoring-relu/"
    "disable-flight-recorder-dump-on-timeout/disable-flight-recorder-extra-dump-on-exec/"
    "disable-flight-recorder-include-only-active/disable-fp8-wgrad!/disable-gloo-process-groups/"
    "disable-jit-fuser/disable-log-loss-scale-to-tensorboard/disable-mamba-mem-eff-path/"
    "disable-manual-gc-eval/disable-msc/disable-save-tokenizer-assets/disable-straggler-on-startup/"
    "disable-strict-fsdp-dtensor-load/disable-symmetric-registration/"
    "disable-tokenizer-sentencepiece-ignore-extra-whitespaces/disable-tp-comm-bulk-dgrad/"
    "disable-tp-comm-bulk-wgrad/disable-tp-comm-overlap-ag/disable-tp-comm-overlap-rs/"
    "disable-tp-comm-split-ag/disable-tp-comm-split-rs/disable-use-tokenizer-model-from-checkpoint-args/"
    "dist-ckpt-format=dist-ckpt-optim-fully-reshardable/dist-ckpt-save-pre-mcore-014/"
    "dist-ckpt-strictness=dist-ckpt-workers=distrib-optim-fully-reshardable-mem-efficient/"
    "distributed-backend=distributed-timeout-minutes=distributed-timeout-seconds-after-init="
    "dsa-indexer-head-dim=dsa-indexer-k-norm-epsilon=dsa-indexer-k-norm-fp32/dsa-indexer-loss-coeff="
    "dsa-indexer-n-heads=dsa-indexer-rope-interleaved/dsa-indexer-skip-topk-offset=dsa-indexer-topk="
    "dsa-indexer-topk-freq=dsa-indexer-use-sparse-loss/dsa-kernel-backend=dump-param-to-param-group-map="
    "dynamic-resolution!/embedding-init-method-std=embedding-path=empty-unused-memory-level="
    "enable-chunked-prefill/enable-experimental/enable-ft-package/enable-full-sharding-in-hsdp!/"
    "enable-mhc-connections!/enable-msc/enable-one-logger/encoder-pipeline-model-parallel-size!="
    "encoder-tensor-model-parallel-size!=end-weight-decay=eod-mask-loss/"
    "ep-overlap-early-attn-memory-release!/error-injection-rate=error-injection-type="
    "eval-global-batch-size=eval-interval=eval-iters=eval-micro-batch-size=evidence-data-path="
    "exit-duration-in-mins=exit-interval=exit-on-missing-checkpoint/exit-signal=exit-signal-handler/"
    "exit-signal-handler-for-dataloader/exit-signal-handler-for-training/experimental-attention-variant!="
    "expert-tensor-parallel-num-weight-shards!=export-kd-cfg=export-kd-teacher-load!="
    "export-te-mcore-model/fake-process-group/fim-data/fim-eod-token=fim-fragment-rate=fim-middle-token="
    "fim-no-prefix=fim-pad-token=fim-prefix-token=fim-rate=fim-split-sample=fim-spm-rate="
    "fim-suffix-token=fine-grained-offloading-max-inflight-offloads=finetune/flash-attention-version="
    "flash-decode/flight-recorder-dump-path=flight-recorder-include-stack-trace/"
    "flight-recorder-trace-buffer-size=force-system-message/fp16-lm-cross-entropy!/"
    "fp4-quantizer-factory!=fp4-recipe=fp8-amax-compute-algo=fp8-amax-history-len=fp8-interval="
    "fp8-margin=fp8-output-proj/fp8-quantizer-factory!=fp8-wgrad/freeze-all-layers!/"
    "fsdp-db-use-persist-buf-on-alloc-fail/fsdp-manual-registration/ft-num-warmup-iters=full-validation/"
    "fused-residual-rmsnorm!/gdp-cutedsl-kernel/gdp-num-chunk-states-to-recompute=gdp-num-householder="
    "glu-linear-offset=gpu-sniff-test-interval=grpo-clamp-eps-lower=grpo-clamp-eps-upper="
    "grpo-entropy-term-weight=grpo-filter-groups-with-same-reward/grpo-group-size=grpo-iterations="
    "grpo-kl-beta=grpo-prompts-per-step=gtp-expert-remat-nccl-ub/gtp-remat-nccl-ub/"
    "gtp-remat-opt-in-modules!+gtp-remat-reduce-scatter-with-fp32-accumulation/head-lr-mult="
    "heterogeneous-layers-config-encoded-json!=heterogeneous-layers-config-path!="
    "hierarchical-context-parallel-sizes+high-priority-a2a-comm-stream/high-priority-stream-groups+"
    "hybrid-context-parallel!/hybrid-layer-pattern!=hybrid-override-pattern!=hysteresis=ict-head-size="
    "ict-load=image-tag-type=indexer-batch-size=indexer-log-interval="
    "inference-batch-times-seqlen-threshold=inference-coordinator-port=inference-cuda-graph-all-prefills/"
    "inference-cuda-graph-max-tokens=inference-cuda-graph-scope=inference-disable-ep-consensus/"
    "inference-disable-triton-nvls-kernels/inference-dynamic-batching/"
    "inference-dynamic-batching-async-sched-mode=inference-dynamic-batching-block-size="
    "inference-dynamic-batching-buffer-size-gb=inference-dynamic-batching-cuda-graph-mixed-prefill-count="
    "inference-dynamic-batching-cuda-graph-sizing-distribution=inference-dynamic-batching-logprobs-mode="
    "inference-dynamic-batching-mamba-memory-ratio=inference-dynamic-batching-max-requests="
    "inference-dynamic-batching-max-tokens=inference-dynamic-batching-num-cuda-graphs="
    "inference-dynamic-batching-paused-buffer-size-gb=inference-dynamic-batching-prefix-caching/"
    "inference-dynamic-batching-prefix-caching-coordinator-policy="
    "inference-dynamic-batching-prefix-caching-eviction-policy="
    "inference-dynamic-batching-prefix-caching-mamba-gb="
    "inference-dynamic-batching-prefix-caching-routing-alpha=inference-dynamic-batching-sampling-backend="
    "inference-dynamic-batching-track-generated-token-events/"
    "inference-dynamic-batching-track-paused-request-events/"
    "inference-dynamic-batching-unified-memory-level=inference-fuse-tp-communication/"
    "inference-grouped-gemm-backend=inference-logging-step-interval=inference-max-requests="
    "inference-max-seq-length=inference-moe-disable-fused-quant-kernels/"
    "inference-moe-token-dispatcher-type=inference-rng-tracker/inference-shards="
    "inference-text-gen-server-logging/inference-use-synchronous-zmq-collectives/inference-wandb-logging/"
    "init-method-std=init-method-xavier-uniform/init-model-with-meta-device/initial-loss-scale="
    "inprocess-active-world-size=inprocess-barrier-timeout=inprocess-completion-timeout="
    "inprocess-empty-cuda-cache/inprocess-granularity=inprocess-hard-timeout="
    "inprocess-heartbeat-interval=inprocess-heartbeat-timeout=inprocess-last-call-wait="
    "inprocess-max-iterations=inprocess-monitor-process-interval=inprocess-monitor-thread-interval="
    "inprocess-progress-watchdog-interval=inprocess-restart/inprocess-soft-timeout="
    "inprocess-termination-grace-time=is-hybrid-model!/iter-per-epoch=iterations-to-skip+"
    "kitchen-attention-backend=kitchen-config-file!=kitchen-recipe-number!=langrl-env-config="
    "language-model-type=lazy-mpu-init/linear-attention-freq=linear-conv-kernel-dim=linear-key-head-dim="
    "linear-num-key-heads=linear-num-value-heads=linear-value-head-dim=lion-beta1=lion-beta2=load="
    "load-main-params-from-ckpt/local-rank=log-batch-size-to-tensorboard/log-device-memory-used/"
    "log-energy/log-interval=log-learning-rate-to-tensorboard/log-max-attention-logit/"
    "log-memory-interval=log-memory-to-tensorboard/log-num-zeros-in-grad/log-params-norm/log-progress/"
    "log-straggler/log-throughput/log-timers-to-tensorboard/log-validation-ppl-to-tensorboard/"
    "log-world-size-to-tensorboard/logging-level=logits-load-decode-threads=logits-load-dir!="
    "logits-load-ignore-errors/logits-load-kd-loss-alpha=logits-load-msc-prefetch-depth="
    "logits-load-prefetch-factor=logits-save-dir!=logits-save-dtype=logits-save-top-k=logits-save-top-p="
    "logits-save-top-p-min-k=loss-scale=loss-scale-window=lr=lr-decay-iters=lr-decay-samples="
    "lr-decay-steps=lr-decay-style=lr-warmup-fraction=lr-warmup-init=lr-warmup-iters=lr-warmup-samples="
    "lr-warmup-steps=lr-wsd-decay-iters=lr-wsd-decay-samples=lr-wsd-decay-style=mamba-head-dim="
    "mamba-inference-conv-states-dtype=mamba-inference-ssm-states-dtype=mamba-num-groups=mamba-num-heads="
    "mamba-state-dim=mamba-training-ssm-states-dtype=manual-gc/manual-gc-interval=mask-factor=mask-prob="
    "mask-type=max-num-tiles=max-seqlen-per-dp-cp-rank=max-tokens-to-oom="
    "megatron-fsdp-enable-fine-grained-param-gather/megatron-fsdp-grad-comm-dtype!="
    "megatron-fsdp-main-params-dtype!=megatron-fsdp-max-pool-double-buffer!/megatron-fsdp-version="
    "memory-snapshot-path=merge-file=mhc-init-gating-factor=mhc-num-residual-streams="
    "mhc-recompute-layer-num=mhc-sinkhorn-iterations=mid-level-dataset-surplus=min-loss-scale=min-lr="
    "mla-down-proj-fusion/mlp-chunks-for-prefill=mlp-chunks-for-training!=mock-data/"
    "moe-apply-probs-on-input!/moe-aux-loss-coeff+moe-combine-bwd-dtype!=moe-deepep-num-sms="
    "moe-dispatch-fwd-dtype!=moe-enable-routing-replay/moe-extended-tp/moe-flex-dispatcher-num-sms="
    "moe-hybridep-num-blocks-permute=moe-hybridep-num-blocks-unpermute=moe-hybridep-num-sms="
    "moe-hybridep-num-sms-preprocessing=moe-hybridep-pad-uneven-dispatch-inputs/moe-input-jitter-eps="
    "moe-mlp-glu-interleave-size=moe-ncclep-zero-copy/moe-pad-experts-for-cuda-graph-inference/"
    "moe-paged-stash!/moe-paged-stash-buffer-size-factor-cpu=moe-paged-stash-buffer-size-factor-cuda="
    "moe-paged-stash-page-size=moe-per-layer-logging/moe-permute-fusion-into-hybridep/"
    "moe-router-bias-update-rate=moe-router-force-biased=moe-router-force-load-balancing/"
    "moe-router-fusion/moe-router-group-topk=moe-router-load-balancing-type+moe-router-num-groups="
    "moe-router-pre-softmax/moe-router-quantile-balancing-ema=moe-router-score-function="
    "moe-router-topk-scaling-factor=moe-routing-trace-capture-hidden-states/"
    "moe-routing-trace-capture-logits/moe-routing-trace-dump-weights/"
    "moe-routing-trace-max-training-iters=moe-routing-trace-path=moe-shared-expert-glu-interleave-size="
    "moe-single-grouped-bias/moe-single-grouped-weight/moe-token-drop-policy=moe-upcycling-granularity="
    "moe-use-grouped-tensor/moe-use-legacy-grouped-gemm!/moe-use-upcycling/moe-z-loss-coeff="
    "mrope-section+mscale=mscale-all-dim=mtp-detach-heads/mtp-hsm/mtp-hybrid-override-pattern!="
    "mtp-loss-scaling-factor=mtp-standalone!/multiple-validation-sets/muon-coefficient-type="
    "muon-extra-scale-factor=muon-fp32-matmul-prec=muon-momentum=muon-nesterov/muon-no-split-qkv/"
    "muon-num-ns-steps=muon-scalar-optimizer=muon-scale-mode=muon-tp-mode=muon-use-syrk/"
    "mup-attn-scale-power=mup-base-head-dim=mup-base-hidden-size=mup-embedding-mult=mup-output-mult="
    "mup-width-mult=nccl-all-reduce-for-prefill/nccl-communicator-config-path=no-align-grad-reduce/"
    "no-align-param-gather/no-async-tensor-model-parallel-allreduce/no-barrier-with-level-1-timing/"
    "no-bias-dropout-fusion/no-bias-gelu-fusion/no-check-for-nan-in-loss-and-grad/"
    "no-ckpt-fully-parallel-save/no-ckpt-load-validate-sharding-integrity/"
    "no-clone-scatter-output-in-embedding/no-contiguous-buffers-in-local-ddp/no-data-sharding/"
    "no-delay-grad-reduce/no-dsa-indexer-rotate-activation/no-dsa-indexer-scoring-relu/"
    "no-flight-recorder-dump-on-timeout/no-flight-recorder-extra-dump-on-exec/"
    "no-flight-recorder-include-only-active/no-fp8-wgrad!/no-gradient-reduce-div-fusion/"
    "no-inference-disable-ep-consensus/no-inference-dynamic-batching-prefix-caching/"
    "no-inference-text-gen-server-logging/no-inference-use-synchronous-zmq-collectives/"
    "no-inference-wandb-logging/no-initialization/no-load-optim/no-load-rng/"
    "no-log-loss-scale-to-tensorboard/no-manual-gc-eval/no-mmap-bin-files/no-one-logger/"
    "no-overlap-grad-reduce/no-overlap-p2p-communication/no-persist-layer-norm/no-pin-cpu-grads/"
    "no-pin-cpu-params/no-query-key-layer-scaling/no-rl-inference-logprobs-is-correction/"
    "no-rl-offload-inference-model-weights-when-idle/no-rl-partial-rollouts/no-rl-persist-cuda-graphs/"
    "no-rl-skip-bos-token/no-rl-training-cuda-graphs/no-rl-use-sequence-packing/"
    "no-rl-verify-model-weights-swap/no-rope-freq=no-save-optim/no-save-rng/no-save-tokenizer-assets/"
    "no-scatter-gather-tensors-in-pipeline/no-strict-fsdp-dtensor-load/"
    "no-tokenizer-sentencepiece-ignore-extra-whitespaces/no-tp-comm-bulk-dgrad/no-tp-comm-bulk-wgrad/"
    "no-tp-comm-overlap-ag/no-tp-comm-overlap-rs/no-tp-comm-split-ag/no-tp-comm-split-rs/"
    "no-use-tokenizer-model-from-checkpoint-args/no-weight-decay-cond-type="
    "no-yarn-correction-range-round-to-int/non-persistent-ckpt-type=non-persistent-global-ckpt-dir="
    "non-persistent-local-ckpt-algo=non-persistent-local-ckpt-dir=non-persistent-save-interval="
    "norm-epsilon=null-tokenizer-eod-id=null-tokenizer-pad-id=num-channels=num-classes="
    "num-dataset-builder-threads=num-frames!=num-speculative-tokens=num-workers=nvtx-ranges/"
    "object-storage-cache-path=one-logger-async/one-logger-project=one-logger-run-name="
    "online-evaluation-config=onnx-safe=openai-gelu/optimizer-cuda-graph!/otel-enabled/otel-service-name="
    "otel-span-groups=output-bert-embeddings/overlap-cpu-optimizer-d2h-h2d/"
    "overlap-dispatch-backward-with-experts-wgrad/overlap-grad-reduce/overlap-p2p-communication/"
    "overlap-p2p-communication-warmup-flush/overlap-param-gather/"
    "overlap-param-gather-with-optimizer-step/override-ckpt-iteration=override-opt-param-scheduler/"
    "packing-buffer-size=packing-seq-length!=patch-dim=per-dataset-sequences-path="
    "per-split-data-args-path=perform-rl-step!/persistent-save-interval=phase-transition-iterations="
    "pipeline-model-parallel-comm-backend=pipeline-model-parallel-split-rank!=pixel-shuffle/"
    "pretrained-checkpoint=profile/profile-ranks+profile-step-end=profile-step-start=prompt-path="
    "pytorch-profiler-collect-callstack/pytorch-profiler-collect-chakra/pytorch-profiler-collect-shapes/"
    "qk-clip/qk-clip-alpha=qk-clip-threshold=qk-l2-norm!/query-in-block-prob=rampup-batch-size+"
    "record-memory-history/record-shapes/refit-method=relative-attention-max-distance="
    "relative-attention-num-buckets=replication/replication-factor=replication-jump=rerun-mode="
    "reset-attention-mask/reset-position-ids/result-rejected-tracker-filename="
    "retriever-report-topk-accuracies+retriever-score-scaling/reuse-grad-buf-for-mxfp8-param-ag!/"
    "rl-consumption-granularity=rl-default-temperature=rl-default-top-k=rl-default-top-p="
    "rl-durable-rollout-bank/rl-generation-lag=rl-importance-sampling-truncation-coef="
    "rl-inference-expert-model-parallel-size=rl-inference-expert-tensor-model-parallel-size="
    "rl-inference-logprobs-is-correction/rl-inference-model-unified-memory-level=rl-inference-parsers+"
    "rl-inference-pipeline-model-parallel-size=rl-inference-tensor-model-parallel-size="
    "rl-kv-cache-management-mode=rl-max-inflight-requests=rl-offload-inference-model-weights-when-idle/"
    "rl-offload-optimizer-during-inference/rl-partial-rollouts/rl-persist-cuda-graphs/rl-profile/"
    "rl-profile-dir=rl-prompts-per-eval=rl-rollout-bank-dir=rl-rollout-bank-max-bytes="
    "rl-sequence-packing-algo=rl-sequence-packing-max-sequences-per-bin=rl-skip-bos-token/"
    "rl-submission-granularity=rl-training-cuda-graphs/rl-use-sequence-packing/"
    "rl-verify-model-weights-swap/rope-scaling-factor=rope-type=rotary-base=rotary-scaling-factor="
    "rotary-seq-len-interpolation-factor=run-workload-inspector-server/sample-rate=save="
    "save-activations-interval=save-dgrads-interval=save-interval=save-params-interval="
    "save-retain-interval=save-tokens-per-expert-interval=save-wgrads-interval=seed=sft/"
    "sft-tokenizer-prompt-format=sgd-momentum=sharp-enabled-group=short-seq-prob=skip-train/softmax-type="
    "sound-model-type!=spec!+special-tokens+split=squared-relu/standalone-embedding-stage!/"
    "start-eval-at-iter=start-weight-decay=step-batch-size-schedule=straggler-ctrlr-port="
    "straggler-minmax-count=suggested-communication-unit-size!=swin-backbone-type=symmetric-ar-type="
    "te-precision-config-file!=te-rng-tracker/tensor-parallel-num-weight-shards!=tensorboard-dir="
    "tensorboard-log-interval=tensorboard-queue-size=test-data-path+test-mode/"
    "tiktoken-num-special-tokens=tiktoken-pattern=timing-log-level=timing-log-option=titles-data-path="
    "tokenizer-hf-no-include-special-tokens/tokenizer-hf-no-use-fast/tokenizer-metadata=tokenizer-model="
    "tokenizer-prompt-format=tokenizer-sentencepiece-legacy/tokenizer-special-tokens+tokenizer-type="
    "tp-comm-bootstrap-backend=tp-comm-overlap-cfg=tp-comm-overlap-rs-dgrad/train-data-path+train-iters="
    "train-samples=train-sync-interval=trust-remote-code/use-area-weighted-aspect-ratio/"
    "use-checkpoint-args/use-checkpoint-opt-param-scheduler/use-contiguous-buffers-in-local-ddp/"
    "use-cpu-initialization/use-dist-ckpt/use-flash-attn/use-fused-weighted-squared-relu!/use-gigatoken/"
    "use-grouped-gemm-for-dense-mlp/use-grouped-gemm-for-shared-expert/use-kitchen-attention!/"
    "use-legacy-models!/use-legacy-static-engine/use-loss-scaling/use-mcore-models/"
    "use-mp-args-from-checkpoint-args/use-mup/use-one-sent-docs/use-persistent-ckpt-worker/"
    "use-pytorch-profiler/use-ring-exchange-p2p/use-rope-scaling/use-same-sampling-seed-across-dp-ranks/"
    "use-sharp/use-te/use-te-activation-func!/use-thumbnail/use-tile-tags/use-tiling/"
    "use-torch-optimizer-for-cpu-offload/use-tp-pp-dp-mapping/use-transformer-engine-op-fuser!/"
    "valid-data-path+validation-set-names+verify-integrity/vision-backbone-type=vision-pretraining/"
    "vision-pretraining-type=vocab-extra-ids=vocab-file=wandb-entity=wandb-exp-name=wandb-project="
    "wandb-save-dir=warmup=wd-incr-steps=weight-decay=weight-decay-incr-style=window-attn-skip-freq="
    "window-size=wsd-decay-steps=yaml-cfg!=yarn-beta-fast=yarn-beta-slow="
    "yarn-correction-range-round-to-int/yarn-original-max-position-embeddings=";

// ms-swift's own (swift/megatron/arguments/@3602360a), as far as scripts use them.
constexpr std::string_view kSwiftFlags =
    "adapters+add-non-thinking-prefix/agent-template=align-grad-reduce/align-param-gather/aligner-lr="
    "attn-impl=batch-p2p-comm/beta=bias-dropout-fusion/bridge-backend=cached-dataset+callbacks+"
    "check-model/columns+data-seed=data-sharding/dataloader-num-workers=dataloader-persistent-workers/"
    "dataloader-pin-memory/dataloader-prefetch-factor=dataset+dataset-num-proc=ddp-backend=ddp-timeout="
    "enable-channel-loss/enable-dft-loss/enable-thinking/eval-iters=eval-steps=finetune/"
    "group-by-length/hub-token=language-model-only!/lazy-tokenize/linear-decoupled-in-proj/load="
    "load-data-args/load-from-cache-file/log-completions/logging-steps=loss-scale=loss-type="
    "lr-warmup-fraction=manual-gc-steps=max-epochs=max-shard-size=mcore-model=merge-lora/"
    "metric-for-best-model=mlp-padding-free!/model-author+model-name+model-revision=model-type="
    "modules-to-save+mtp-shared-weights!/muon-split-qkv/muon-use-nesterov/nccl-comm-warmup/num-labels!="
    "num-train-epochs=offload-model!/offload-optimizer!/output-dir=overlap-p2p-comm/packing/"
    "padding-free/perform-initialization/ref-model!=remove-unused-columns/report-to+save="
    "save-missing-weights/save-safetensors/save-steps=save-strategy=save-total-limit="
    "split-dataset-ratio=streaming/strict/swanlab-exp-name=swanlab-project=system=target-modules+"
    "task-type=teacher-model!=template=train-dataloader-shuffle/train-iters=truncation-strategy=use-hf/"
    "use-vllm!/val-dataset+vit-gradient-checkpointing!/vit-lr=vllm-mode!=wandb-exp-name=wandb-project=";

// MindSpeed's and Pai-Megatron-Patch's, which stand on Megatron-LM's command line too.
constexpr std::string_view kPatchFlags =
    "ai-framework=beta-fast=beta-slow=context-parallel-algo!=enable-mla-scale-kv-lora/"
    "enable-mla-scale-q-lora/first-k-dense-replace=gemm-gradient-accumulation-fusion/lora-alpha="
    "lora-fusion/lora-r!=lora-target-modules+loss-chunk-size!=loss-compute-mode!=max-padding-length="
    "moe-allgather-overlap-comm!/moe-alltoall-overlap-comm!/moe-fb-overlap!/moe-permutation-async-comm/"
    "moe-tp-extend-ep!/moe-zero-memory!=mtp-mem-efficient-logits!/n-shared-experts=neat-pack!/"
    "no-pad-to-seq-lengths/no-shared-storage/noop-layers=norm-topk-prob/num-zero-experts!="
    "patch-tokenizer-type=query-pre-attn-scalar=recompute-activation-function!/"
    "recompute-activation-function-num-layers=recompute-in-advance!/recompute-in-bubble!/recompute-norm!/"
    "recompute-norm-num-layers=reuse-fp32-param!/rope-scaling-mscale=rope-scaling-mscale-all-dim="
    "rope-scaling-original-max-position-embeddings=rope-scaling-type=seq-aux/swap-attention!/"
    "swap-modules!=swap-optimizer!/swap-optimizer-times=tokenizer-name-or-path=tokenizer-not-use-fast/"
    "tokenizer-padding-side=use-fused-rmsnorm/use-fused-rotary-pos-emb/use-fused-swiglu/";

constexpr bool ends_name(char c) {
    return c == '/' || c == '=' || c == '+';
}

constexpr std::size_t count_of(std::string_view text) {
    std::size_t count = 0;
    for (const char c : text)
        count += ends_name(c) ? 1 : 0;
    return count;
}

template <std::size_t Count>
constexpr std::array<std::uint16_t, Count + 1> starts_of(std::string_view text) {
    std::array<std::uint16_t, Count + 1> starts{};
    std::size_t next = 1;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (ends_name(text[i])) starts[next++] = static_cast<std::uint16_t>(i + 1);
    }
    return starts;
}

static_assert(kMegatronFlags.size() < 65535);
constexpr auto kMegatronStarts = starts_of<count_of(kMegatronFlags)>(kMegatronFlags);
constexpr auto kPatchStarts = starts_of<count_of(kPatchFlags)>(kPatchFlags);
constexpr auto kSwiftStarts = starts_of<count_of(kSwiftFlags)>(kSwiftFlags);

std::string_view name_of_entry(std::string_view entry) {
    entry.remove_suffix(1);
    if (entry.ends_with('!')) entry.remove_suffix(1);
    return entry;
}

}  // namespace

std::string_view FlagList::name(std::size_t index) const {
    return name_of_entry(entry(index));
}

std::optional<KnownFlag> FlagList::find(std::string_view name) const {
    std::size_t low = 0;
    std::size_t high = size();
    while (low < high) {
        const std::size_t middle = (low + high) / 2;
        if (this->name(middle) < name) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low == size() || this->name(low) != name) return std::nullopt;
    const std::string_view found = entry(low);
    const char kind = found.back();
    return KnownFlag{kind == '/'   ? Arity::none
                     : kind == '=' ? Arity::one
                                   : Arity::several,
                     found[found.size() - 2] == '!'};
}

FlagList megatron_flags() {
    return {kMegatronFlags, kMegatronStarts};
}

FlagList patch_flags() {
    return {kPatchFlags, kPatchStarts};
}

FlagList swift_flags() {
    return {kSwiftFlags, kSwiftStarts};
}

}  // namespace megamem

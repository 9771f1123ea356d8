#!/usr/bin/env python3
"""The `calculator` method once more, restated from its text and not from the engine, in exact integers.

Writes tests/data/calculator_vectors.json: scenarios and what the method gives for them. The engine's tests and
the WebAssembly module's tests both compare with it. Keys of `expected` are those of the JSON report.

    python3 tests/reference/calculator.py            writes the file
    python3 tests/reference/calculator.py --check    says whether the file is up to date
"""

import ast
import json
import math
import re
import sys
from fractions import Fraction
from pathlib import Path

DATA = Path(__file__).resolve().parent.parent / "data" / "calculator_vectors.json"
GIB = 1024**3

# The scenario with which the calculator was asked for, and its figures, worked out by hand from the method's
# text: they are not this file's output.
CITED = {
    "source": "the request for this calculator: 56 layers in [Ett, ttt x 18, mL], TP 8, PP 4, EP 64, 1024 GPUs",
    "rank_0": {
        "weight": 6918438912,
        "fp8_cache": 6642728960,
        "grad": 13836877824,
        "master": 2202611712,
        "optimizer": 2202611712,
        "activation": 10569646080,
        "total": 44520398848,
    },
    "totals": [44520398848, 45846052864, 45036412928, 37579743232],
    "worst_rank": 1,
    # moe_clamp 16 + moe_activation 32 + moe_fc2 8 MiB a MoE layer.
    "moe_act_saves_per_layer": 56 * 1024**2,
    "virtual_stages": 5,
}

DEFAULTS = {
    "swiglu": False,
    "attention_output_gate": False,
    "untie_embeddings_and_output_weights": False,
    "num_experts": 0,
    "moe_router_topk": 2,
    "moe_shared_expert_intermediate_size": 0,
    "mtp_num_layers": 0,
    "nodes": 1,
    "gpus_per_node": 8,
    "tensor_model_parallel_size": 1,
    "pipeline_model_parallel_size": 1,
    "context_parallel_size": 1,
    "expert_model_parallel_size": 1,
    "precision": "bf16",
    "fp8_format": "none",
    "recompute_granularity": "none",
    "recompute_modules": [],
    "weight_2b_for_1b": False,
    "embedding_bytes": 2,
    "router_bytes": 2,
    "droprate": 1,
    "nccl_buffer_gib": 2,
    "vision_num_layers": 0,
}


# ---- Layouts -----------------------------------------------------------------------------------------------


def python_list(node):
    """Lists of strings (or of lists of words), '+' and '*', as Python itself reads them."""
    if isinstance(node, ast.BinOp):
        left, right = python_list(node.left), python_list(node.right)
        return left + right if isinstance(node.op, ast.Add) else left * right
    return ast.literal_eval(node)


def stages_of_layout(text):
    if text.lstrip().startswith(("[", "(")) and "[" in text:
        stages = python_list(ast.parse(text, mode="eval").body)
        letters = {"embedding": "E", "decoder": "t", "mtp": "m", "loss": "L"}
        return [s if isinstance(s, str) else "".join(letters[word] for word in s) for s in stages]
    text = text.replace(",", "")
    text = re.sub(r"\(([^)]+)\)\*(\d+)", lambda m: m.group(1) * int(m.group(2)), text)
    text = re.sub(r"(.)\*(\d+)", lambda m: m.group(1) * int(m.group(2)), text)
    return text.split("|")


def stages_of(s):
    layout = s.get("pipeline_model_parallel_layout")
    if layout:
        return stages_of_layout(layout if isinstance(layout, str) else json.dumps(layout))
    count = s["pipeline_model_parallel_size"] * s.get("num_virtual_stages_per_pipeline_rank", 1)
    each, rest = divmod(s["num_layers"], count)
    assert rest == 0
    stages = ["t" * each] * count
    stages[0] = "E" + stages[0]
    stages[-1] += "m" * s["mtp_num_layers"] + "L"
    return stages


def is_moe(s):
    """One truth value a decoder layer, in model order."""
    layers = s["num_layers"]
    if s["num_experts"] == 0:
        return [False] * layers
    freq = s.get("moe_layer_freq")
    if freq is None:
        return [i >= s.get("num_dense_layers", 0) for i in range(layers)]
    if isinstance(freq, str):
        freq = python_list(ast.parse(freq, mode="eval").body)
    if isinstance(freq, int):
        return [i % freq == 0 for i in range(layers)]
    assert len(freq) == layers
    return [kind == 1 for kind in freq]


# ---- The method --------------------------------------------------------------------------------------------


def exact(numerator, denominator):
    quotient, rest = divmod(numerator, denominator)
    assert rest == 0, (numerator, denominator)
    return quotient


class Calculator:
    def __init__(self, scenario):
        s = self.s = {**DEFAULTS, **{k: v for k, v in scenario.items() if v is not None}}
        self.tp = s["tensor_model_parallel_size"]
        self.pp = s["pipeline_model_parallel_size"]
        self.cp = s["context_parallel_size"]
        self.ep = s["expert_model_parallel_size"]
        self.h = s["hidden_size"]
        self.heads = s["num_attention_heads"]
        self.kv = s.get("kv_channels") or exact(self.h, self.heads)
        self.kv_groups = s.get("num_query_groups") or self.heads
        dense_default = 4 * self.h * 2 // 3 // 64 * 64 if s["swiglu"] else 4 * self.h
        dense_width = s.get("ffn_hidden_size") or dense_default
        self.experts = s["num_experts"]
        self.ffn = (s.get("moe_ffn_hidden_size") or dense_width) if self.experts else dense_width
        self.topk = s["moe_router_topk"] if self.experts else 1
        self.shared = s["moe_shared_expert_intermediate_size"]
        self.fp8 = s["fp8_format"] != "none"
        self.linear = 1 if self.fp8 else {"bf16": 2, "fp16": 2, "fp32": 4}[s["precision"]]
        self.keep = Fraction(str(s["droprate"]))
        self.moe = is_moe(s)
        self.stages = stages_of(s)
        self.vpp = exact(len(self.stages), self.pp)
        assert sum(stage.count("t") for stage in self.stages) == s["num_layers"]

        total = s["nodes"] * s["gpus_per_node"]
        self.dp = exact(exact(exact(total, self.pp), self.tp), self.cp)
        self.edp = exact(exact(total, self.pp), self.ep)
        self.sedp = exact(total, self.pp)
        self.vdp = total
        exact(self.experts, self.ep)

    # -- Section 3

    def state(self, module, elements, element_size, shard, cached):
        n = math.floor(elements)
        kept = 2 if self.s["weight_2b_for_1b"] and element_size < 2 else element_size
        return {
            "module": module,
            "elements": n,
            "weight": n * kept,
            "fp8_cache": n * kept if cached and self.fp8 else 0,
            "grad": n * 4,
            "master": n * 4 // shard,
            "optimizer": n * 4 // shard,
        }

    def modules(self, count, ep, tp):
        s, h, kv, lin = self.s, self.h, self.kv, self.linear
        over_tp = Fraction(1, tp)
        everywhere = count["dense"] + count["moe"]
        query_rows = self.heads * (2 if s["attention_output_gate"] else 1) + 2 * self.kv_groups
        emb, router = s["embedding_bytes"], s["router_bytes"]
        dense = self.ffn * self.topk
        tied_here = not s["untie_embeddings_and_output_weights"] and count["embedding"] > 0
        outputs = 0 if tied_here else count["output"]
        row = self.state
        moe = count["moe"]
        local = exact(self.experts, ep)
        return [
            row("Embedding", count["embedding"] * s["vocab_size"] * h * over_tp, emb, self.dp, False),
            row("AttentionQKV", everywhere * kv * query_rows * h * over_tp, lin, self.dp, True),
            row("AttentionOut", everywhere * kv * self.heads * h * over_tp, lin, self.dp, True),
            row("Gate", moe * h * self.experts, router, self.sedp, False),
            row("MoEFC1/shared", moe * self.shared * h * 2 * over_tp, lin, self.dp, True),
            row("MoEFC1/experts", moe * local * h * self.ffn * 2, lin, self.edp, True),
            row("MoEFC2/shared", moe * self.shared * h * over_tp, lin, self.dp, True),
            row("MoEFC2/experts", moe * local * h * self.ffn, lin, self.edp, True),
            row("DenseFC1", count["dense"] * dense * h * 2, lin, self.sedp, True),
            row("DenseFC2", count["dense"] * dense * h, lin, self.sedp, True),
            row("OutputLayer", outputs * s["vocab_size"] * h * over_tp, emb, self.dp, False),
        ]

    # -- Section 5

    def activations(self, count):
        s, h, lin = self.s, self.h, self.linear
        tokens = s["micro_batch_size"] * s["seq_length"]
        routed = tokens * self.topk * self.keep
        dense = self.ffn * self.topk
        query, key = self.kv * self.heads, self.kv * self.kv_groups
        recompute = s["recompute_granularity"] == "selective" and "moe_act" in s["recompute_modules"]
        every = count["dense"] + count["moe"]
        moe, kept = count["moe"], 0 if recompute else count["moe"]
        terms = [
            ("pre_attn_layernorm", tokens * h * 2, every * self.vpp),
            ("linear_qkv", tokens * h * lin, every * self.vpp),
            ("attention_q", tokens * query * 2, every * self.vpp),
            ("attention_k", tokens * key * 2, every * self.vpp),
            ("attention_v", tokens * key * 2, every * self.vpp),
            ("attention_o", tokens * query * 2, every * self.vpp),
            ("pre_mlp_layernorm", tokens * h * 2, every * self.vpp),
            ("gate", tokens * h * 2, moe * self.vpp),
            ("shared_clamp", tokens * self.shared * 2, moe * self.vpp),
            ("shared_activation", tokens * self.shared * 4, moe * self.vpp),
            ("shared_fc2", tokens * self.shared * lin, moe * self.vpp),
            ("moe_fc1", routed * h * lin, moe * self.vpp),
            ("moe_clamp", routed * self.ffn * 2, kept * self.vpp),
            ("moe_activation", routed * self.ffn * 4, kept * self.vpp),
            ("moe_fc2", routed * self.ffn * lin, kept * self.vpp),
            ("dense_fc1", tokens * h * lin, count["dense"] * self.vpp),
            ("dense_clamp", tokens * dense * 2, count["dense"] * self.vpp),
            ("dense_activation", tokens * dense * 4, count["dense"] * self.vpp),
            ("dense_fc2", tokens * dense * lin, count["dense"] * self.vpp),
            ("output_layer", tokens * s["vocab_size"] * 2 * 3, count["output"]),
        ]
        rows = []
        for term, product, times in terms:
            one = math.floor(Fraction(math.floor(Fraction(product) / self.tp)) / self.cp)
            rows.append({"term": term, "bytes": one * times})
        return rows

    # -- Section 6

    def vision_modules(self):
        s = self.s
        layers, width = s["vision_num_layers"], s["vision_hidden_size"]
        heads = s["vision_num_attention_heads"]
        groups = s.get("vision_num_query_groups") or heads
        kv = s.get("vision_kv_channels") or exact(width, heads)
        ffn, projector = s["vision_ffn_hidden_size"], s["vision_projector_ffn_hidden_size"]
        merge = s["vision_spatial_merge_size"]
        elements = [
            ("patch_embedding", s["vision_patch_dim"] ** 2 * 3 * width),
            ("qkv", layers * kv * (heads + 2 * groups) * width),
            ("out", layers * kv * heads * width),
            ("fc1", layers * ffn * width),
            ("fc2", layers * ffn * width),
            ("projector_fc1", width * projector),
            ("projector_fc2", projector * self.h),
            ("merge_fc1", projector * self.h * merge**2),
            ("merge_fc2", projector * self.h),
        ]
        modules = [self.state("vision/" + name, n, 2, self.vdp, False) for name, n in elements]
        per_patch = [
            ("norm1", 2 * width),
            ("qkv_input", 2 * width),
            ("q", 2 * kv * heads),
            ("kv", 2 * 2 * kv * groups),
            ("o", 2 * kv * heads),
            ("norm2", 2 * width),
            ("fc1_input", 2 * width),
            ("fc1_output", 2 * ffn),
            ("fc2_input", 2 * ffn),
        ]
        patches = s["vision_patches_per_micro_batch"]
        terms = [{"term": "vision/" + name, "bytes": size * patches * layers} for name, size in per_patch]
        return {"modules": modules, "activations": terms}

    # -- Sections 4 and 7

    def rank(self, index):
        first = [0]
        for stage in self.stages:
            first.append(first[-1] + stage.count("t"))
        count = {"embedding": 0, "dense": 0, "moe": 0, "mtp": 0, "output": 0}
        chunks = []
        for i, stage in enumerate(self.stages):
            if i % self.pp != index:
                continue
            chunks.append(stage)
            types = self.moe[first[i] : first[i + 1]]
            count["embedding"] += stage.count("E")
            count["dense"] += types.count(False)
            count["moe"] += types.count(True)
            count["mtp"] += stage.count("m")
            count["output"] += stage.count("L")

        modules = self.modules(count, self.ep, self.tp)
        activations = self.activations(count)
        totals = {
            kind: sum(row[kind] for row in modules)
            for kind in ("weight", "fp8_cache", "grad", "master", "optimizer")
        }
        totals["activation"] = sum(row["bytes"] for row in activations)
        report = {
            "pipeline_rank": index,
            "layers": count,
            "chunks": chunks,
            "modules": modules,
            "activations": activations,
        }
        totals["vision"] = 0
        if self.s["vision_num_layers"]:
            vision = report["vision"] = self.vision_modules()
            for row in vision["modules"]:
                totals["vision"] += sum(
                    row[k] for k in ("weight", "fp8_cache", "grad", "master", "optimizer")
                )
            totals["vision"] += sum(row["bytes"] for row in vision["activations"])
        reserve = Fraction(str(self.s["nccl_buffer_gib"])) * GIB
        totals["reserve"] = exact(reserve.numerator, reserve.denominator)
        totals["total"] = sum(totals.values())
        report["totals"] = totals
        return report

    def parameters(self):
        """The rows of the whole model on one rank without TP and EP; the head only where it is untied."""
        moe_layers = self.moe.count(True)
        count = {
            "embedding": 1,
            "dense": self.s["num_layers"] - moe_layers,
            "moe": moe_layers,
            "mtp": 0,
            "output": 1,
        }
        rows = self.modules(count, 1, 1)
        total = sum(row["elements"] for row in rows)
        routed = sum(row["elements"] for row in rows if row["module"].endswith("/experts"))
        visited = exact(routed * min(self.topk, self.experts), self.experts) if self.experts else 0
        if self.s["vision_num_layers"]:
            total += sum(row["elements"] for row in self.vision_modules()["modules"])
        return {"total": total, "active": total - routed + visited}

    def report(self):
        ranks = [self.rank(i) for i in range(self.pp)]
        sizes = [rank["totals"]["total"] for rank in ranks]
        step = self.s["micro_batch_size"] * self.dp
        return {
            "groups": {
                "world_size": self.vdp,
                "data_parallel_size": self.dp,
                "expert_data_parallel_size": self.edp,
                "shared_expert_data_parallel_size": self.sedp,
                "vision_data_parallel_size": self.vdp,
            },
            "parameters": self.parameters(),
            "micro_batches": exact(self.s.get("global_batch_size", step), step),
            "virtual_stages": self.vpp,
            "ranks": ranks,
            "worst_rank": sizes.index(max(sizes)),
        }


# ---- The scenarios -----------------------------------------------------------------------------------------

ISSUE = {
    "schema": 1,
    "name": "check",
    "num_layers": 56,
    "num_dense_layers": 3,
    "mtp_num_layers": 1,
    "hidden_size": 7168,
    "kv_channels": 128,
    "num_attention_heads": 128,
    "num_query_groups": 8,
    "vocab_size": 129280,
    "swiglu": True,
    "untie_embeddings_and_output_weights": True,
    "ffn_hidden_size": 18432,
    "num_experts": 256,
    "moe_ffn_hidden_size": 2048,
    "moe_router_topk": 8,
    "moe_shared_expert_intermediate_size": 2048,
    "nodes": 128,
    "gpus_per_node": 8,
    "tensor_model_parallel_size": 8,
    "pipeline_model_parallel_size": 4,
    "context_parallel_size": 1,
    "expert_model_parallel_size": 64,
    "expert_tensor_parallel_size": 1,
    "sequence_parallel": True,
    "pipeline_model_parallel_layout": "['Ett'] + ['ttt'] * 18 + ['mL']",
    "seq_length": 4096,
    "micro_batch_size": 1,
    "global_batch_size": 8192,
    "precision": "bf16",
    "fp8_format": "hybrid",
    "weight_2b_for_1b": True,
    "embedding_bytes": 2,
    "router_bytes": 2,
    "droprate": 1,
    "nccl_buffer_gib": 2,
    "gpu": "H100-80",
}

DENSE = {
    "schema": 1,
    "num_layers": 8,
    "hidden_size": 1024,
    "ffn_hidden_size": 2816,
    "num_attention_heads": 16,
    "num_query_groups": 4,
    "kv_channels": 64,
    "vocab_size": 32003,
    "swiglu": True,
    "untie_embeddings_and_output_weights": True,
    "seq_length": 2048,
    "micro_batch_size": 2,
}

MOE = {
    **DENSE,
    "num_experts": 16,
    "moe_ffn_hidden_size": 704,
    "moe_router_topk": 4,
    "moe_shared_expert_intermediate_size": 512,
    "num_dense_layers": 2,
    "nodes": 2,
    "expert_model_parallel_size": 4,
}

VISION = {
    "vision_num_layers": 6,
    "vision_hidden_size": 384,
    "vision_ffn_hidden_size": 1536,
    "vision_num_attention_heads": 6,
    "vision_patch_dim": 14,
    "vision_projector_ffn_hidden_size": 1152,
    "vision_spatial_merge_size": 2,
    "vision_patches_per_micro_batch": 1000,
}

SCENARIOS = [
    ("issue", "the scenario with which the calculator was asked for", ISSUE, {}),
    ("issue-moe-act", "the same with selective moe_act recompute", ISSUE,
     {"recompute_granularity": "selective", "recompute_modules": ["moe_act"]}),
    ("issue-megatron-layout", "the same stages in Megatron's spelling", ISSUE,
     {"pipeline_model_parallel_layout": "Ett|(ttt|)*18mL"}),
    ("dense", "a dense model on one node: SEDP and DP shards, no MoE row", DENSE, {}),
    ("dense-defaults", "unset widths: ffn 8/3 x hidden in 64s, groups = heads, kv_channels = hidden / heads",
     DENSE, {"ffn_hidden_size": None, "num_query_groups": None, "kv_channels": None}),
    ("dense-plain-mlp", "unset ffn without SwiGLU is 4 x hidden, and FC1 still counts twice", DENSE,
     {"ffn_hidden_size": None, "swiglu": False}),
    ("dense-topk-is-one", "a dense model ignores top-k, shared expert and droprate", DENSE,
     {"moe_router_topk": 6, "moe_shared_expert_intermediate_size": 512, "droprate": 0.5}),
    ("output-gate", "the gate doubles the query part of QKV and nothing else", DENSE,
     {"attention_output_gate": True}),
    ("multi-head", "as many groups as heads", DENSE, {"num_query_groups": 16}),
    ("multi-query", "one group, and a head width that isn't hidden / heads", DENSE,
     {"num_query_groups": 1, "kv_channels": 96}),
    ("tied-same-rank", "tied, E and L on one rank: no OutputLayer row", DENSE,
     {"untie_embeddings_and_output_weights": False}),
    ("tied-two-ranks", "tied, E and L on two ranks: each keeps its copy", DENSE,
     {"untie_embeddings_and_output_weights": False, "pipeline_model_parallel_size": 2}),
    ("tied-same-rank-two-stages", "tied, PP 1 with VPP 2: two stages and one rank", DENSE,
     {"untie_embeddings_and_output_weights": False, "pipeline_model_parallel_layout": "Et*4|t*4L"}),
    ("fp16", "fp16 linear layers take 2 bytes", MOE, {"precision": "fp16"}),
    ("fp32", "fp32 linear layers take 4 bytes, in weights and in linear inputs", MOE, {"precision": "fp32"}),
    ("fp32-2b", "weight_2b_for_1b leaves elements of 2 bytes and more alone", MOE,
     {"precision": "fp32", "weight_2b_for_1b": True}),
    ("fp8", "FP8 weights of 1 byte, and a cache as large", MOE, {"fp8_format": "hybrid"}),
    ("fp8-e4m3-2b", "FP8 weights kept in 2 bytes: weight and cache double, inputs don't", MOE,
     {"fp8_format": "e4m3", "weight_2b_for_1b": True}),
    ("fp8-on-fp32", "FP8 wins over the precision", MOE, {"fp8_format": "hybrid", "precision": "fp32"}),
    ("embedding-4", "embedding and output weights of 4 bytes", MOE, {"embedding_bytes": 4}),
    ("router-4", "router weights of 4 bytes", MOE, {"router_bytes": 4}),
    ("moe", "MoE with two dense layers first: dense width is ffn x top-k", MOE, {}),
    ("moe-no-shared", "no shared expert: its rows and terms are 0", MOE,
     {"moe_shared_expert_intermediate_size": 0}),
    ("moe-unset-width", "moe_ffn_hidden_size unset: the FFN size", MOE, {"moe_ffn_hidden_size": None}),
    ("moe-all", "every layer MoE", MOE, {"num_dense_layers": None}),
    ("moe-ep-1", "EP 1: every expert on every rank, EDP = world", MOE, {"expert_model_parallel_size": 1}),
    ("moe-ep-16", "EP 16: one expert a rank, EDP 1", MOE, {"expert_model_parallel_size": 16}),
    ("moe-topk-over-experts", "top-k above the experts: the active ones are all of them", MOE,
     {"moe_router_topk": 24}),
    ("moe-every-third", "moe_layer_freq as a number", MOE, {"num_dense_layers": None, "moe_layer_freq": 3}),
    ("moe-pattern", "moe_layer_freq as a list, its types in model order over PP 2 x VPP 2", MOE,
     {"num_dense_layers": None, "moe_layer_freq": [0, 1, 1, 0, 1, 1, 1, 0], "pipeline_model_parallel_size": 2,
      "num_virtual_stages_per_pipeline_rank": 2}),
    ("moe-pattern-python", "moe_layer_freq as a Python expression, equal to two dense layers first", MOE,
     {"moe_layer_freq": "([0]*2+[1]*6)"}),
    ("droprate", "droprate 0.7531 with odd sizes: one floor after all factors", MOE,
     {"droprate": 0.7531, "seq_length": 2047, "micro_batch_size": 1, "moe_ffn_hidden_size": 703}),
    ("droprate-least", "the least droprate", MOE, {"droprate": 0.0001, "seq_length": 37, "micro_batch_size": 1}),
    ("moe-act", "selective moe_act recompute drops three terms of the MoE layers", MOE,
     {"recompute_granularity": "selective", "recompute_modules": ["core_attn", "moe_act"]}),
    ("full-recompute", "full recompute changes nothing, with moe_act named or not", MOE,
     {"recompute_granularity": "full", "recompute_modules": ["moe_act"]}),
    ("cp", "CP divides activations and DP, not weights", MOE,
     {"context_parallel_size": 4, "tensor_model_parallel_size": 2}),
    ("tp-floors", "TP 3 and CP 5 divide nothing: elements and terms are rounded down", MOE,
     {"nodes": 3, "gpus_per_node": 20, "tensor_model_parallel_size": 3, "context_parallel_size": 5,
      "expert_model_parallel_size": 4, "seq_length": 1001, "micro_batch_size": 1, "hidden_size": 1031,
      "moe_shared_expert_intermediate_size": 509}),
    ("shard-floors", "a world of 7: the sharded states are rounded down a row", DENSE,
     {"nodes": 7, "gpus_per_node": 1}),
    ("even-vpp", "an even split over PP 2 and VPP 2: activations times VPP, the output layer's not", DENSE,
     {"pipeline_model_parallel_size": 2, "num_virtual_stages_per_pipeline_rank": 2, "mtp_num_layers": 1}),
    ("layout-megatron", "an uneven layout with empty stages in Megatron's spelling", MOE,
     {"pipeline_model_parallel_size": 4, "pipeline_model_parallel_layout": "E||t*3|(t,t|)*2t|L|"}),
    ("layout-python", "the same in the Python-like spelling", MOE,
     {"pipeline_model_parallel_size": 4,
      "pipeline_model_parallel_layout": "[\"E\", '', 'ttt']+ 2*['tt'] + ['t','L'] + ['']"}),
    ("layout-words", "lists of words, MTP included", MOE,
     {"pipeline_model_parallel_size": 2, "mtp_num_layers": 1,
      "pipeline_model_parallel_layout": [["embedding", "decoder", "decoder", "decoder"],
                                         ["decoder", "decoder", "decoder", "decoder", "decoder", "mtp", "loss"]]}),
    ("vision", "a vision tower on every rank, outside TP, CP and VPP", MOE,
     {**VISION, "tensor_model_parallel_size": 2, "pipeline_model_parallel_size": 2,
      "num_virtual_stages_per_pipeline_rank": 2, "fp8_format": "hybrid"}),
    ("vision-gqa", "a vision tower with groups and head width of its own, and no patches", DENSE,
     {**VISION, "vision_num_query_groups": 2, "vision_kv_channels": 80, "vision_patches_per_micro_batch": 0}),
    ("nccl-0", "no NCCL buffer", DENSE, {"nccl_buffer_gib": 0}),
    ("nccl-1.5", "an NCCL buffer of one and a half GiB", DENSE, {"nccl_buffer_gib": 1.5}),
    ("batch", "a global batch: micro-batches of a step, no byte more", MOE,
     {"global_batch_size": 320, "tensor_model_parallel_size": 2, "sequence_parallel": True}),
]


def vectors():
    result = []
    for name, covers, base, changes in SCENARIOS:
        scenario = {k: v for k, v in {**base, **changes}.items() if v is not None}
        vector = {"name": name, "covers": covers, "scenario": scenario}
        vector["expected"] = Calculator(scenario).report()
        if name == "issue":
            vector["cited"] = CITED
        result.append(vector)
    return result


def check_cited(vector):
    expected = vector["expected"]
    first = expected["ranks"][0]["totals"]
    for key, value in CITED["rank_0"].items():
        assert first[key] == value, (key, first[key], value)
    assert [rank["totals"]["total"] for rank in expected["ranks"]] == CITED["totals"]
    assert expected["worst_rank"] == CITED["worst_rank"]
    assert expected["virtual_stages"] == CITED["virtual_stages"]
    changed = Calculator({**ISSUE, "recompute_granularity": "selective", "recompute_modules": ["moe_act"]}).report()
    for before, after in zip(expected["ranks"], changed["ranks"]):
        saved = before["totals"]["activation"] - after["totals"]["activation"]
        layers = before["layers"]["moe"] * CITED["virtual_stages"]
        assert saved == CITED["moe_act_saves_per_layer"] * layers


def as_text(all_vectors):
    """One line a vector's part and rank: small, and readable in a diff."""
    one_line = lambda value: json.dumps(value, separators=(",", ":"))
    lines = []
    for vector in all_vectors:
        expected = dict(vector["expected"])
        ranks = ",\n".join(one_line(rank) for rank in expected.pop("ranks"))
        parts = [f'"{key}":{one_line(vector[key])}' for key in vector if key != "expected"]
        inner = one_line(expected)[:-1]
        parts.append(f'"expected":{inner},"ranks":[\n{ranks}]}}')
        lines.append("{" + ",\n".join(parts) + "}")
    return "[\n" + ",\n".join(lines) + "\n]\n"


def main():
    all_vectors = vectors()
    check_cited(next(v for v in all_vectors if v["name"] == "issue"))
    text = as_text(all_vectors)
    assert json.loads(text) == all_vectors
    if "--check" in sys.argv[1:]:
        if DATA.read_text() != text:
            sys.exit(f"{DATA.name} is not what this program writes")
        print(f"{len(all_vectors)} vectors, up to date")
        return
    DATA.write_text(text)
    print(f"{len(all_vectors)} vectors written to {DATA.name}")


if __name__ == "__main__":
    main()

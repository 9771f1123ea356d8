// The command line's import: scenario on standard output, review on standard error, exit status.
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, test } from "node:test";

import { megamem, root } from "./support.mjs";

const scripts = path.join(root, "tests/data/scripts");
const script = (name) => path.join(scripts, name);
const whole = `torchrun --nproc_per_node 8 pretrain_gpt.py --num-layers 4 --hidden-size 1024 \\
  --num-attention-heads 16 --seq-length 2048 --vocab-size 50304 --micro-batch-size 1 --bf16 --lr 1e-4 --typo-here 1
`;
let folder;
before(() => (folder = mkdtempSync(path.join(tmpdir(), "megamem-import-"))));
after(() => rmSync(folder, { recursive: true }));

describe("import", () => {
    test("the scenario goes to standard output, the review to standard error", () => {
        const run = megamem(["import", "-"], whole);
        assert.equal(run.status, 0);
        const scenario = JSON.parse(run.stdout);
        assert.equal(scenario.num_layers, 4);
        assert.equal(scenario.precision, "bf16");
        // Megatron-LM's own defaults where the script is silent.
        assert.equal(scenario.normalization, "LayerNorm");
        assert.equal(scenario.use_distributed_optimizer, false);
        assert.match(run.stderr, /^standard input: launch script of Megatron-LM \(pretrain_gpt\.py\)/);
        assert.match(run.stderr, /1: num_layers = 4 {2}\(--num-layers 4\)/);
        assert.match(run.stderr, /2: precision = bf16/);
        assert.match(run.stderr, /ignored, without influence on memory: 1/);
        assert.match(run.stderr, /unknown:\n.*--typo-here 1/);
        assert.doesNotMatch(run.stderr, /missing/);
    });
    test("every script of the tests gives a scenario that imports as itself", () => {
        for (const name of readdirSync(scripts)) {
            const first = megamem(["import", script(name)]);
            assert.equal(first.status, 0, `${name}: ${first.stderr}`);
            const again = megamem(["import", "-"], first.stdout);
            assert.equal(again.status, 0, `${name}: ${again.stderr}`);
            assert.equal(again.stdout, first.stdout, name);
        }
    });
    test("what is missing and what is open is told", () => {
        const run = megamem(["import", script("14_open_values.sh")]);
        assert.equal(run.status, 0);
        assert.match(run.stderr, /tensor_model_parallel_size {2}--tensor-model-parallel-size \$1: it is argument 1/);
        assert.match(run.stderr, /missing: .*hidden_size/);
    });
    test("later files add to earlier ones, and a base lies under them", () => {
        const file = path.join(folder, "more.sh");
        writeFileSync(file, "torchrun --nnodes 4 pretrain_gpt.py --tensor-model-parallel-size 4 --num-layers 8\n");
        const both = megamem(["import", script("01_arrays.sh"), file]);
        const scenario = JSON.parse(both.stdout);
        assert.equal(scenario.num_layers, 8);
        assert.equal(scenario.hidden_size, 2048);
        assert.equal(scenario.tensor_model_parallel_size, 4);
        assert.match(both.stderr, /num_layers: 8 replaces 24/);
        const swift = megamem(["import", script("09_swift_moe.sh"), "--base", "qwen3-235b-a22b"]);
        const based = JSON.parse(swift.stdout);
        assert.equal(based.hidden_size, 4096);
        assert.equal(based.expert_model_parallel_size, 8);
        assert.equal(based.tensor_model_parallel_size, 1);
    });
    test("--format link gives a link that estimate takes", () => {
        const link = megamem(["import", "-", "--format", "link"], whole).stdout.trim();
        assert.match(link, /^#v=1&/);
        const from = (...args) => JSON.parse(megamem(["estimate", ...args, "--format", "json"], whole).stdout).ranks;
        assert.deepEqual(from("--link", link), from("-"));
        assert.equal(JSON.parse(megamem(["import", "-"], link).stdout).num_layers, 4);
    });
    test("2 where nothing can be taken, with the reason", () => {
        const cases = [
            ["https://example.org/a/config.json", /nothing is fetched/],
            ["Qwen3-235B-A22B", /start from the preset qwen3-235b-a22b/],
            ["Some/Unknown-Model", /paste the model's config\.json/],
            ["", /empty/],
            ["\0\0\0", /binary/],
            ["[Rank 1] memory (MB) | allocated: 1.0 | max allocated: 2.0", /log without the arguments/],
            ["Dear all,\n\nplease find the figures attached.\n", /no model, training or cluster/],
            ["#!/bin/bash\nls --color\n", /./],
        ];
        for (const [text, reason] of cases) {
            const run = megamem(["import", "-"], text);
            assert.equal(run.status, 2, text);
            assert.equal(run.stdout, "");
            assert.match(run.stderr, reason);
        }
        assert.equal(megamem(["import", "-"], `--num-layers 4 ${"x".repeat(5_000_001)}`).status, 2);
    });
    test("usage", () => {
        for (const [args, reason] of [
            [["import"], /one or more files/],
            [["import", "nothing.sh"], /nothing\.sh/],
            [["import", "-", "--base", "nothing"], /unknown preset/],
            [["import", "-", "--format", "xml"], /json or link/],
        ]) {
            const run = megamem(args);
            assert.equal(run.status, 2);
            assert.match(run.stderr, reason);
        }
    });
});

describe("estimate", () => {
    test("takes any format that import takes", () => {
        const direct = megamem(["estimate", "-", "--format", "json"], whole);
        assert.notEqual(direct.status, 2, direct.stderr);
        const scenario = megamem(["import", "-"], whole).stdout;
        const through = megamem(["estimate", "-", "--format", "json"], scenario);
        assert.deepEqual(JSON.parse(direct.stdout).ranks, JSON.parse(through.stdout).ranks);
        // What the import leaves open is in the report.
        assert.match(direct.stderr, /warning: 1 unknown: --typo-here 1/);
        assert.ok(JSON.parse(direct.stdout).problems.some((problem) => problem.code === "unknown_argument"));
    });
    test("a preset lies under a file", () => {
        const run = megamem(["estimate", "-", "--preset", "llama-2-7b", "--format", "json"], "x.py --micro-batch-size 2");
        assert.notEqual(run.status, 2, run.stderr);
        assert.match(run.stderr, /the text doesn't say how many GPUs/);
    });
    test("2 where the text is nothing", () => {
        const run = megamem(["estimate", "-"], "https://example.org/config.json");
        assert.equal(run.status, 2);
        assert.match(run.stderr, /^megamem: error: this is an address/);
    });
});

describe("import of config.json", () => {
    const config = {
        model_type: "qwen3_moe",
        hidden_size: 2048,
        num_hidden_layers: 48,
        num_attention_heads: 32,
        num_key_value_heads: 4,
        head_dim: 128,
        vocab_size: 151936,
        num_experts: 128,
        num_experts_per_tok: 8,
        moe_intermediate_size: 768,
        tie_word_embeddings: false,
        max_position_embeddings: 40960,
    };
    test("alone it asks for the sequence length, with a script it is whole", () => {
        const alone = megamem(["import", "-"], JSON.stringify(config));
        assert.equal(alone.status, 0);
        const scenario = JSON.parse(alone.stdout);
        assert.equal(scenario.num_layers, 48);
        assert.equal(scenario.qk_layernorm, true);
        assert.equal(scenario.seq_length, undefined);
        assert.match(alone.stderr, /Hugging Face config\.json \(qwen3_moe\)/);
        assert.match(alone.stderr, /seq_length.*40960/);
        const file = path.join(folder, "config.json");
        writeFileSync(file, JSON.stringify(config));
        const script = "torchrun --nproc_per_node 8 pretrain_gpt.py --seq-length 4096 --micro-batch-size 1 --bf16\n";
        writeFileSync(path.join(folder, "run.sh"), script);
        for (const order of [["config.json", "run.sh"], ["run.sh", "config.json"]]) {
            const both = megamem(["import", ...order.map((name) => path.join(folder, name))]);
            assert.equal(both.status, 0, both.stderr);
            const merged = JSON.parse(both.stdout);
            assert.equal(merged.seq_length, 4096);
            assert.equal(merged.swiglu, true);
            assert.equal(merged.normalization, "RMSNorm");
            assert.equal(merged.untie_embeddings_and_output_weights, true);
        }
    });
    test("keys as YAML are this model and no argument map", () => {
        const lines = Object.entries(config).map(([key, value]) => `${key}: ${value}\n`);
        const run = megamem(["import", "-"], lines.join(""));
        assert.equal(JSON.parse(run.stdout).num_layers, 48);
        assert.match(run.stderr, /qwen3_moe/);
    });
    test("what isn't modelled stands in the review", () => {
        const hybrid = { ...config, model_type: "qwen3_next", full_attention_interval: 4 };
        const run = megamem(["import", "-"], JSON.stringify(hybrid));
        assert.match(run.stderr, /36 of the 48 layers are gated delta nets, which isn't modelled/);
    });
});

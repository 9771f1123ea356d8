// Shared by the tests of the module and of the command line: where things are, and how they are compared.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");
export const modulePath = path.join(root, "build/web/megamem-engine.js");
export const cliPath = path.join(root, "build/native/megamem");
export const wasmCliPath = path.join(root, "build/web/megamem-cli.js");
const vectorsPath = path.join(root, "tests/data/calculator_vectors.json");

/** A fresh instance: what one test does to its instance is nothing to the others. */
export function loadModule() {
    // The module is a classic script with a CommonJS export, so `import` would not do everywhere.
    return createRequire(import.meta.url)(modulePath)();
}

/** The vectors [{name, covers, scenario, expected}]. Without them there is nothing to test: it throws. */
export function readVectors() {
    const vectors = JSON.parse(readFileSync(vectorsPath, "utf8"));
    if (!Array.isArray(vectors) || vectors.length === 0) throw new Error(`${vectorsPath} holds no vectors`);
    return vectors;
}

/** Runs the command line. `input` goes to its standard input; without one, that is empty. */
export function megamem(args, input = "") {
    return outcome(cliPath, args, input);
}

/** The same as WebAssembly. */
export function megamemWasm(args, input = "") {
    return outcome(process.execPath, [wasmCliPath, ...args], input);
}

function outcome(program, args, input) {
    const run = spawnSync(program, args, { input, encoding: "utf8", maxBuffer: 1 << 28, cwd: root });
    if (run.error && run.error.code !== "EPIPE") throw run.error; // EPIPE: it stopped reading, as it may
    assertNoSignal(run);
    return { status: run.status, stdout: run.stdout, stderr: run.stderr };
}

function assertNoSignal(run) {
    if (run.signal) throw new Error(`the command line died of ${run.signal}: ${run.stderr}`);
}

/**
 * The places where `actual` differs from `expected`, as sentences. Keys that `expected` does not have are not
 * looked at, but arrays must have the same length and order, and numbers must be equal to the last digit.
 */
export function differences(expected, actual, place = "report") {
    if (Array.isArray(expected)) {
        if (!Array.isArray(actual)) return [`${place} is no array`];
        if (actual.length !== expected.length) {
            return [`${place} has ${actual.length} entries, expected ${expected.length}`];
        }
        return expected.flatMap((value, i) => differences(value, actual[i], `${place}[${i}]`));
    }
    if (expected !== null && typeof expected === "object") {
        if (actual === null || typeof actual !== "object") return [`${place} is no object`];
        return Object.keys(expected).flatMap((key) =>
            Object.hasOwn(actual, key)
                ? differences(expected[key], actual[key], `${place}.${key}`)
                : [`${place}.${key} is missing`],
        );
    }
    if (Object.is(expected, actual)) return [];
    return [`${place} is ${JSON.stringify(actual)}, expected ${JSON.stringify(expected)}`];
}

/** The scenario that the project was asked for first: a DeepSeek-V3 like model with eight GQA groups. */
export const issueScenario = {
    num_layers: 56,
    num_dense_layers: 3,
    mtp_num_layers: 1,
    hidden_size: 7168,
    kv_channels: 128,
    num_attention_heads: 128,
    num_query_groups: 8,
    vocab_size: 129280,
    swiglu: true,
    untie_embeddings_and_output_weights: true,
    ffn_hidden_size: 18432,
    num_experts: 256,
    moe_ffn_hidden_size: 2048,
    moe_router_topk: 8,
    moe_shared_expert_intermediate_size: 2048,
    nodes: 128,
    gpus_per_node: 8,
    tensor_model_parallel_size: 8,
    pipeline_model_parallel_size: 4,
    expert_model_parallel_size: 64,
    expert_tensor_parallel_size: 1,
    sequence_parallel: true,
    pipeline_model_parallel_layout: "['Ett'] + ['ttt'] * 18 + ['mL']",
    seq_length: 4096,
    micro_batch_size: 1,
    global_batch_size: 8192,
    fp8_format: "hybrid",
    weight_2b_for_1b: true,
};

/** Its bytes per pipeline rank; rank 1 is the worst. */
export const issueTotals = [44520398848, 45846052864, 45036412928, 37579743232];

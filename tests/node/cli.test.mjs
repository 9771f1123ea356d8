// The command line: what it takes, what it prints where, and its exit status.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, test } from "node:test";

import { issueScenario, issueTotals, loadModule, megamem } from "./support.mjs";

const scenario = JSON.stringify(issueScenario);
let folder;
let file;
before(() => {
    folder = mkdtempSync(path.join(tmpdir(), "megamem-cli-"));
    file = path.join(folder, "scenario.json");
    writeFileSync(file, scenario);
});
after(() => rmSync(folder, { recursive: true }));

const totals = (run) => JSON.parse(run.stdout).ranks.map((rank) => rank.totals.total);

// A complaint of the program: one line with its name in front, on standard error, and nothing on the other.
function assertRefused(args, pattern, input) {
    const run = megamem(args, input);
    assert.equal(run.status, 2, args.join(" "));
    assert.match(run.stderr, /^megamem: /);
    assert.match(run.stderr, pattern);
    assert.equal(run.stdout, "");
}

// The issue's figures are of this method; the default is another.
const calculator = ["--method", "calculator"];

describe("exit status", () => {
    test("0: it fits", () => {
        const run = megamem(["estimate", ...calculator, file]);
        assert.equal(run.status, 0, run.stderr);
        assert.equal(run.stderr, "");
        assert.match(run.stdout, /^fits: rank 1 needs 42\.70 GiB/);
    });
    test("1: it does not fit", () => {
        const run = megamem(["estimate", ...calculator, file, "--set", "gpu=A100-40"]);
        assert.equal(run.status, 1);
        assert.match(run.stdout, /^does not fit: /);
    });
    test("2: bad input", () => {
        assertRefused(["estimate", file, "--set", "tensor_model_parallel_size=7"], /error: .*not divisible by TP 7/);
    });
    test("with --format json there is a report on standard output in all three", () => {
        const cases = [
            [[], 0, true],
            [["--set", "gpu=A100-40"], 1, true],
            [["--set", "tensor_model_parallel_size=7"], 2, false],
        ];
        for (const [more, status, valid] of cases) {
            const run = megamem(["estimate", ...calculator, file, "--format", "json", ...more]);
            assert.equal(run.status, status);
            const report = JSON.parse(run.stdout);
            assert.equal(report.valid, valid);
            if (!valid) assert.ok(report.problems.some((problem) => problem.severity === "error"));
            if (!valid) assert.match(run.stderr, /^megamem: error: /);
        }
    });
});

describe("input", () => {
    test("the method: detailed, unless a link or --method says otherwise", async () => {
        const method = (...args) => JSON.parse(megamem(["estimate", ...args, "--format", "json"]).stdout).method;
        assert.equal(method(file), "detailed");
        assert.equal(method("--link", "#v=1&m=deepseek-v3&mt=calculator&z=1"), "calculator");
        assert.equal(method("--link", "#v=1&m=deepseek-v3&mt=calculator&z=1", "--method", "megatron-report"), "megatron-report");
    });
    test("--explain gives formula, numbers and source; an unknown name lists what there is", () => {
        const table = megamem(["estimate", "--preset", "llama-2-7b", "--explain", "attention"]);
        assert.match(table.stdout, /element × T × n \/ TP × d_q/);
        const json = megamem(["estimate", "--preset", "llama-2-7b", "--explain", "q", "--format", "json"]);
        const [explanation] = JSON.parse(json.stdout).explanations;
        assert.ok(explanation.substitution && explanation.source && explanation.bytes > 0);
        const wrong = megamem(["estimate", "--preset", "llama-2-7b", "--explain", "nothing"]);
        assert.equal(wrong.status, 2);
        assert.match(wrong.stderr, /attention/);
    });
    test("--explain names a cell of a rank; the module for other programs says the same", async () => {
        const engine = await loadModule();
        const json = ["--format", "json"];
        for (const [method, rank, cell] of [
            ["detailed", 1, "experts.weight"],
            ["detailed", 0, "peak_allocated"],
            ["detailed", 1, "in_flight"],
            ["calculator", 2, "MoEFC1/experts.parameters"],
            ["megatron-report", 0, "layers.activation"],
            ["megatron-report", 1, "attention.weight_and_optimizer"],
        ]) {
            const run = megamem(["estimate", file, "--method", method, "--explain", cell, "--rank", `${rank}`, ...json]);
            const { explanations } = JSON.parse(run.stdout);
            assert.equal(explanations.length, 1, cell);
            assert.equal(explanations[0].cell, cell);
            assert.ok(explanations[0].bytes > 0 && explanations[0].source);
            assert.deepEqual(JSON.parse(engine.explain(scenario, method, rank, cell)).explanations, explanations);
        }
        assert.deepEqual(JSON.parse(engine.explain(scenario, "detailed", 0, "nothing.weight")).explanations, []);
        assert.deepEqual(JSON.parse(engine.explain("{", "detailed", 0, "weight")).explanations, []);
        assert.deepEqual(JSON.parse(engine.explain(scenario, "no method", -1, "weight")).explanations, []);
        assertRefused(["estimate", file, "--explain", "attention.colour"], /no module, term or cell/);
        assertRefused(["estimate", file, "--explain", "weight", "--rank", "99"], /pipeline rank, 0 to 3/);
    });
    test("a file, standard input and a link give the same bytes", async () => {
        const engine = await loadModule();
        const link = engine.encodeLink(scenario, "");
        const json = ["--format", "json"];
        for (const run of [
            megamem(["estimate", ...calculator, file, ...json]),
            megamem(["estimate", ...calculator, "-", ...json], scenario),
            megamem(["estimate", ...calculator, "--link", link, ...json]),
            megamem(["estimate", ...calculator, `--link=${link}`, "--format=json"]),
            megamem(["estimate", ...calculator, "--link", `https://example.org/${link}`, ...json]),
        ]) {
            assert.equal(run.status, 0, run.stderr);
            assert.deepEqual(totals(run), issueTotals);
        }
    });
    test("--preset, and --set on top of it", () => {
        const plain = megamem(["estimate", "--preset", "llama-2-7b", "--format", "json"]);
        const set = ["--set", "tensor_model_parallel_size=8", "--set", "name=eight of them"];
        const split = megamem(["estimate", "--preset=llama-2-7b", ...set, "--format", "json"]);
        const weight = (run) => JSON.parse(run.stdout).ranks[0].totals.weight;
        assert.ok(weight(split) < weight(plain));
        const table = megamem(["estimate", "--preset", "llama-2-7b", "--set", "name=eight of them"]);
        assert.match(table.stdout, /^eight of them: /);
    });
    test("the last --set of a field counts", () => {
        const sets = ["--set", "micro_batch_size=2", "--set", "micro_batch_size=1"];
        assert.deepEqual(totals(megamem(["estimate", ...calculator, file, ...sets, "--format", "json"])), issueTotals);
    });
    test("a link with a bad value gives a warning and a result", () => {
        const link = "#v=1&m=deepseek-v3&tp=2&pp=none&z=1";
        const run = megamem(["estimate", ...calculator, "--link", link, "--format", "json"]);
        assert.notEqual(run.status, 2);
        assert.match(run.stderr, /^megamem: warning: /);
        assert.ok(JSON.parse(run.stdout).problems.some((problem) => problem.severity === "warning"));
    });
    test("a missing file, a folder, an empty file and one that is no JSON are told", () => {
        const empty = path.join(folder, "empty.json");
        writeFileSync(empty, "");
        assertRefused(["estimate", path.join(folder, "nothing.json")], /nothing\.json/);
        assertRefused(["estimate", folder], /folder/);
        assertRefused(["estimate", empty], /error/);
        assertRefused(["estimate", "-"], /line 2|JSON/i, '{\n"num_layers": x}');
        assertRefused(["estimate", "-"], /error/, "\xff\xfe\0");
        assertRefused(["estimate", "-"], /error/, "[".repeat(1 << 20));
        // More than any scenario has: refused, not swallowed.
        assertRefused(["estimate", "-"], /error/, `{"name": "${"x".repeat(1 << 25)}"}`);
    });
    test("an unknown key is a warning, not an end", () => {
        const input = JSON.stringify({ ...issueScenario, num_layer: 3 });
        const run = megamem(["estimate", ...calculator, "-", "--format", "json"], input);
        assert.equal(run.status, 0);
        assert.match(run.stderr, /warning.*num_layer/);
        assert.deepEqual(totals(run), issueTotals);
    });
});

describe("usage", () => {
    const cases = {
        "no input": [["estimate"], /one of: files/],
        "a file and a link": [["estimate", "a.json", "--link", "#v=1&m=deepseek-v3&z=1"], /one of/],
        "a preset and a link": [["estimate", "--preset", "deepseek-v3", "--link", "#v=1&z=1"], /one of/],
        "unknown command": [["estimat"], /unknown command/],
        "unknown option": [["estimate", "--presets", "x"], /unknown option/],
        "option without value": [["estimate", "--preset"], /needs a value/],
        "unknown preset": [["estimate", "--preset", "nothing"], /unknown preset.*deepseek-v3/],
        "unknown method": [["estimate", "--preset", "deepseek-v3", "--method", "guess"], /calculator/],
        "unknown format": [["estimate", "--preset", "deepseek-v3", "--format", "xml"], /table or json/],
        "a setting without =": [["estimate", "--preset", "deepseek-v3", "--set", "nodes"], /key=value/],
        "a setting of no field": [["estimate", "--preset", "deepseek-v3", "--set", "node=1"], /unknown field/],
        "a setting out of range": [["estimate", "--preset", "deepseek-v3", "--set", "nodes=0"], /nodes/],
        "an argument to a listing": [["fields", "all"], /no argument/],
    };
    for (const [name, [args, pattern]] of Object.entries(cases)) {
        test(`${name}: 2, and a reason`, () => assertRefused(args, pattern));
    }
    test("nothing at all: the usage, on standard error", () => {
        const run = megamem([]);
        assert.equal(run.status, 2);
        assert.match(run.stderr, /megamem estimate/);
        assert.equal(run.stdout, "");
    });
    test("--help: the usage, on standard output", () => {
        for (const word of ["--help", "-h", "help"]) {
            const run = megamem([word]);
            assert.equal(run.status, 0);
            assert.match(run.stdout, /Exit status/);
        }
    });
});

describe("listings", () => {
    test("presets names models and GPUs", () => {
        const run = megamem(["presets"]);
        assert.equal(run.status, 0);
        for (const name of [/^deepseek-v3 /m, /^llama-3\.1-405b /m, /^H100-80 /m]) assert.match(run.stdout, name);
    });
    test("fields names every field with its flag and range", () => {
        const run = megamem(["fields"]);
        assert.equal(run.status, 0);
        assert.match(run.stdout, /^tensor_model_parallel_size \(tp\) {2}--tensor-model-parallel-size$/m);
        for (const { key } of JSON.parse(megamem(["fields", "--format", "json"]).stdout)) {
            assert.ok(run.stdout.includes(`${key} (`), key);
        }
    });
});

// The command line as WebAssembly on Node is the native one: the same bytes and the same exit status.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, test } from "node:test";

import { issueScenario, megamem, megamemWasm, wasmCliPath } from "./support.mjs";

const scenario = JSON.stringify(issueScenario);
let folder;
let file;
let script;
before(() => {
    folder = mkdtempSync(path.join(tmpdir(), "megamem-cli-"));
    file = path.join(folder, "scénario.json");
    script = path.join(folder, "train.sh");
    writeFileSync(file, scenario);
    writeFileSync(script, "torchrun --nproc_per_node 8 pretrain_gpt.py --num-layers 32 --hidden-size $SIZE --foo 3\n");
});
after(() => rmSync(folder, { recursive: true }));

const preset = ["--preset", "deepseek-v3"];
const formats = ["megatron", "yaml", "bridge", "swift", "scenario", "json", "csv", "markdown", "svg"];

describe("the same as the native command line", () => {
    const cases = {
        "a table": () => ["estimate", file],
        "JSON": () => ["estimate", file, "--format", "json"],
        "another method": () => ["estimate", file, "--method", "megatron-report"],
        "--explain": () => ["estimate", ...preset, "--explain", "experts.weight", "--explain", "peak_allocated", "--rank", "3"],
        "a link, and what it doesn't fit": () => ["estimate", "--link", "#v=1&m=llama-3.1-405b&gpu=A100-40&pp=x&z=1"],
        "standard input": () => ["estimate", "-", "--format", "json"],
        "text of several bytes a letter": () => ["estimate", "-", "--set", "name=显存 é 🙂"],
        "import": () => ["import", script, file],
        "import as a link": () => ["import", script, "--base", "llama-2-7b", "--format", "link"],
        ...Object.fromEntries(formats.map((to) => [`export to ${to}`, () => ["export", ...preset, "--to", to]])),
        "presets": () => ["presets"],
        "fields": () => ["fields", "--format", "json"],
        "measured runs": () => ["accuracy", "tests/data/measured_runs.json"],
        "version": () => ["--version"],
        "help": () => ["--help"],
        "no argument": () => [],
        "an unknown option": () => ["estimate", "--presets", "x"],
        "a bad setting": () => ["estimate", ...preset, "--set", "nodes=0"],
        "a missing file": () => ["estimate", path.join(folder, "nothing.json")],
        "a folder": () => ["estimate", folder],
        "what can't be written": () => ["accuracy", "tests/data/measured_runs.json", "--json", path.join(folder, "no", "x")],
    };
    for (const [name, args] of Object.entries(cases)) {
        test(name, () => assert.deepEqual(megamemWasm(args(), scenario), megamem(args(), scenario)));
    }
    test("bytes that are no text", () => {
        const bytes = Buffer.from([0xff, 0xfe, 0, 0x0a, 0x80]);
        assert.deepEqual(megamemWasm(["import", "-"], bytes), megamem(["import", "-"], bytes));
    });
    test("more than any scenario has is refused, not swallowed", () => {
        const much = `{"name": "${"x".repeat(1 << 25)}"}`;
        const run = megamemWasm(["estimate", "-"], much);
        assert.equal(run.status, 2);
        assert.deepEqual(run, megamem(["estimate", "-"], much));
    });
    test("files that it writes", () => {
        const written = (run, name) => {
            const out = path.join(folder, name);
            assert.equal(run(["accuracy", "tests/data/measured_runs.json", "--json", out]).status, 0);
            return readFileSync(out, "utf8");
        };
        assert.equal(written(megamemWasm, "wasm.json"), written(megamem, "native.json"));
    });
});

describe("pipes", () => {
    // More than a pipe holds, read slowly: nothing may be lost at the end.
    test("a slow reader gets everything", async () => {
        const args = ["fields", "--format", "json"];
        const child = spawn(process.execPath, [wasmCliPath, ...args], { stdio: ["ignore", "pipe", "inherit"] });
        const exit = new Promise((resolve) => child.on("exit", resolve));
        let text = "";
        child.stdout.setEncoding("utf8");
        for await (const piece of child.stdout) {
            text += piece;
            await new Promise((resolve) => setTimeout(resolve, 5));
        }
        assert.equal(await exit, 0);
        assert.ok(text.length > 1 << 16);
        assert.equal(text, megamem(args).stdout);
    });
    test("a reader that goes away ends nothing badly", async () => {
        const child = spawn(process.execPath, [wasmCliPath, "fields", "--format", "json"], { stdio: ["ignore", "pipe", "pipe"] });
        child.stdout.destroy();
        let complaint = "";
        for await (const piece of child.stderr) complaint += piece;
        assert.equal(complaint, "");
    });
});

test("as a module: runCli gives the exit status and leaves the process alone", async () => {
    const { runCli } = createRequire(import.meta.url)(wasmCliPath);
    const before = process.exitCode;
    assert.equal(await runCli(["estimate", "--preset", "nothing"]), 2);
    assert.equal(process.exitCode, before);
});

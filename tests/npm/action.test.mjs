// action.yml, its steps run as GitHub's runner runs them.
import assert from "node:assert/strict";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { parse } from "yaml";

import { issueScenario } from "../node/support.mjs";
import { root, run } from "./support.mjs";

const action = parse(readFileSync(path.join(root, "action.yml"), "utf8"));
let folder;
before(() => {
    folder = mkdtempSync(path.join(tmpdir(), "megamem-action-"));
    writeFileSync(path.join(folder, "a run.json"), JSON.stringify(issueScenario));
    writeFileSync(path.join(folder, "broken.json"), "{");
});
after(() => rmSync(folder, { recursive: true }));

/** Runs all steps with these inputs, as a workflow gives them. */
function act(inputs, { place = root, PATH = process.env.PATH } = {}) {
    for (const [name, { required }] of Object.entries(action.inputs)) {
        assert.ok(!required || name in inputs, `${name} is required`);
    }
    for (const name of Object.keys(inputs)) assert.ok(name in action.inputs, name);
    const valueOf = (name) => inputs[name] ?? action.inputs[name].default ?? "";
    const fill = (text) => text.replace(/\$\{\{\s*inputs\.(\w+)\s*\}\}/g, (_, name) => valueOf(name));
    const summary = path.join(folder, "summary.md");
    writeFileSync(summary, "");
    let log = "";
    for (const step of action.runs.steps) {
        assert.equal(step.shell, "bash");
        // A runner puts an expression's value into the script itself, where a hostile one would be run.
        assert.doesNotMatch(step.run, /\$\{\{/);
        const env = { PATH, HOME: folder, GITHUB_STEP_SUMMARY: summary, GITHUB_ACTION_PATH: place };
        for (const [name, text] of Object.entries(step.env)) env[name] = fill(text);
        const script = path.join(folder, "step.sh");
        writeFileSync(script, step.run);
        const done = run("bash", ["--noprofile", "--norc", "-eo", "pipefail", script], { cwd: folder, env });
        log += done.stdout + done.stderr;
        if (done.status !== 0) return { status: done.status, log, summary: readFileSync(summary, "utf8") };
    }
    return { status: 0, log, summary: readFileSync(summary, "utf8") };
}

test("is a composite action whose inputs say what they are for", () => {
    assert.equal(action.runs.using, "composite");
    assert.deepEqual(Object.keys(action.inputs), ["files", "gpu", "margin", "method", "extra", "package"]);
    for (const [name, { description }] of Object.entries(action.inputs)) assert.ok(description.length > 20, name);
});

test("a run that fits passes, with its table in the job summary", () => {
    const { status, log, summary } = act({ files: "a run.json", gpu: "b200", margin: "none" });
    assert.equal(status, 0, log);
    assert.match(log, /^megamem: fits$/m);
    assert.match(summary, /\|/);
    assert.match(summary, /fits/);
});

test("a run that doesn't fit fails the job with 1", () => {
    const { status, log, summary } = act({ files: "a run.json\n", gpu: "10GiB", margin: "none", method: "calculator" });
    assert.equal(status, 1, log);
    assert.match(log, /^::error title=megamem::The run does not fit/m);
    assert.match(summary, /\|/);
});

test("bad input fails it with 2, and the log says why", () => {
    const { status, log } = act({ files: "broken.json" });
    assert.equal(status, 2);
    assert.match(log, /^megamem: error: /m);
    assert.match(log, /^::error title=megamem::The input cannot be read/m);
});

test("arguments stay arguments, whatever is in them", () => {
    const extra = "--set=name=$(touch taken) `touch taken`; touch taken\n--set=gpus_per_node=8";
    const { status, log } = act({ files: "a run.json", gpu: "b200", margin: "none", extra });
    assert.equal(status, 0, log);
    assert.throws(() => readFileSync(path.join(folder, "taken")), { code: "ENOENT" });
});

test("without a built package beside it npx gets the published one", () => {
    const bin = path.join(folder, "bin");
    mkdirSync(bin);
    writeFileSync(path.join(bin, "npx"), '#!/bin/sh\nprintf "%s\\n" "$@"\nexit 3\n');
    chmodSync(path.join(bin, "npx"), 0o755);
    const { status, log, summary } = act({ files: "a run.json" }, { place: folder, PATH: `${bin}:${process.env.PATH}` });
    assert.equal(status, 3);
    assert.match(log, /cannot be said/);
    const wanted = ["--yes", "--package=megamem", "megamem", "check", "--format", "markdown", "--margin=auto", "a run.json"];
    assert.deepEqual(summary.trim().split("\n"), wanted);
});

// The package's command line, compiled to WebAssembly, against the native one: the same bytes and exit status.
import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { after, before, describe, test } from "node:test";

import { cliPath, issueScenario } from "../node/support.mjs";
import { Project, root, run } from "./support.mjs";

let project;
before(() => {
    project = new Project();
    project.write("scenario.json", JSON.stringify(issueScenario));
    project.write("broken.json", '{"num_layers": 5');
});
after(() => project.remove());

const options = (input) => ({ cwd: project.folder, input });
const ours = (args, input) => run("npx", ["--offline", "megamem", ...args], options(input));
// One start of npx is enough: it takes a second each time.
const program = (args, input) => project.node([path.join(project.package, "bin/megamem.mjs"), ...args], options(input));

test("npx finds it", () => {
    const { version } = JSON.parse(project.read("node_modules/megamem/package.json"));
    assert.deepEqual(ours(["--version"]), { status: 0, stdout: `megamem ${version}\n`, stderr: "" });
});

const scripts = path.join(root, "tests/data/scripts");
const commands = [
    [],
    ["--help"],
    ["nonsense"],
    ["presets"],
    ["fields", "--format", "json"],
    ["estimate", "scenario.json"],
    ["estimate", "scenario.json", "--format", "json", "--method", "calculator"],
    ["estimate", "scenario.json", "--set", "gpu=A100-40"],
    ["estimate", "scenario.json", "--explain", "experts.weight", "--rank", "1"],
    ["estimate", "--preset", "deepseek-v3", "--set", "name=名"],
    ["estimate", "--link", "#v=1&m=llama-3.1-70b&tp=8&z=1"],
    ["estimate", "broken.json"],
    ["estimate", "not there.json"],
    ["estimate", "-"],
    ["import", "-"],
    ["import", ...readdirSync(scripts).sort().slice(0, 3).map((name) => path.join(scripts, name))],
    ["export", "scenario.json", "--to", "megatron"],
    ["export", "scenario.json", "--to", "svg"],
    ["export", "scenario.json", "--to", "pdf"],
    ["check", "scenario.json"],
    ["check", "scenario.json", "--gpu", "a100-40", "--margin", "10%"],
    ["check", "scenario.json", "--format", "json"],
    ["check", "--preset", "deepseek-v3", "--format", "markdown"],
    ["check", "broken.json"],
    ["check", "scenario.json", "--gpu", "abacus"],
];

describe("says what the native command line says", { skip: !existsSync(cliPath) && `${cliPath} is not built` }, () => {
    const input = "torchrun pretrain_gpt.py --num-layers 4 --hidden-size 1024 --num-attention-heads 16 --typo 1";
    for (const args of commands) {
        test(args.map((arg) => path.basename(arg)).join(" ") || "nothing", () => {
            const native = run(cliPath, args, options(input));
            assert.ok(native.stdout + native.stderr, "no output at all");
            assert.deepEqual(program(args, input), native);
        });
    }
});

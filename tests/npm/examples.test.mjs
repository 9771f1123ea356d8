// Every example in the package's README.md and SKILL.md runs.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { after, before, describe, test } from "node:test";

import { packed, Project, run } from "./support.mjs";

const script = "torchrun --nproc_per_node 8 pretrain_gpt.py --tensor-model-parallel-size 8 --seq-length 4096 --micro-batch-size 1\n";
const config = { model_type: "llama", num_hidden_layers: 4, hidden_size: 1024, num_attention_heads: 16,
    intermediate_size: 4096, vocab_size: 32000 };

let project;
before(() => {
    project = new Project();
    project.write("train.sh", script);
    project.write("config.json", JSON.stringify(config));
});
after(() => project.remove());

function examples(file) {
    const text = readFileSync(path.join(packed, file), "utf8");
    const found = [...text.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(([, kind, code]) => ({ kind, code }));
    assert.ok(found.length > 0, `${file} has no examples`);
    return found;
}

// A gate says no by its status; what must not be is bad input or a breakdown.
const fine = (line) => (/megamem (check|estimate)/.test(line) ? [0, 1] : [0]);

for (const file of ["README.md", "SKILL.md"]) {
    describe(file, () => {
        for (const { kind, code } of examples(file)) {
            if (kind === "js") {
                test(code.split("\n")[0], () => {
                    const name = code.includes("require(") ? "example.cjs" : "example.mjs";
                    const { status, stdout, stderr } = project.node([project.write(name, code)]);
                    assert.equal(status, 0, stderr);
                    assert.notEqual(stdout, "");
                    assert.doesNotMatch(stdout, /undefined|NaN/);
                });
            } else if (kind === "sh") {
                for (const line of code.trim().split("\n")) {
                    test(line, () => {
                        const offline = line.replace(/^npx /, "npx --offline ");
                        const { status, stdout, stderr } = run("bash", ["-c", offline], { cwd: project.folder });
                        assert.ok(fine(line).includes(status), `${status}: ${stderr}`);
                        assert.ok(stdout !== "" || line.includes(">"), stderr);
                    });
                }
            } else {
                test(`${kind}: ${code.split("\n")[0]}`, () => {
                    const { command, args } = JSON.parse(code).mcpServers.megamem;
                    assert.deepEqual([command, ...args], ["npx", "megamem", "mcp"]);
                });
            }
        }
    });
}

test("SKILL.md begins with its name and a description", () => {
    const [, head] = readFileSync(path.join(packed, "SKILL.md"), "utf8").match(/^---\n(.*?)\n---\n/s);
    assert.match(head, /^name: megamem\ndescription: .{80,1024}$/);
});

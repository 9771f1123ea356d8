// `megamem mcp`, spoken to by the client of the protocol's official SDK.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import assert from "node:assert/strict";
import path from "node:path";
import { after, before, test } from "node:test";

import { issueScenario, issueTotals } from "../node/support.mjs";
import { Project } from "./support.mjs";

let project;
let client;
const program = () => path.join(project.package, "bin/megamem.mjs");

before(async () => {
    project = new Project();
    project.link("@modelcontextprotocol/sdk");
    project.link("zod");
    client = new Client({ name: "test", version: "1.0.0" });
    await client.connect(new StdioClientTransport({ command: process.execPath, args: [program(), "mcp"] }));
});
after(async () => {
    await client?.close();
    project.remove();
});

const call = (name, input) => client.callTool({ name, arguments: input });
const textOf = ({ content }) => content.map(({ text }) => text).join("\n");

async function assertRefused(name, input, sentence) {
    const result = await call(name, input);
    assert.equal(result.isError, true, `${name} takes ${JSON.stringify(input)}`);
    assert.match(textOf(result), sentence);
}

test("lists its four tools, with schemas and descriptions", async () => {
    const { tools } = await client.listTools();
    assert.deepEqual(tools.map(({ name }) => name).sort(), ["estimate", "explain", "import", "link"]);
    for (const { name, description, inputSchema } of tools) {
        assert.ok(description.length > 20, name);
        assert.equal(inputSchema.type, "object", name);
    }
    const { inputSchema } = tools.find(({ name }) => name === "explain");
    assert.deepEqual(inputSchema.required, ["name"]);
});

test("estimate says what every rank needs", async () => {
    const { structuredContent, content } = await call("estimate", { scenario: issueScenario, method: "calculator" });
    assert.deepEqual(structuredContent.ranks.map(({ totals }) => totals.total), issueTotals);
    assert.equal(structuredContent.worst_rank, 1);
    // 45846052864 / 2^30 = 42.697...
    assert.match(content[0].text, /^Fits on .*\n(.*\n)*Pipeline rank 1: 42\.70 GiB, the worst$/m);
    const { structuredContent: again } = await call("estimate", { link: structuredContent.link, method: "calculator" });
    assert.deepEqual(again.ranks, structuredContent.ranks);
});

test("estimate starts from a preset, with a script and with single fields on top", async () => {
    const splits = async (input) => (await call("link", input)).structuredContent.scenario.tensor_model_parallel_size;
    assert.equal(await splits({ preset: "llama-2-7b", text: "tp 2" }), 2);
    assert.equal(await splits({ preset: "llama-2-7b", text: "tp 2", set: { tensor_model_parallel_size: 4 } }), 4);
});

test("import says what became of a script", async () => {
    const result = await call("import", { texts: ["pretrain_gpt.py --num-layers 4 --typo-here 1", "tp 2"] });
    assert.equal(result.structuredContent.scenario.num_layers, 4);
    assert.equal(result.structuredContent.scenario.tensor_model_parallel_size, 2);
    assert.match(textOf(result), /^num_layers = 4 \(--num-layers 4\)$/m);
    assert.match(textOf(result), /^unknown: --typo-here/m);
    assert.match(textOf(result), /^missing: hidden_size$/m);
});

test("explain gives formula and source", async () => {
    const { structuredContent } = await call("explain", { scenario: issueScenario, name: "experts.weight", rank: 0 });
    const [explanation] = structuredContent.explanations;
    assert.equal(explanation.cell, "experts.weight");
    assert.ok(explanation.symbols && explanation.source && explanation.bytes > 0);
});

test("link goes both ways", async () => {
    const { structuredContent, content } = await call("link", { preset: "deepseek-v3" });
    assert.equal(content[0].text, "#v=1&m=deepseek-v3&z=1");
    const { structuredContent: back } = await call("link", { link: content[0].text });
    assert.deepEqual(back.scenario, structuredContent.scenario);
});

test("bad input is an error with a sentence, and the server goes on", async () => {
    await assertRefused("estimate", {}, /^Give one of scenario, link, preset or text/);
    await assertRefused("estimate", { scenario: {}, link: "#v=1" }, /^Give one of/);
    await assertRefused("estimate", { preset: "gpt-9" }, /^Unknown preset "gpt-9"; known are .*deepseek-v3/);
    await assertRefused("estimate", { scenario: { ...issueScenario, num_layers: -1 } }, /num_layers|[Ll]ayers/);
    await assertRefused("estimate", { scenario: issueScenario, method: "guess" }, /method/);
    await assertRefused("estimate", { scenario: "many layers" }, /scenario/);
    await assertRefused("import", { texts: ["nothing that anybody knows"] }, /\w/);
    await assertRefused("import", { texts: [] }, /texts/);
    await assertRefused("explain", { scenario: issueScenario, name: "no.cell", rank: 99 }, /^There is no "no\.cell" on rank 99/);
    await assertRefused("link", { scenario: { num_layers: "many" } }, /num_layers|[Ll]ayers/);
    assert.equal((await call("link", { preset: "deepseek-v3" })).isError, undefined);
});

test("without the SDK it says what is missing", () => {
    const bare = new Project();
    try {
        const run = bare.node([path.join(bare.package, "bin/megamem.mjs"), "mcp"], { input: "" });
        assert.equal(run.status, 2);
        assert.equal(run.stdout, "");
        assert.match(run.stderr, /^megamem: mcp needs the packages @modelcontextprotocol\/sdk and zod; .*\n$/);
        const extra = bare.node([path.join(bare.package, "bin/megamem.mjs"), "mcp", "now"], { input: "" });
        assert.deepEqual([extra.status, extra.stderr], [2, "megamem: mcp takes no arguments\n"]);
    } finally {
        bare.remove();
    }
});

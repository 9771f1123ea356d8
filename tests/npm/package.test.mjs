// The package's functions, in both kinds of module and in a worker, and its types.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { pathToFileURL } from "node:url";

import { issueScenario, issueTotals, loadModule } from "../node/support.mjs";
import { Project, root, run } from "./support.mjs";

let project;
let resolve;
let megamem;
before(async () => {
    project = new Project();
    resolve = createRequire(path.join(project.folder, "here.js")).resolve;
    const { load } = await import(pathToFileURL(path.join(project.package, "node/index.mjs")));
    megamem = await load();
});
after(() => project.remove());

const totals = (report) => report.ranks.map((rank) => rank.totals.total);

describe("functions", () => {
    test("estimate gives what the module of the project gives", async () => {
        const engine = await loadModule();
        const text = JSON.stringify(issueScenario);
        assert.deepEqual(totals(megamem.estimate(issueScenario, { method: "calculator" })), issueTotals);
        for (const method of megamem.methods()) {
            assert.deepEqual(megamem.estimate(issueScenario, { method }), JSON.parse(engine.evaluate(text, method)));
        }
        assert.equal(megamem.estimate(issueScenario).method, "detailed");
    });

    test("what is wrong with a scenario is data", () => {
        const report = megamem.estimate({ ...issueScenario, num_layers: -1 });
        assert.equal(report.valid, false);
        assert.equal(report.problems[0].path, "num_layers");
        assert.equal(megamem.encodeLink({ num_layers: -1 }), "");
        assert.deepEqual(megamem.explain({}, "weight"), []);
        assert.equal(megamem.exportText({ num_layers: -1 }, "yaml").problems[0].path, "num_layers");
    });

    test("explain takes the worst rank unless one is named", () => {
        const { worst_rank: rank } = megamem.estimate(issueScenario);
        const [worst] = megamem.explain(issueScenario, "peak_allocated");
        assert.deepEqual(megamem.explain(issueScenario, "peak_allocated", { rank }), [worst]);
        assert.notEqual(megamem.explain(issueScenario, "peak_allocated", { rank: 0 })[0].bytes, worst.bytes);
        assert.deepEqual(megamem.explain(issueScenario, "no such cell"), []);
    });

    test("importText puts texts on each other and on a base", () => {
        const script = "pretrain_gpt.py --num-layers 4 --hidden-size 1024 --typo-here 1";
        const imported = megamem.importText([script, "tp 2"], { base: { name: "a base", vocab_size: 1000 } });
        assert.equal(imported.imports.length, 2);
        const { name, vocab_size, num_layers, tensor_model_parallel_size } = imported.scenario;
        assert.deepEqual([name, vocab_size, num_layers, tensor_model_parallel_size], ["a base", 1000, 4, 2]);
        assert.ok(imported.missing.includes("seq_length"));
        assert.ok(!imported.missing.includes("num_layers"));
        assert.match(imported.imports[0].unknown[0].source, /--typo-here/);
        assert.ok(megamem.importText("").problems.some(({ severity }) => severity === "error"));
    });

    test("each format that is a scenario imports as the same scenario", () => {
        for (const { name } of megamem.formats()) {
            const { text, problems } = megamem.exportText(issueScenario, name, { method: "calculator" });
            assert.ok(text.length > 0, name);
            assert.deepEqual(problems, [], name);
            if (!["megatron", "yaml", "scenario"].includes(name)) continue;
            const { scenario } = megamem.importText(text);
            assert.deepEqual(totals(megamem.estimate(scenario, { method: "calculator" })), issueTotals, name);
        }
    });

    test("links lose nothing", () => {
        for (const { id, scenario } of megamem.presets().models) {
            assert.equal(megamem.encodeLink(scenario, { preset: id }), `#v=1&m=${id}&z=1`);
            assert.deepEqual(megamem.decodeLink(megamem.encodeLink(scenario)).scenario, scenario);
        }
    });

    test("links carry the method and the view", () => {
        const view = { rank: 1, cell: "attention.weight", language: "zh" };
        const read = megamem.decodeLink(megamem.encodeLink(issueScenario, { method: "calculator", view }));
        assert.deepEqual(read.view, view);
        assert.equal(read.method, "calculator");
        assert.deepEqual(megamem.decodeLink(megamem.encodeLink(issueScenario)).view, {});
        assert.deepEqual(megamem.decodeLink("#v=1&m=deepseek-v3&a.m=llama-2-7b&z=1").compared.preset, "llama-2-7b");
    });

    test("a wrong call throws a TypeError that says what is wanted", () => {
        const wrong = [
            [() => megamem.estimate(), "the scenario is an object, not a value of type undefined"],
            [() => megamem.estimate("{}"), "the scenario is an object, not a value of type string"],
            [() => megamem.estimate([]), "the scenario is an object, not an array"],
            [() => megamem.encodeLink(null), "the scenario is an object, not null"],
            [() => megamem.estimate({}, { method: "guess" }), `the method is one of ${megamem.methods().join(", ")}`],
            [() => megamem.exportText({}, "pdf"), /the format is one of megatron, yaml/],
            [() => megamem.encodeLink({}, { preset: "none" }), /the preset is one of /],
            [() => megamem.encodeLink({}, { view: "text" }), "the view is an object, not a value of type string"],
            [() => megamem.explain({}, 7), "the name is a text, not a value of type number"],
            [() => megamem.explain({}, "weight", { rank: -1 }), "the rank is a whole number from 0"],
            [() => megamem.importText(["", 7]), "what is imported is a text, not a value of type number"],
            [() => megamem.decodeLink(), "the link is a text, not a value of type undefined"],
        ];
        for (const [call, message] of wrong) {
            const expected = typeof message === "string" ? `megamem: ${message}` : message;
            assert.throws(call, { name: "TypeError", message: expected });
        }
    });
});

describe("ways in", () => {
    const estimate = `load().then((megamem) => {
        const report = megamem.estimate(${JSON.stringify(issueScenario)}, { method: "calculator" });
        console.log(JSON.stringify(report.ranks.map((rank) => rank.totals.total)));
    });`;

    test("import and require", () => {
        project.write("way.mjs", `import { load } from "megamem";\n${estimate}`);
        project.write("way.cjs", `const { load } = require("megamem");\n${estimate}`);
        for (const script of ["way.mjs", "way.cjs"]) {
            const { stdout, stderr } = project.node([script]);
            assert.deepEqual(JSON.parse(stdout || "null"), issueTotals, stderr);
        }
    });

    test("the binary has an address of its own, and a program may bring its bytes or its place", async () => {
        const file = resolve("megamem/megamem.wasm");
        const { load } = await import(pathToFileURL(path.join(project.package, "node/index.mjs")));
        const wasmBinary = readFileSync(file);
        assert.equal((await load({ wasmBinary })).version, megamem.version);
        assert.equal((await load({ locateFile: () => file })).version, megamem.version);
        await assert.rejects(load({ locateFile: (name) => path.join(project.folder, name) }), { code: "ENOENT" });
    });

    test("what browsers get loads without Node", async () => {
        const { load } = await import(pathToFileURL(path.join(project.package, "web/index.mjs")));
        const wasmBinary = readFileSync(resolve("megamem/megamem.wasm"));
        assert.deepEqual(totals((await load({ wasmBinary })).estimate(issueScenario, { method: "calculator" })), issueTotals);
        for (const file of ["web/index.mjs", "web/worker.mjs", "web/worker-script.mjs", "common/api.mjs"]) {
            assert.doesNotMatch(readFileSync(path.join(project.package, file), "utf8"), /node:|require\(/);
        }
    });

    test("the worker answers as the module does", async () => {
        const { createWorker } = await import(pathToFileURL(path.join(project.package, "node/worker.mjs")));
        const worker = await createWorker();
        try {
            assert.equal(worker.version, megamem.version);
            const [report, fields] = await Promise.all([worker.estimate(issueScenario), worker.fields()]);
            assert.deepEqual(report, megamem.estimate(issueScenario));
            assert.deepEqual(fields, megamem.fields());
            await assert.rejects(worker.estimate(7), { name: "TypeError" });
        } finally {
            await worker.terminate();
        }
        await assert.rejects(worker.fields(), /terminated/);
        await assert.rejects(createWorker({ wasmBinary: new Uint8Array(8) }));
    });
});

describe("types", () => {
    const options = ["--noEmit", "--strict", "--target", "es2022", "--lib", "es2022", "--module", "node16"];
    const compile = (file) =>
        run(process.execPath, [path.join(root, "node_modules/typescript/bin/tsc"), ...options, file], { cwd: project.folder });
    const consumer = `
        async function main(): Promise<number> {
            const megamem: Megamem = await load();
            const scenario: Scenario = { num_layers: 4, normalization: "RMSNorm", recompute_modules: ["moe"] };
            const report = megamem.estimate(scenario, { method: "calculator" });
            const link: string = megamem.encodeLink(scenario, { preset: "deepseek-v3" });
            const { text } = megamem.exportText(megamem.decodeLink(link).scenario, "megatron");
            const [first] = megamem.explain(scenario, "total", { rank: 0 });
            const worker = await createWorker();
            const again = (await worker.importText([text])).scenario.hidden_size;
            return (report.worst_rank ?? 0) + (first?.bytes ?? 0) + (again ?? 0);
        }
        main();`;
    const imports = {
        mts: 'import { load, type Megamem, type Scenario } from "megamem";\nimport { createWorker } from "megamem/worker";',
        cts: 'import megamemModule = require("megamem");\nimport workerModule = require("megamem/worker");\n' +
            "type Megamem = megamemModule.Megamem;\ntype Scenario = megamemModule.Scenario;\n" +
            "const { load } = megamemModule;\nconst { createWorker } = workerModule;",
    };

    for (const [kind, head] of Object.entries(imports)) {
        test(`hold a program in .${kind}`, () => {
            const { status, stdout } = compile(project.write(`good.${kind}`, `${head}\n${consumer}\n`));
            assert.equal(status, 0, stdout);
        });
        test(`refuse wrong calls in .${kind}`, () => {
            const wrong = ["megamem.estimate(7)", 'megamem.exportText({}, "pdf")', "megamem.estimate({ num_layer: 4 })",
                'megamem.estimate({ normalization: "none" })', 'megamem.estimate({}, { method: "guess" })'];
            const calls = wrong.map((call) => `load().then((megamem) => ${call});`).join("\n");
            const text = `${head}\n${calls}\nexport type { Megamem, Scenario };\nvoid createWorker;\n`;
            const { stdout } = compile(project.write(`bad.${kind}`, kind === "mts" ? text : text.replace(/^export.*$/m, "")));
            const lines = new Set([...stdout.matchAll(/\((\d+),\d+\): error/g)].map((found) => Number(found[1])));
            const first = head.split("\n").length + 1;
            assert.deepEqual([...lines], wrong.map((_, i) => first + i), stdout);
        });
    }
});

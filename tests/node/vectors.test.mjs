// The numbers: WebAssembly against the stored vectors, and native against WebAssembly.
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";

import { differences, issueScenario, issueTotals, loadModule, megamem, readVectors } from "./support.mjs";

let engine;
before(async () => {
    engine = await loadModule();
});

const methods = ["detailed", "calculator", "megatron-report"];

function evaluate(scenario, method = "calculator") {
    return engine.evaluate(JSON.stringify(scenario), method);
}

// Both are written by the same code, so not even the order of the keys may differ.
function assertNativeAgrees(scenario, method) {
    const text = evaluate(scenario, method);
    const native = megamem(["estimate", "-", "--method", method, "--format", "json"], JSON.stringify(scenario));
    const report = JSON.parse(native.stdout);
    assert.deepEqual(report, JSON.parse(text));
    assert.equal(JSON.stringify(report), JSON.stringify(JSON.parse(text)));
    assert.equal(native.status, report.valid ? (report.gpu.fits ? 0 : 1) : 2, "exit status");
}

test("the issue's scenario, to the byte", () => {
    const report = JSON.parse(evaluate(issueScenario));
    assert.deepEqual(
        report.ranks.map((rank) => rank.totals.total),
        issueTotals,
    );
    assert.equal(report.worst_rank, 1);
    assert.deepEqual(report.problems, []);
});

describe("vectors", () => {
    let vectors = [];
    try {
        vectors = readVectors();
    } catch (error) {
        // A missing file must not look like a suite without failures.
        test("tests/data/calculator_vectors.json can be read", () => assert.fail(error.message));
    }
    test("have names of their own", () => {
        assert.equal(new Set(vectors.map((vector) => vector.name)).size, vectors.length);
    });
    for (const { name, scenario, expected } of vectors) {
        test(`${name}: the stored numbers`, () => {
            const report = JSON.parse(evaluate(scenario));
            assert.ok(Object.keys(expected).length > 0, "the vector expects nothing");
            assert.deepEqual(differences(expected, report), []);
        });
        test(`${name}: native and WebAssembly agree`, () => {
            for (const method of methods) assertNativeAgrees(scenario, method);
        });
    }
});

test("presets: native and WebAssembly agree", () => {
    const { models } = JSON.parse(engine.presets());
    assert.ok(models.length > 0);
    for (const { scenario } of models) {
        for (const method of methods) assertNativeAgrees(scenario, method);
    }
});

test("each rank's totals are the sums of its tables", () => {
    const kinds = ["weight", "fp8_cache", "grad", "master", "optimizer"];
    const sum = (rows, key) => rows.reduce((total, row) => total + row[key], 0);
    const scenarios = JSON.parse(engine.presets()).models.map((model) => model.scenario);
    for (const scenario of [issueScenario, ...scenarios]) {
        for (const rank of JSON.parse(evaluate(scenario)).ranks) {
            for (const kind of kinds) assert.equal(sum(rank.modules, kind), rank.totals[kind], kind);
            assert.equal(sum(rank.activations, "bytes"), rank.totals.activation);
            const { total, ...parts } = rank.totals;
            assert.equal(
                Object.values(parts).reduce((all, bytes) => all + bytes, 0),
                total,
            );
        }
    }
});

// The module's functions: what they give, and that nothing which is put into them breaks the instance.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { before, describe, test } from "node:test";

import { issueScenario, issueTotals, loadModule, megamem, modulePath } from "./support.mjs";

let engine;
before(async () => {
    engine = await loadModule();
});

const evaluate = (scenario) => JSON.parse(engine.evaluate(JSON.stringify(scenario), "calculator"));

describe("listings", () => {
    test("the version is that of the command line", () => {
        assert.match(engine.version(), /^\d+\.\d+\.\d+$/);
        assert.equal(megamem(["--version"]).stdout, `megamem ${engine.version()}\n`);
    });

    test("fields are well formed, and their keys are unique", () => {
        const fields = JSON.parse(engine.fields());
        const types = ["integer", "boolean", "decimal", "choice", "list of words", "text", "layer pattern", "layout"];
        for (const field of fields) {
            const { key } = field;
            assert.match(key, /^[a-z][a-z0-9_]*$/);
            assert.match(field.link_key, /^[a-z][a-z0-9]*$/, key);
            // What turns a field off has a name of its own.
            assert.ok(field.negated || field.flag === "" || field.flag === `--${key.replaceAll("_", "-")}`, field.flag);
            assert.ok(types.includes(field.type), `${key}: ${field.type}`);
            for (const part of ["group", "label", "help", "range"]) assert.ok(field[part], `${key}: ${part}`);
            if (field.type === "integer") assert.ok(field.min <= field.max, key);
            if (["choice", "list of words"].includes(field.type)) assert.ok(field.choices.length > 1, key);
        }
        for (const name of ["key", "link_key", "flag"]) {
            const all = fields.map((field) => field[name]).filter((text) => text !== "");
            assert.equal(new Set(all).size, all.length, name);
        }
        // The link's own keys belong to no field.
        for (const reserved of ["v", "m", "mt", "z"]) assert.ok(!fields.some((f) => f.link_key === reserved));
        for (const key of Object.keys(issueScenario)) assert.ok(fields.some((field) => field.key === key), key);
    });

    test("every preset has a result without errors, and GPUs have memory", () => {
        const { models, gpus } = JSON.parse(engine.presets());
        for (const { id, title, source, scenario } of models) {
            assert.match(id, /^[a-z0-9.-]+$/);
            assert.ok(title && source, id);
            const report = evaluate(scenario);
            assert.equal(report.valid, true, id);
            assert.deepEqual(report.problems.filter((problem) => problem.severity === "error"), [], id);
        }
        assert.equal(new Set(models.map((model) => model.id)).size, models.length);
        for (const gpu of gpus) assert.ok(gpu.usable_bytes > 2 ** 30 && gpu.source, gpu.id);
    });

    test("are those of the command line", () => {
        for (const what of ["fields", "presets"]) {
            const native = megamem([what, "--format", "json"]);
            assert.deepEqual(JSON.parse(native.stdout), JSON.parse(engine[what]()), what);
        }
    });
});

describe("links", () => {
    const check = (scenario, preset) => {
        const link = engine.encodeLink(JSON.stringify(scenario), preset);
        assert.match(link, /^#v=1(&[a-z0-9]+=[A-Za-z0-9._%-]*)*&z=1$/);
        const read = JSON.parse(engine.decodeLink(link));
        assert.deepEqual(read.problems, []);
        assert.equal(read.preset, preset);
        // One scenario, one link; and the same result behind it.
        assert.equal(engine.encodeLink(JSON.stringify(read.scenario), preset), link);
        assert.deepEqual(evaluate(read.scenario), evaluate(scenario));
        return link;
    };

    test("lose nothing, with and without a preset", () => {
        check(issueScenario, "");
        check(issueScenario, "deepseek-v3");
        const { models } = JSON.parse(engine.presets());
        for (const { id, scenario } of models) {
            assert.equal(check(scenario, id), `#v=1&m=${id}&z=1`);
            check(scenario, "");
            check({ ...scenario, tensor_model_parallel_size: 4, name: "a name, 名 & 'more' #1" }, id);
        }
    });

    test("are understood as whole addresses and after what programs do to them", () => {
        const link = engine.encodeLink(JSON.stringify(issueScenario), "deepseek-v3");
        const wanted = JSON.parse(engine.decodeLink(link)).scenario;
        const ways = {
            address: `https://example.org/page/${link}`,
            html: link.replaceAll("&", "&amp;"),
            encoded: encodeURIComponent(link),
            "full stop": `${link}.`,
            spaces: `  ${link}\n`,
        };
        for (const [name, text] of Object.entries(ways)) {
            assert.deepEqual(JSON.parse(engine.decodeLink(text)).scenario, wanted, name);
        }
    });

    test("keep what is good beside what is bad, and say what was dropped", () => {
        const read = JSON.parse(engine.decodeLink("#v=1&m=deepseek-v3&tp=2&pp=none&nonsense=1&z=1"));
        assert.equal(read.scenario.tensor_model_parallel_size, 2);
        const told = read.problems.map((problem) => problem.path).join(" ");
        assert.match(told, /pipeline_model_parallel_size/);
        assert.match(told, /nonsense/);
    });

    test("of something that is no scenario are empty", () => {
        assert.equal(engine.encodeLink("[]", ""), "");
        assert.equal(engine.encodeLink("", "deepseek-v3"), "");
    });
});

describe("hostile input", () => {
    const texts = {
        empty: "",
        "a zero byte": "\0",
        "broken JSON": '{"num_layers": 5',
        "no object": "[1, 2]",
        null: "null",
        "deep arrays": "[".repeat(1 << 20),
        "deep objects": '{"a":'.repeat(1 << 18),
        "a long string": `{"name": "${"x".repeat(1 << 20)}"}`,
        "a long number": `{"num_layers": ${"9".repeat(100_000)}}`,
        "numbers out of range": '{"num_layers": 1e999, "hidden_size": -0, "vocab_size": 1.5}',
        "wrong types": '{"num_layers": "many", "swiglu": 7, "recompute_modules": {"a": 1}, "name": []}',
        "keys of objects": '{"__proto__": {"a": 1}, "constructor": null, "schema": 99}',
        "lone surrogates": '{"name": "\ud800", "gpu": "\udfff\ud800"}',
        "surrogates as escapes": '{"name": "\\ud800\\udc00\\ud800"}',
        "a byte order mark": '\ufeff{"num_layers": 1}',
        "a layout without end": JSON.stringify({
            ...issueScenario,
            pipeline_model_parallel_layout: `${"(".repeat(50_000)}t`,
        }),
        "a huge layout": JSON.stringify({
            ...issueScenario,
            pipeline_model_parallel_layout: "['ttt'] * 999999999999",
        }),
        "huge sizes": JSON.stringify(
            Object.fromEntries(
                Object.entries(issueScenario).map(([key, value]) => [
                    key,
                    typeof value === "number" ? Number.MAX_SAFE_INTEGER : value,
                ]),
            ),
        ),
    };

    const assertAlive = () => {
        const report = evaluate(issueScenario);
        assert.deepEqual(
            report.ranks.map((rank) => rank.totals.total),
            issueTotals,
        );
    };

    for (const [name, text] of Object.entries(texts)) {
        test(name, () => {
            const report = JSON.parse(engine.evaluate(text, "calculator"));
            assert.equal(typeof report.valid, "boolean");
            // No silence: no result without a reason.
            if (!report.valid) assert.ok(report.problems.some((problem) => problem.severity === "error"));
            for (const preset of ["", "deepseek-v3", text]) {
                assert.equal(typeof engine.encodeLink(text, preset), "string");
            }
            assert.equal(typeof JSON.parse(engine.decodeLink(text)).scenario, "object");
            assert.equal(typeof JSON.parse(engine.decodeLink(`#v=1&n=${text}&pl=${text}`)).scenario, "object");
            assertAlive();
        });
    }

    test("an unknown method", () => {
        const report = JSON.parse(engine.evaluate(JSON.stringify(issueScenario), "guess"));
        assert.equal(report.valid, false);
        assert.equal(report.problems[0].code, "unknown_method");
    });

    test("arguments that are no texts are refused by an error of JavaScript", () => {
        const wrong = [[], [undefined, undefined], [null, "calculator"], [{}, ""], ["{}"], [1, 2], ["{}", Symbol()]];
        for (const call of ["evaluate", "encodeLink"]) {
            for (const args of wrong) assert.throws(() => engine[call](...args), Error);
        }
        for (const args of [[], [undefined], [7], [{}]]) assert.throws(() => engine.decodeLink(...args), Error);
        assertAlive();
    });

    test("a thousand calls leave the memory as it was", () => {
        const text = JSON.stringify(issueScenario);
        engine.evaluate(text, "");
        // HEAPU8 is not exported in every build; where it is not, time and the assertion below still stand.
        const before = engine.HEAPU8?.length;
        for (let i = 0; i < 1000; i++) engine.evaluate(text, "");
        assert.equal(engine.HEAPU8?.length, before);
        assertAlive();
    });
});

test("works where code may not be made from text, as under a strict content security policy", () => {
    const script = `
        try { new Function("return 1"); process.exit(3); } catch (refused) {}
        require(${JSON.stringify(modulePath)})().then((engine) => {
            const scenario = ${JSON.stringify(JSON.stringify(issueScenario))};
            const { ranks } = JSON.parse(engine.evaluate(scenario, "calculator"));
            console.log(JSON.stringify(ranks.map((rank) => rank.totals.total)));
        });`;
    const args = ["--disallow-code-generation-from-strings", "--input-type=commonjs", "-e", script];
    const run = spawnSync(process.execPath, args, { encoding: "utf8" });
    assert.equal(run.status, 0, run.stderr);
    assert.deepEqual(JSON.parse(run.stdout), issueTotals);
});

// What the project promises of speed and size, measured on this machine. Not a test: times depend on the
// machine, so nothing fails here; the targets stand beside the measurements.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";

import { issueScenario, loadModule, root } from "../tests/node/support.mjs";
import { importTimes } from "./imports.mjs";
import { median } from "./median.mjs";
import { frameTime, idleFrames, keyTime, loadingSteps, withBrowser } from "./page.mjs";

const site = path.join(root, "build/web/site");
const idleSeconds = 5;
const scenario = JSON.stringify(issueScenario);

// DeepSeek-V3 on PP 16, VPP 2, 1024 GPUs: what the detailed method is timed on.
const large = "#v=1&m=deepseek-v3&pp=16&pl=Etx3._tt.-29m.L&z=1";

// µs, µs, µs, µs, ms, KB of 1000 bytes, ms, ms, ms, frames
const targets = {
    native: 30, wasm: 60, detailedNative: 50, detailedWasm: 100, importWasm: 100, page: 400,
    interactive: 1000, frame: 8, key: 16, frames: 0,
};

/** Microseconds a call takes, as the median over batches. */
function timed(call, batches = 201, batchSize = 20) {
    for (let i = 0; i < 500; i++) call(); // lets the compiler finish its better code
    const times = [];
    for (let batch = 0; batch < batches; batch++) {
        const begin = process.hrtime.bigint();
        for (let i = 0; i < batchSize; i++) call();
        times.push(Number(process.hrtime.bigint() - begin) / batchSize / 1000);
    }
    return median(times);
}

function nativeTime(method, input) {
    const nanoseconds = execFileSync(path.join(root, "build/native/megamem_bench"), [method], { input });
    return Number(nanoseconds) / 1000;
}

async function wasmTimes() {
    const engine = await loadModule();
    return {
        // With reading the scenario's JSON and writing the report's, which the page never does.
        json: timed(() => engine.evaluate(scenario, "calculator")),
        // The estimate alone, where the module has it.
        alone: median(batchesOf(engine, scenario, "calculator")),
        large: median(batchesOf(engine, largeScenario(engine), "detailed")),
    };
}

const largeScenario = (engine) => JSON.stringify(JSON.parse(engine.decodeLink(large)).scenario);

function batchesOf(engine, input, method, batches = 201, batchSize = 50) {
    engine.benchmark(input, method, 500);
    return Array.from({ length: batches }, () => {
        const begin = process.hrtime.bigint();
        engine.benchmark(input, method, batchSize);
        return Number(process.hrtime.bigint() - begin) / batchSize / 1000;
    });
}

/** Kilobytes of each file as a server sends it. */
function sizes() {
    return readdirSync(site)
        .filter((name) => statSync(path.join(site, name)).isFile())
        .sort()
        .map((name) => [name, gzipSync(readFileSync(path.join(site, name)), { level: 9 }).length / 1000]);
}

const rows = [];
const add = (what, value, unit, target, digits = 1) => {
    const verdict = target === undefined ? "" : value <= target ? "ok" : "over";
    rows.push([what, value === null ? "–" : `${value.toFixed(digits)} ${unit}`, target ?? "", verdict]);
};

const times = await wasmTimes();
add("calculator, one evaluation, native", nativeTime("calculator", scenario), "µs", targets.native);
add("calculator, one evaluation, WebAssembly", times.alone, "µs", targets.wasm);
add("  the same with JSON in and out", times.json, "µs");
add("detailed, DeepSeek-V3 on 16 x 2 stages, native", nativeTime("detailed", largeScenario(await loadModule())), "µs", targets.detailedNative);
add("detailed, the same, WebAssembly", times.large, "µs", targets.detailedWasm);
for (const [name, time] of importTimes(await loadModule()))
    add(`import of 5 MB, WebAssembly: ${name}`, time, "ms", targets.importWasm);
const files = sizes();
// The rest is fetched when somebody pastes a text, asks for an explanation, reads Chinese or asks for the licences.
const first = ["boot.js", "favicon.svg", "index.html", "megamem.js", "megamem.wasm"];
const page = files.filter(([name]) => first.includes(name));
add("page, first use, gzip -9", page.reduce((sum, [, size]) => sum + size, 0), "KB", targets.page);
for (const [name, size] of files) add(`  ${name}`, size, "KB");
await withBrowser(site, async (browser, url) => {
    const english = await loadingSteps(browser, url, { visits: 9, locale: "en-GB" });
    add("page, first interactive", english.interactive, "ms", targets.interactive, 0);
    add("  program fetched", english.fetched, "ms", undefined, 0);
    add("  program compiled", english.compiled, "ms", undefined, 0);
    add("  first result drawn", english.drawn, "ms", undefined, 0);
    add("  in all this, waiting for the graphics process", english.graphics, "ms", undefined, 0);
    const chinese = await loadingSteps(browser, url, { visits: 9, locale: "zh-CN" });
    add("  the same in Chinese", chinese.interactive, "ms", targets.interactive, 0);
    add("frame, 64 ranks at 1440 x 900", await frameTime(browser, url), "ms", targets.frame);
    const key = await keyTime(browser, url, 40);
    add("key to new numbers, work", key.work, "ms", targets.key);
    add("  from key to the end of it, with the wait for the next frame", key.wait, "ms");
    add(`frames in ${idleSeconds} idle seconds`, await idleFrames(browser, url, idleSeconds), "", targets.frames, 0);
});

const head = ["", "measured", "target", ""];
const widths = head.map((_, i) => Math.max(...[head, ...rows].map((row) => String(row[i]).length)));
for (const row of [head, ...rows]) {
    const cells = row.map((cell, i) => (i === 0 ? String(cell).padEnd(widths[i]) : String(cell).padStart(widths[i])));
    console.log(cells.join("  ").trimEnd());
}

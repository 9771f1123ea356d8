// The page in Chinese: as the browser asks, or as was chosen. Whatever the page draws then has its Chinese: each text
// that had none is told by window.megamem.untranslated().
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";

import { root } from "../node/support.mjs";
import { browserTest, theEngine, useBrowser } from "./page.mjs";

useBrowser();

const chinese = { locale: "zh-CN", width: 1440, height: 1100 };
const start = "#v=1&m=deepseek-v3&z=1";

// Names that stay as they are in every language.
function names() {
    const fields = JSON.parse(theEngine().fields());
    const { models, gpus } = JSON.parse(theEngine().presets());
    return [
        ...fields.flatMap((field) => [field.key, field.flag, field.link_key]),
        ...fields.flatMap((field) => field.range.replace(/^(one|words out) of /, "").split(", ")),
        ...models.flatMap((model) => [model.id, model.title, model.source]),
        ...gpus.flatMap((gpu) => [gpu.id, gpu.title, gpu.source, `${gpu.title}: ${gpu.source}`]),
    ];
}

// Flags, file names with or without lines, commits, papers, symbols of formulas,
// names of tensors.
const nameLike =
    /^--|\.(py|cu|cuh|hpp|md|json)\b|^TE \w+\/|@[0-9a-f]{7,}|^arXiv|^torch\.cuda\.|^lines? \d|\.(weight|bias)$|^[A-Z]{1,4}(_\w+)?$|^E?[tm]*L?$|^Megatron-LM [0-9a-f]+$|^[-−]?[\d.]+ [GM]iB$|^[a-z_]+ \d+$/;

async function assertAllChinese(app) {
    await app.settle();
    const known = names();
    const asked = await app.page.evaluate(() => window.megamem.untranslated());
    const left = asked.filter(
        (text) => !nameLike.test(text) && !known.some((name) => name === text || (name.length > 20 && (name.includes(text) || text.includes(name)))),
    );
    assert.deepEqual(left, []);
}

// Rests on an item until its tooltip is there, and goes away again.
async function hover(app, label) {
    const { x, y, w, h } = await app.item(label);
    await app.page.mouse.move(x + w / 2, y + h / 2);
    await app.page.mouse.move(x + w / 2 + 1, y + h / 2);
    await app.page.waitForTimeout(450);
    await app.settle();
    await app.moveAway();
}

browserTest("without the dictionary the page stays English", { ...chinese, allowed: /zh\.txt|404|Failed to load/ }, async (app) => {
    await app.page.route("**/zh.txt*", (route) => route.fulfill({ status: 404 }));
    await app.open(start);
    assert.match((await app.mirror()).headline, /^Tight/);
});

browserTest("what stops the program is told in Chinese", { locale: "zh-CN", allowed: /megamem: This browser/ }, async (app) => {
    await app.page.addInitScript(() => {
        HTMLCanvasElement.prototype.getContext = () => null;
    });
    await app.visit();
    await app.page.locator("#failure-text", { hasText: "此浏览器没有提供 WebGL2 图形" }).waitFor();
});

for (const { id } of [{ id: "deepseek-v3" }, { id: "llama-3.1-70b" }, { id: "gpt3-175b" }, { id: "qwen2.5-vl-7b" }]) {
    browserTest(`${id} in all tabs and by all methods`, chinese, async (app) => {
        await app.open(`#v=1&m=${id}&z=1`);
        for (const method of ["calculator", "megatron-report", "detailed"]) {
            await app.click(method);
            for (const tab of ["Methods", "Notes", "Memory"]) {
                await app.click(tab);
                await app.settle();
            }
        }
        await assertAllChinese(app);
    });
}

browserTest("explanations, shown", chinese, async (app) => {
    const cells = {
        detailed: ["attention.activation", "experts.weight", "total.weight", "peak_allocated", "in_flight", "rank 0 total"],
        calculator: ["attention_q.activation", "AttentionQKV.parameters", "verdict headroom"],
        "megatron-report": ["experts.weight_and_optimizer", "verdict total"],
    };
    for (const [method, labels] of Object.entries(cells)) {
        await app.open(`#v=1&m=deepseek-v3&mt=${method}&f8=hybrid&z=1`);
        for (const label of labels) {
            await app.click(label);
            await app.settle();
        }
        await assertAllChinese(app);
    }
});

// What the engine says of very different trainings, all of it, without drawing each.
const variants = {
    "deepseek-v3": [
        { fp8_format: "hybrid", fp8_recipe: "mxfp8", recompute_granularity: "selective", recompute_modules: ["moe_act", "mla_up_proj", "mlp"] },
        { attention_backend: "unfused", moe_token_dispatcher_type: "flex", overlap_moe_expert_parallel_comm: true },
        { recompute_granularity: "full", cuda_graph_impl: "local", use_precision_aware_optimizer: true, embedding_bytes: 2 },
    ],
    "llama-3.1-70b": [
        { optimizer: "muon", use_distributed_optimizer: false },
        { use_megatron_fsdp: true, data_parallel_sharding_strategy: "optim_grads_params", gradient_accumulation_fusion: false },
        { context_parallel_size: 2, nodes: 64, optimizer: "sgd", fine_grained_activation_offloading: true },
    ],
    "gpt3-175b": [{ hidden_dropout: 0.1, position_embedding_type: "learned_absolute", global_batch_size: null }],
    "qwen2.5-vl-7b": [{}],
    "qwen3-vl-8b": [{ freeze: "language" }],
    "nvlm-d-72b": [{}],
    "mixtral-8x7b": [{ moe_expert_capacity_factor: 1.5, tensor_model_parallel_size: 2, sequence_parallel: false }],
};

function textsOf(explanation) {
    const { title, symbols, unit, source, legend, parts, assumptions } = explanation;
    const semicolon = symbols.indexOf(";");
    return [
        title,
        ...(semicolon < 0 ? [] : [symbols.slice(semicolon + 2)]),
        unit,
        `Source: ${source}`,
        ...legend.map(({ meaning }) => meaning),
        ...parts.flatMap(({ name, text }) => [name, text]),
        ...assumptions.map(({ message }) => message),
    ];
}

function engineTexts() {
    const engine = theEngine();
    const texts = new Set();
    const models = new Map(JSON.parse(engine.presets()).models.map(({ id, scenario }) => [id, scenario]));
    for (const [id, changes] of Object.entries(variants)) {
        for (const [index, change] of changes.entries()) {
            const scenario = JSON.stringify({ ...models.get(id), ...change });
            for (const method of ["detailed", "calculator", "megatron-report"]) {
                const report = JSON.parse(engine.evaluate(scenario, method));
                for (const { message } of [...report.problems, ...(report.assumptions ?? [])]) texts.add(message);
                for (const shown of [report.evidence?.missing]) if (shown) texts.add(shown);
                if (!report.valid || index > 0 && method !== "detailed") continue;
                const places = report.ranks?.length ? report.ranks : report.shards;
                for (const place of [0, places.length - 1]) {
                    const { modules = [], activations = [], others = [], totals = {} } = places[place];
                    const names = [...modules, ...activations, ...others].map((each) => each.module ?? each.component ?? each.term);
                    for (const name of new Set([...names, ...Object.keys(totals), "headroom", "in_flight"])) {
                        const { explanations } = JSON.parse(engine.explain(scenario, method, place, name));
                        for (const text of explanations.flatMap(textsOf)) texts.add(text);
                    }
                }
            }
        }
    }
    return [...texts].filter((text) => text !== "");
}

browserTest("all that the engine says of many trainings", chinese, async (app) => {
    const texts = engineTexts();
    assert.ok(texts.length > 500, `${texts.length} texts`);
    await app.open(start);
    const shown = await app.page.evaluate((list) => list.map((text) => window.megamem.translated(text)), texts);
    await assertAllChinese(app);
    // No sentence is left half in English.
    const english = /\b(the|and|with|which|their|its|isn't|aren't|are|not)\b/;
    const sentences = shown.filter((text) => !text.startsWith("来源："));
    assert.deepEqual(sentences.filter((text) => english.test(text)), []);
});

browserTest("fields, groups and their help", { ...chinese, height: 1500 }, async (app) => {
    await app.open("#v=1&m=qwen2.5-vl-7b&z=1");
    for (const key of ["num_layers", "recompute_modules", "moe_layer_freq"]) {
        await app.field(key);
        await hover(app, key);
    }
    for (const label of ["Language", "Theme"]) await hover(app, label);
    await app.fill("search", "词表"); // the search knows both languages
    await app.item("vocab_size");
    await assertAllChinese(app);
});

browserTest("what is wrong is said in Chinese", chinese, async (app) => {
    await app.open(start);
    await app.fill("num_layers", "60x"); // told under the field
    await app.settle();
    for (const wrong of ["l=60", "pl=Ett|x", "pl=Et*3|(tt|)*2,m|L", "tp=3", "k=999"]) {
        await app.page.evaluate((hash) => (location.hash = hash), `#v=1&m=deepseek-v3&${wrong}&z=1`);
        await app.headline(/^(无结果：|紧张)/);
        await app.settle();
    }
    await app.page.evaluate(() => (location.hash = "#v=9&m=nothing&q=1&l=x&tp=1&tp=2&mt=what"));
    await app.headline(/^无结果：未给出/);
    await assertAllChinese(app);
});

const script = readFileSync(path.join(root, "tests/browser/import.test.mjs"), "utf8").match(/`(#!\/bin\/bash[^]*?)`/)[1].replace("\\$", "$");

browserTest("import, export, comparison and what is kept", chinese, async (app) => {
    await app.open(start);
    await app.paste(script);
    await app.item("Apply");
    await app.paste(script.replace("TP=2\n", ""));
    await app.item("remove 1");
    await app.paste('{"model_type": "llama", "hidden_size": 4096, "num_hidden_layers": 32}');
    await app.item("remove 2");
    await app.paste("num-layers: 4\n\tx: [1\n");
    await app.item("remove 3");
    await hover(app, "take num_layers");
    await assertAllChinese(app);
    await app.click("Cancel");
    await app.click("Export");
    await app.item("copy csv");
    await app.press("Escape");
    await app.click("Saved");
    await app.click("save");
    await app.item("saved DeepSeek-V3");
    await app.press("Escape");
    await app.click("Compare");
    await app.settle();
    await app.click("Pin as A");
    await app.fill("micro_batch_size", "2");
    await app.settle();
    await hover(app, "pair 0");
    await app.click("Memory");
    await hover(app, "bar 0");
    await app.click("Presets");
    await app.settle();
    await assertAllChinese(app);
});

browserTest("on a phone nothing is wider than the screen", { locale: "zh-CN", width: 390, height: 844 }, async (app) => {
    await app.open(start);
    for (const item of (await app.items()).filter(({ window }) => /top/.test(window))) {
        assert.ok(item.x + item.w <= 390, `${item.label} ends at ${item.x + item.w}`);
    }
    await assertAllChinese(app);
});

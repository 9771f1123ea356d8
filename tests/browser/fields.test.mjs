// Every kind of field, by mouse and by keyboard.
import assert from "node:assert/strict";

import { browserTest, scenarioOf, theEngine, totalsOf, useBrowser } from "./page.mjs";

useBrowser();

const start = "#v=1&m=deepseek-v3&z=1";

async function assertLinkSays(app, key, value) {
    await app.assertShowsItsLink();
    assert.deepEqual(scenarioOf(await app.hash())[key], value);
}

browserTest("a choice", {}, async (app) => {
    await app.open(start);
    const before = await app.totals();
    const field = await app.field("precision");
    assert.ok(field.w > 0);
    await app.click("precision");
    await app.click("fp32");
    await app.gone("fp16"); // the list shuts
    await app.waitForHash(/&dt=fp32&/);
    await assertLinkSays(app, "precision", "fp32");
    assert.notDeepEqual(await app.totals(), before);
});

browserTest("a boolean", {}, async (app) => {
    await app.open(start);
    const { swiglu } = scenarioOf(start);
    assert.match((await app.field("swiglu")).status, /checked/);
    await app.click("swiglu");
    await app.waitForHash(/&sw=0&/);
    await assertLinkSays(app, "swiglu", !swiglu);
    // Once more: as the preset has it, so it leaves the link.
    await app.click("swiglu");
    await app.waitForHash(/^#v=1&m=deepseek-v3&z=1$/);
    await assertLinkSays(app, "swiglu", swiglu);
});

browserTest("a list of words", {}, async (app) => {
    await app.open("#v=1&m=deepseek-v3&rg=none&rm=none&z=1");
    await app.field("recompute_granularity");
    await app.click("recompute_granularity");
    await app.click("selective");
    await app.gone("selective");
    await app.field("recompute_modules");
    await app.click("recompute_modules");
    await app.click("core_attn");
    await app.click("moe_act");
    await app.press("Escape");
    await app.gone("moe_act");
    await app.waitForHash(/&rm=[^&]*moe_act/);
    const { recompute_modules: words } = scenarioOf(await app.hash());
    assert.deepEqual([...words].sort(), ["core_attn", "moe_act"]);
    await app.assertShowsItsLink();
});

browserTest("a layout: a wrong one is told, a good one counts", {}, async (app) => {
    await app.open("#v=1&m=deepseek-v3&pp=4&z=1");
    const before = await app.totals();
    await app.fill("pipeline_model_parallel_layout", "Et*3|nonsense");
    await app.settle();
    const { headline, ranks } = await app.mirror();
    // Either no result and the reason, or the last good one.
    if (ranks.length === 0) assert.match(headline, /^No result: .+/);
    else assert.deepEqual(await app.totals(), before);

    const layout = "Et*15|t*15|t*15|t*16mL";
    await app.fill("pipeline_model_parallel_layout", layout);
    const scenario = { ...scenarioOf("#v=1&m=deepseek-v3&pp=4&z=1"), pipeline_model_parallel_layout: layout };
    await app.waitForTotals(totalsOf(scenario));
    await app.waitForHash(/&pl=/);
    await assertLinkSays(app, "pipeline_model_parallel_layout", layout);
});

browserTest("text that is no number keeps the last good result", {}, async (app) => {
    await app.open(start);
    const before = await app.totals();
    await app.fill("micro_batch_size", "two");
    await app.settle();
    assert.deepEqual(await app.totals(), before);
    // The link follows the scenario, and that has not changed.
    await app.waitForHash(/^#v=1&m=deepseek-v3&z=1$/);
    await app.fill("micro_batch_size", "2");
    await app.waitForHash(/&mb=2&/);
    await app.assertShowsItsLink();
});

browserTest("a combination that cannot be has no result, and the reason", {}, async (app) => {
    await app.open(start);
    await app.fill("tensor_model_parallel_size", "7");
    await app.headline(/^No result: .*TP 7/);
    assert.deepEqual((await app.mirror()).ranks, []);
    await app.fill("tensor_model_parallel_size", "2");
    await app.headline(/rank \d+ needs/);
    await app.waitForHash(/^#v=1&m=deepseek-v3&z=1$/);
    await app.assertShowsItsLink();
});

browserTest("an empty optional field has its default", {}, async (app) => {
    await app.open(start);
    await app.fill("ffn_hidden_size", "");
    await app.waitForHash(/&f=none&/);
    await assertLinkSays(app, "ffn_hidden_size", undefined);
});

browserTest("the mark beside a changed field takes the change back", {}, async (app) => {
    await app.open("#v=1&m=deepseek-v3&mb=2&z=1");
    await app.field("micro_batch_size");
    const { y, h } = await app.item("micro_batch_size");
    const mark = (await app.items()).find(
        (item) => item.label === "reset" && Math.abs(item.y + item.h / 2 - (y + h / 2)) < h / 2,
    );
    assert.ok(mark, "a mark on the field's line");
    await app.page.mouse.click(mark.x + mark.w / 2, mark.y + mark.h / 2);
    await app.waitForHash(/^#v=1&m=deepseek-v3&z=1$/);
    await app.gone("reset");
    await app.assertShowsItsLink();
});

browserTest("the search finds fields by name and flag, in groups of any kind", {}, async (app) => {
    await app.open(start);
    await app.fill("search", "--vision-");
    await app.settle();
    assert.equal(await app.find("num_layers"), undefined);
    for (const key of ["vision_num_layers", "droprate", "embedding_bytes"]) {
        await app.fill("search", key);
        await app.item(key);
    }
    await app.fill("search", "");
    await app.item("num_layers");
});

browserTest("every group of the table is in the form, and each of its fields is found", {}, async (app) => {
    await app.open("#v=1&m=deepseek-v3&z=1");
    const fields = JSON.parse(theEngine().fields()).filter(({ key }) => key !== "name");
    const groups = [...new Set(fields.map(({ group }) => group))];
    assert.ok(groups.length > 10);
    for (const group of groups) {
        const last = fields.filter((field) => field.group === group).at(-1);
        await app.field(last.key);
        await app.item(group);
    }
    await app.click("search");
    await app.press("Control+A");
    await app.type("no field is called like this");
    await app.settle();
    for (const group of groups) assert.equal(await app.find(group), undefined);
});

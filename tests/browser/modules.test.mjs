// The table of modules: sorted by its headings, unfolded from sections to modules to tensors.
import assert from "node:assert/strict";

import { browserTest, calculatorLink, scenarioOf, theEngine, useBrowser } from "./page.mjs";

useBrowser();

const start = "#v=1&m=deepseek-v3&z=1";
const tall = { width: 1440, height: 1300 }; // all of the table is in sight

// The names of rows in sight, from above.
async function rows(app, names) {
    await app.settle();
    const items = await app.items();
    const places = names.map((name) => ({ name, y: items.find((item) => item.label === name)?.y }));
    return places.filter(({ y }) => y !== undefined).sort((a, b) => a.y - b.y).map(({ name }) => name);
}

const modules = ["norms", "attention", "router", "shared_expert", "experts"];

// The module's bytes on rank 2 of the kinds that a table's column shows.
function bytesOf(scenario, module, kind) {
    const { ranks } = JSON.parse(theEngine().evaluate(JSON.stringify(scenario), "detailed"));
    return ranks[2].modules.find((row) => row.module === module)[kind];
}

browserTest("headings sort: down, up, and back to the model's order", tall, async (app) => {
    await app.open(start);
    const scenario = scenarioOf(start);
    assert.deepEqual(await rows(app, modules), modules);
    const by = (kind) => [...modules].sort((a, b) => bytesOf(scenario, b, kind) - bytesOf(scenario, a, kind));
    await app.click("sort weight");
    assert.deepEqual(await rows(app, modules), by("weight"));
    await app.click("sort weight");
    assert.deepEqual(await rows(app, modules), by("weight").reverse());
    await app.click("sort weight");
    assert.deepEqual(await rows(app, modules), modules);
    await app.click("sort name");
    assert.deepEqual(await rows(app, modules), [...modules].sort());
    await app.reload(); // remembered
    assert.deepEqual(await rows(app, modules), [...modules].sort());
    // By the keyboard, from heading to heading.
    await app.click("sort name");
    await app.press("ArrowRight");
    await app.press("ArrowRight");
    await app.press("Enter");
    assert.deepEqual(await rows(app, modules), by("weight"));
});

browserTest("rows unfold: sections, modules, tensors", tall, async (app) => {
    await app.open(start);
    assert.equal(await app.find("te_workspace"), undefined);
    await app.click("unfold all beside");
    await app.item("te_workspace");
    await app.click("fold all layers");
    await app.gone("attention");
    await app.click("unfold all layers");
    await app.click("unfold attention");
    // Every tensor of the module, with its numbers; choosing one explains the module's.
    for (const tensor of ["linear_q_down_proj", "linear_q_up_proj", "linear_kv_up_proj", "linear_proj"]) {
        await app.item(`attention.weight ${tensor}`);
    }
    await app.click("attention.weight linear_proj");
    await app.item("explained 2 attention.weight");
    // What is kept for backward belongs to no tensor, and is there all the same.
    await app.click("attention.activation Activations");
    await app.item("explained 2 attention.activation");
    await app.click("sort weight");
    const labels = ["linear_kv_down_proj", "linear_proj"].map((tensor) => `attention.weight ${tensor}`);
    assert.deepEqual(await rows(app, labels), labels.reverse());
    await app.click("fold attention");
    await app.gone("attention.weight linear_proj");
    // A section's numbers explain themselves too.
    await app.click("all layers.activation");
    await app.item("explained 2 all layers.activation");
    await app.item("part experts.activation");
});

browserTest("the calculator has modules and no tensors", tall, async (app) => {
    await app.open(calculatorLink(start));
    await app.item("AttentionQKV");
    assert.ok(!(await app.items()).some((item) => /^unfold Attention/.test(item.label)));
    await app.click("sort total");
    await app.settle();
});

const huge = { num_layers: 128, pipeline_model_parallel_size: 64, nodes: 512, global_batch_size: 4096 };

browserTest("128 layers on 64 ranks, unfolded, take less than 8 ms a frame", { width: 1440, height: 900 }, async (app) => {
    const scenario = { ...scenarioOf("#v=1&m=llama-3.1-405b&z=1"), ...huge };
    delete scenario.pipeline_model_parallel_layout;
    delete scenario.num_virtual_stages_per_pipeline_rank;
    await app.open(theEngine().encodeLink(JSON.stringify(scenario), ""));
    await app.headline(/GiB of/);
    await app.click("by module");
    await app.click("Figures");
    // The mouse moving over the bars draws a frame each time. Its own processor time counts, whatever else the
    // machine does.
    const { x, y, w, h } = await app.item("bar 0");
    const session = await app.page.context().newCDPSession(app.page);
    await session.send("Performance.enable", { timeDomain: "threadTicks" });
    const now = async () => {
        const { metrics } = await session.send("Performance.getMetrics");
        const seconds = metrics.find(({ name }) => name === "ScriptDuration").value;
        return { seconds, frames: await app.page.evaluate(() => window.megamem.frames()) };
    };
    const before = await now();
    await app.page.mouse.move(x + w / 2, y + h / 2, { steps: 60 });
    await app.settle();
    const after = await now();
    const frames = after.frames - before.frames;
    assert.ok(frames > 20, `${frames} frames`);
    const each = (1000 * (after.seconds - before.seconds)) / frames;
    assert.ok(each < 8, `${each} ms for a frame`);
});

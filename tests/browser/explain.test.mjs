// Every number explains itself: choosing a cell, by mouse and keyboard, and going into its parts.
import assert from "node:assert/strict";

import { issueScenario } from "../node/support.mjs";
import { browserTest, calculatorLink, scenarioOf, theEngine, useBrowser } from "./page.mjs";
import { differingShare } from "./png.mjs";

useBrowser();

const wide = { width: 1440, height: 1100 }; // all of the tables is in sight

// What the engine says of a cell of the open scenario, which the panel shows.
async function explained(app, rank, cell, method = "detailed") {
    const scenario = JSON.stringify(scenarioOf(await app.hash()));
    const { explanations } = JSON.parse(theEngine().explain(scenario, method, rank, cell));
    assert.equal(explanations.length, 1, cell);
    return explanations[0];
}

async function selected(app) {
    await app.settle();
    return app.items().then((items) => items.find((item) => item.label.startsWith("explained "))?.label.slice(10));
}

async function assertExplains(app, rank, cell, method) {
    assert.equal(await selected(app), `${rank} ${cell}`);
    const { parts } = await explained(app, rank, cell, method);
    for (const part of parts.filter((part) => part.cell).slice(0, 3)) await app.item(`part ${part.cell}`);
}

browserTest("a click on a cell of the table, the bars and the verdict explains it", wide, async (app) => {
    await app.open("#v=1&m=deepseek-v3&z=1");
    assert.equal(await selected(app), undefined);
    await app.click("attention.activation");
    await assertExplains(app, 2, "attention.activation");
    await app.click("total.weight");
    await assertExplains(app, 2, "total.weight");
    await app.click("rank 5 activation");
    await assertExplains(app, 5, "activation");
    await app.click("rank 0 total");
    await assertExplains(app, 0, "total");
    for (const cell of ["peak_allocated", "steady_allocated", "peak_reserved", "in_flight"]) {
        await app.click(cell);
        await assertExplains(app, 0, cell);
    }
    await app.click("verdict headroom");
    await assertExplains(app, 2, "headroom");
    await app.click("verdict total");
    await assertExplains(app, 2, "total");
});

browserTest("a chosen cell is marked", wide, async (app) => {
    await app.open("#v=1&m=deepseek-v3&z=1");
    const { x, y, w, h } = await app.item("attention.grad");
    const box = { x: Math.floor(x) - 2, y: Math.floor(y) - 2, w: Math.ceil(w) + 4, h: Math.ceil(h) + 4 };
    const before = await app.picture(box);
    await app.click("attention.grad");
    assert.ok(differingShare(before, await app.picture(box)) > 0.5);
});

browserTest("a sum is taken apart, down to its tensors and back", wide, async (app) => {
    await app.open("#v=1&m=deepseek-v3&z=1");
    await app.click("verdict total");
    const path = ["peak_allocated", "activation", "experts.activation", "experts.activation.expert_fc1_output"];
    for (const cell of path) {
        await app.click(`part ${cell}`);
        await assertExplains(app, 2, cell);
    }
    for (const cell of path.toReversed().slice(1)) {
        await app.click("Back");
        await assertExplains(app, 2, cell);
    }
});

browserTest("arrow keys move from cell to cell", wide, async (app) => {
    await app.open("#v=1&m=deepseek-v3&z=1");
    await app.click("attention.weight");
    await app.press("ArrowRight");
    await assertExplains(app, 2, "attention.grad");
    await app.press("ArrowDown");
    await assertExplains(app, 2, "router.grad");
    await app.press("ArrowLeft");
    await assertExplains(app, 2, "router.weight");
    await app.click("rank 1 weight");
    await app.press("ArrowRight");
    await assertExplains(app, 1, "grad");
});

browserTest("the calculator's and Megatron's own tables explain themselves too", wide, async (app) => {
    await app.open(calculatorLink(theEngine().encodeLink(JSON.stringify(issueScenario), "")));
    await app.click("MoEFC1/experts.master");
    await assertExplains(app, 1, "MoEFC1/experts.master", "calculator");
    await app.click("megatron-report");
    assert.equal(await selected(app), undefined);
    await app.click("attention.parameters");
    await assertExplains(app, 0, "attention.parameters", "megatron-report");
    await app.click("verdict total");
    await assertExplains(app, 0, "total", "megatron-report");
});

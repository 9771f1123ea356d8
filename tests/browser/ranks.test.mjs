// The bars of the ranks, by component and by module, and their figures.
import assert from "node:assert/strict";

import { browserTest, totalsOf, scenarioOf, useBrowser } from "./page.mjs";
import { differingShare } from "./png.mjs";

useBrowser();

const start = "#v=1&m=deepseek-v3&z=1";
const tall = { width: 1440, height: 1100 };

browserTest("bars by module: their parts explain themselves, and the choice is remembered", tall, async (app) => {
    await app.open(start);
    await app.item("rank 3 weight");
    await app.click("by module");
    await app.gone("rank 3 weight");
    await app.click("rank 3 experts.total");
    await app.item("explained 3 experts.total");
    await app.click("rank 2 reserve");
    await app.item("explained 2 reserve");
    await app.click("rank 1 all beside.total");
    await app.item("explained 1 all beside.total");
    await app.reload();
    await app.item("rank 3 experts.total");
    await app.click("by component");
    await app.item("rank 3 weight");
});

browserTest("the parts of a bar are as long as its total, in either grouping", tall, async (app) => {
    await app.open(start);
    const totals = totalsOf(scenarioOf(start));
    const long = async () => {
        await app.settle();
        const items = await app.items();
        const capacity = items.find((item) => item.label === "capacity");
        return totals.map((_, rank) => {
            const bar = items.find((item) => item.label === `bar ${rank}`);
            return bar.w / (capacity.x - bar.x);
        });
    };
    const before = await long();
    await app.click("by module");
    assert.deepEqual((await long()).map((x) => x.toFixed(3)), before.map((x) => x.toFixed(3)));
});

browserTest("figures of every rank follow the grouping and select", tall, async (app) => {
    await app.open(start);
    assert.equal(await app.find("figures 0"), undefined);
    await app.click("Figures");
    await app.click("figure 4 activation");
    await app.item("explained 4 activation");
    await app.click("figure 5 total");
    await app.item("explained 5 total");
    await app.click("by module");
    await app.click("figure 6 experts.total");
    await app.item("explained 6 experts.total");
    await app.reload();
    await app.click("figures 7");
    await app.item("output_layer.weight"); // the table below is that of rank 7
    await app.click("Figures");
    await app.gone("figures 7");
});

browserTest("hovering shows the parts of the rank", tall, async (app) => {
    await app.open(start);
    const { x, y, w, h } = await app.item("bar 1");
    const box = { x: Math.floor(x + w / 2), y: Math.floor(y), w: 300, h: 200 };
    await app.moveAway();
    const before = await app.picture(box);
    await app.page.mouse.move(x + w / 2, y + h / 2);
    assert.ok(differingShare(before, await app.picture(box)) > 0.3, "no tooltip");
});

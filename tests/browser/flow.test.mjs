// What the page is for: open a link, change a number, see memory and bars change, pass the link on.
import assert from "node:assert/strict";

import { issueScenario, issueTotals } from "../node/support.mjs";
import { browserTest, calculatorLink, scenarioOf, theEngine, totalsOf, useBrowser } from "./page.mjs";
import { differingShare, distance } from "./png.mjs";

useBrowser();

// The box around all bars, up to the totals behind them.
async function barsBox(app) {
    const rows = await Promise.all([0, 1, 2, 3].map((rank) => app.item(`rank ${rank}`)));
    const bar = await app.item("bar 0");
    const [first, last] = [rows[0], rows[3]];
    return { x: bar.x, y: first.y, w: first.x + first.w - bar.x, h: last.y + last.h - first.y };
}

// The bar of each rank is as long as its bytes say, and is really drawn there in the colours of its parts.
async function assertBarsAreDrawn(app, totals) {
    const bars = await Promise.all(totals.map((_, rank) => app.item(`bar ${rank}`)));
    for (const [rank, total] of totals.entries()) {
        const wanted = (bars[0].w * total) / totals[0];
        assert.ok(Math.abs(bars[rank].w - wanted) < 1, `bar ${rank}: ${bars[rank].w}, not ${wanted}`);
    }
    for (const { x, y, w, h } of bars) {
        const left = Math.floor(x);
        const box = { x: left, y: Math.floor(y + h / 2), w: Math.ceil(w) + 12, h: 1 };
        const line = await app.picture(box);
        const end = Math.round(x + w) - left;
        const background = line.at(end + 3, 0);
        assert.ok(distance(line.at(end - 3, 0), background) > 16, "the bar ends too early");
        const colours = new Set();
        for (let i = 1; i < end - 1; i++) colours.add(line.at(i, 0).join(" "));
        assert.ok(colours.size >= 4, `the bar has ${colours.size} colours`);
    }
}

browserTest("the issue's scenario: link, edit, numbers, bars, link, reload", {}, async (app) => {
    await app.open(calculatorLink(theEngine().encodeLink(JSON.stringify(issueScenario), "")));
    assert.deepEqual(await app.totals(), issueTotals);
    await app.headline(/^Fits: rank 1 needs 42\.70 GiB/);
    await app.field("tensor_model_parallel_size");
    await app.moveAway();
    await assertBarsAreDrawn(app, issueTotals);
    const box = await barsBox(app);
    const before = await app.picture(box);
    // Twice the same state, twice the same picture: else the comparison below would say nothing.
    assert.equal(differingShare(before, await app.picture(box)), 0);
    const hashBefore = await app.hash();

    await app.fill("tensor_model_parallel_size", "4");
    const edited = { ...issueScenario, tensor_model_parallel_size: 4 };
    const totals = totalsOf(edited, "calculator");
    assert.notDeepEqual(totals, issueTotals);
    await app.waitForTotals(totals);
    await app.waitForHash(/&tp=4&/);
    assert.equal(await app.hash(), hashBefore.replace("&tp=8&", "&tp=4&"));
    assert.deepEqual(scenarioOf(await app.hash()), scenarioOf(theEngine().encodeLink(JSON.stringify(edited), "")));
    await app.moveAway();
    await assertBarsAreDrawn(app, totals);
    const after = await app.picture(box);
    // All bars grow and the digits behind them change: far more than a fiftieth of the box.
    assert.ok(differingShare(before, after) > 0.02, "the bars look the same as before");

    await app.reload();
    await app.waitForTotals(totals);
    await app.moveAway();
    const share = differingShare(after, await app.picture(box));
    assert.ok(share < 0.001, `the bars look other than before the reload: ${share}`);
});

browserTest("clicking a rank shows its modules, clicking a module selects it", { height: 1400 }, async (app) => {
    await app.open(calculatorLink(theEngine().encodeLink(JSON.stringify(issueScenario), "")));
    await app.click("rank 3");
    // Only the last rank of this model has an output layer.
    await app.item("OutputLayer");
    await app.click("rank 1");
    await app.gone("OutputLayer");
    await app.click("MoEFC1/experts");
    await app.settle();
    assert.deepEqual(await app.totals(), issueTotals);
});

// Links and the browser's history: what Back and Forward bring back, who wins when both change the address, and how
// often it is written.
import assert from "node:assert/strict";

import { chromium } from "./chromium.mjs";
import { browserTest, scenarioOf, totalsOf, useBrowser } from "./page.mjs";

useBrowser();

const start = "#v=1&m=deepseek-v3&z=1";
const tp8 = "#v=1&m=deepseek-v3&tp=8&z=1";
const totalsOfLink = (link) => totalsOf(scenarioOf(link));

browserTest("pinning is a step: Back takes A away, and the edit before it is still there", {}, async (app) => {
    await app.open(start);
    await app.click("Compare");
    await app.waitForHash(/&tab=compare&/);
    await app.fill("micro_batch_size", "2");
    await app.click("Pin as A");
    await app.waitForHash(/&mb=2&.*a\.v=1/);
    await app.item("Swap A and B");
    await app.page.goBack();
    await app.item("Pin as A");
    assert.match(await app.hash(), /&mb=2&/);
    assert.doesNotMatch(await app.hash(), /a\.v=/);
    await app.page.goForward();
    await app.item("Swap A and B");
    await app.assertShowsItsLink();
});

browserTest("an address typed while an edit is waiting to be written wins", {}, async (app) => {
    await app.open(start);
    await app.fill("micro_batch_size", "3");
    await app.page.evaluate((hash) => (location.hash = hash), tp8);
    await app.waitForTotals(totalsOfLink(tp8));
    await app.page.waitForTimeout(800); // longer than an edit waits
    assert.equal(await app.hash(), tp8);
    assert.deepEqual(await app.totals(), totalsOfLink(tp8));
});

browserTest("Back while an edit is waiting to be written wins", {}, async (app) => {
    await app.open(start);
    await app.page.evaluate((hash) => (location.hash = hash), tp8);
    await app.waitForTotals(totalsOfLink(tp8));
    await app.fill("micro_batch_size", "3");
    await app.page.goBack();
    await app.waitForTotals(totalsOfLink(start));
    await app.page.waitForTimeout(800);
    assert.equal(await app.hash(), start);
});

browserTest("edit, reload, Back", {}, async (app) => {
    await app.open(start);
    await app.click("Presets");
    await app.click("Llama 2 7B");
    await app.waitForHash(/^#v=1&m=llama-2-7b/);
    await app.fill("micro_batch_size", "2");
    await app.waitForHash(/&mb=2&/);
    const edited = await app.totals();
    await app.reload();
    assert.deepEqual(await app.totals(), edited);
    await app.page.goBack();
    await app.waitForTotals(totalsOfLink(start));
});

browserTest("two tabs do not disturb each other", { only: chromium }, async (app) => {
    await app.open(start);
    const saveAs = async (tab, name) => {
        await tab.fill("name", name);
        await tab.click("Saved");
        await tab.click("save");
        await tab.item(`saved ${name}`);
        await tab.press("Escape");
        await tab.gone("save");
    };
    await saveAs(app, "first");
    const other = await app.beside();
    await other.open(tp8);
    await saveAs(other, "second");
    await saveAs(app, "third");
    await app.waitForHash(/&n=third/);
    assert.match(await other.hash(), /&n=second/);
    assert.deepEqual(await other.totals(), totalsOfLink(tp8));
    for (const tab of [app, other]) {
        await tab.page.bringToFront();
        await tab.click("Saved");
        for (const name of ["first", "second", "third"]) await tab.item(`saved ${name}`);
        await tab.press("Escape");
    }
});

// More steps than a browser allows; the test turns the page's clock itself.
browserTest("at most 80 writes in 30 seconds, and the last state wins", { only: chromium }, async (app) => {
    await app.page.addInitScript(() => {
        window.ahead = 0;
        const now = performance.now.bind(performance);
        performance.now = () => now() + window.ahead;
        window.calls = 0;
        for (const name of ["pushState", "replaceState"]) {
            const call = history[name];
            history[name] = function (...given) {
                window.calls++;
                return call.apply(this, given);
            };
        }
        window.late = []; // what waits for longer than a test does
        const wait = window.setTimeout;
        window.setTimeout = (run, delay, ...rest) =>
            delay < 5000 ? wait(run, delay, ...rest) : window.late.push(run);
    });
    await app.open("#v=1&m=deepseek-v3&tp=4&tab=compare&a.v=1&a.m=deepseek-v3&z=1");
    const { x, y, w, h } = await app.item("Swap A and B");
    for (let i = 0; i < 85; i++) {
        await app.page.mouse.click(x + w / 2, y + h / 2);
        await app.settle();
    }
    assert.equal(await app.page.evaluate(() => window.calls), 80);
    await app.fill("micro_batch_size", "7");
    await app.page.waitForTimeout(800); // longer than an edit waits
    await app.click("Share");
    await app.click("Copy link");
    const copied = await app.waitForClipboard(/&mb=7&/);
    assert.equal(await app.page.evaluate(() => window.calls), 80);
    assert.doesNotMatch(await app.hash(), /&mb=7&/);
    await app.page.evaluate(() => {
        window.ahead = 31_000;
        for (const run of window.late.splice(0)) run();
    });
    await app.waitForHash(/&mb=7&/);
    assert.equal(await app.page.evaluate(() => location.href), copied);
    await app.assertShowsItsLink();
});

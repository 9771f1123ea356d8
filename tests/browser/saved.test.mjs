// Scenarios kept in the browser.
import assert from "node:assert/strict";

import { browserTest, useBrowser } from "./page.mjs";

useBrowser();

const start = "#v=1&m=deepseek-v3&z=1";

async function saveAs(app, name) {
    await app.fill("name", name);
    await app.click("Saved");
    await app.click("save");
    await app.item(`saved ${name}`);
    await app.press("Escape");
    await app.gone("save");
}

browserTest("save, open, duplicate and delete; all outlives a reload", {}, async (app) => {
    await app.open(start);
    await app.fill("micro_batch_size", "2");
    await saveAs(app, "two");
    const two = await app.totals();
    await app.fill("micro_batch_size", "4");
    await saveAs(app, "four");
    await app.reload();
    await app.click("Saved");
    await app.click("saved two");
    await app.waitForTotals(two);
    await app.assertShowsItsLink();
    await app.click("Saved");
    await app.click("duplicate two");
    await app.item("saved two 2");
    await app.click("delete two");
    await app.gone("saved two");
    await app.item("saved four");
});

browserTest("a link never changes what is saved", {}, async (app) => {
    await app.open(start);
    await app.fill("micro_batch_size", "2");
    await saveAs(app, "mine");
    const two = await app.totals();
    await app.open("#v=1&m=llama-3.1-70b&n=mine&z=1");
    await app.click("Saved");
    await app.click("saved mine");
    await app.waitForTotals(two);
});

browserTest("a browser that keeps nothing says so", {}, async (app) => {
    await app.page.addInitScript(() => {
        Object.defineProperty(window, "localStorage", {
            get() {
                throw new DOMException("denied", "SecurityError");
            },
        });
    });
    await app.open(start);
    await app.click("Saved");
    await app.settle();
    assert.equal(await app.find("save"), undefined);
    await app.assertShowsItsLink();
});

// The link is the document: the address and the page always say the same.
import assert from "node:assert/strict";

import { issueScenario } from "../node/support.mjs";
import { browserTest, scenarioOf, theEngine, totalsOf, useBrowser } from "./page.mjs";

useBrowser();

const tp4 = "#v=1&m=deepseek-v3&tp=4&z=1";
const tp8 = "#v=1&m=deepseek-v3&tp=8&z=1";
const totalsOfLink = (link) => totalsOf(scenarioOf(link));

browserTest("no hash: the first preset", {}, async (app) => {
    await app.open();
    assert.deepEqual(await app.totals(), totalsOfLink("#v=1&m=deepseek-v3&z=1"));
    assert.match(await app.page.title(), /megamem/);
});

browserTest("an edited address, Back, Forward and reload", {}, async (app) => {
    await app.open(tp4);
    await app.waitForTotals(totalsOfLink(tp4));
    await app.page.evaluate((hash) => (location.hash = hash), tp8);
    await app.waitForTotals(totalsOfLink(tp8));
    await app.page.goBack();
    await app.waitForTotals(totalsOfLink(tp4));
    assert.equal(await app.hash(), tp4);
    await app.page.goForward();
    await app.waitForTotals(totalsOfLink(tp8));
    await app.reload();
    await app.waitForTotals(totalsOfLink(tp8));
    assert.equal(await app.hash(), tp8);
});

browserTest("a link without a preset", {}, async (app) => {
    const link = theEngine().encodeLink(JSON.stringify(issueScenario), "");
    await app.open(link);
    assert.deepEqual(await app.totals(), totalsOf(issueScenario));
    await app.fill("micro_batch_size", "2");
    await app.waitForHash(/&mb=2&/);
    assert.doesNotMatch(await app.hash(), /&m=/);
    await app.assertShowsItsLink();
});

browserTest("a bad value is dropped and told, the rest is kept", {}, async (app) => {
    await app.open("#v=1&m=deepseek-v3&tp=4&pp=banana&colour=red&z=1");
    assert.deepEqual(await app.totals(), totalsOfLink(tp4));
    // The message stands in the canvas, with a button to send it away.
    await app.click("Dismiss");
    await app.gone("Dismiss");
    assert.deepEqual(await app.totals(), totalsOfLink(tp4));
});

browserTest("a good link has nothing to dismiss", {}, async (app) => {
    await app.open(tp4);
    await app.item("Presets");
    assert.equal(await app.find("Dismiss"), undefined);
});

browserTest("text of a link stays text", {}, async (app) => {
    const name = "<img src=x onerror=alert(1)> 名 & more";
    const link = theEngine().encodeLink(JSON.stringify({ ...scenarioOf(tp4), name }), "deepseek-v3");
    await app.open(link);
    const { caption, images } = await app.page.evaluate(() => ({
        caption: document.querySelector("#mirror-text caption").textContent,
        images: document.querySelectorAll("img").length,
    }));
    assert.ok(caption.startsWith(name), caption);
    assert.equal(images, 0);
    assert.ok((await app.page.title()).startsWith(name));
});

for (const [name, hash] of Object.entries({
    "nothing but signs": "#&&==&%%%&=",
    "broken escapes": "#v=1&m=deepseek-v3&n=%E0%A4%A&pl=%ff%fe&z=1",
    "a very long one": `#v=1&m=deepseek-v3&pl=${"t".repeat(100_000)}&z=1`,
    "another version": "#v=99&m=deepseek-v3&tp=4&z=1",
})) {
    browserTest(`a strange link: ${name}`, {}, async (app) => {
        await app.open(hash);
        await app.assertShowsItsLink();
        await app.page.evaluate((link) => (location.hash = link), tp8);
        await app.waitForTotals(totalsOfLink(tp8));
    });
}

browserTest("typing replaces the history's entry, picking a preset adds one", {}, async (app) => {
    const length = () => app.page.evaluate(() => history.length);
    await app.open(tp8);
    const before = await length();
    await app.fill("tensor_model_parallel_size", "4");
    await app.waitForHash(/&tp=4&/);
    await app.fill("micro_batch_size", "3");
    await app.waitForHash(/&mb=3&/);
    assert.equal(await length(), before);
    const edited = await app.totals();

    await app.click("Presets");
    await app.click("Llama 2 7B");
    await app.waitForHash(/^#v=1&m=llama-2-7b&z=1$/);
    await app.assertShowsItsLink();
    assert.equal(await length(), before + 1);
    await app.page.goBack();
    await app.waitForTotals(edited);
});

browserTest("an edit just before a preset is not lost on the way back", {}, async (app) => {
    await app.open(tp8);
    await app.fill("tensor_model_parallel_size", "4");
    await app.click("Presets");
    await app.click("Llama 2 7B");
    await app.waitForHash(/m=llama-2-7b/);
    await app.page.goBack();
    await app.waitForTotals(totalsOfLink(tp4));
});

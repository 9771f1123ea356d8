// Where to begin on a first visit, the notes, and the box about the page.
import assert from "node:assert/strict";

import { browserTest, scenarioOf, theEngine, useBrowser } from "./page.mjs";

useBrowser();

const start = "#v=1&m=deepseek-v3&z=1";
const first = "Choose a model"; // stands on a first visit only

browserTest("a first visit offers three beginnings; a link's doesn't", {}, async (app) => {
    await app.open(start);
    assert.equal(await app.find(first), undefined);
    await app.open();
    for (const label of [first, "Paste a script", "Open an example"]) await app.item(label);
    await app.item("rank 0"); // the first preset's result stands below
});

browserTest("begin with a preset: then it is gone for good", {}, async (app) => {
    await app.open();
    await app.click(first);
    await app.click("Llama 2 7B");
    await app.waitForHash(/m=llama-2-7b/);
    await app.gone(first);
    await app.open();
    await app.item("rank 0");
    assert.equal(await app.find(first), undefined);
});

browserTest("begin with a script", {}, async (app) => {
    await app.open();
    await app.click("Paste a script");
    await app.item("Choose a file");
    await app.press("Escape");
    await app.item("rank 0");
    assert.equal(await app.find(first), undefined);
});

browserTest("begin with an example: a link of two scenarios, both of which fit", {}, async (app) => {
    await app.open();
    await app.click("Open an example");
    await app.waitForHash(/&tp=4&a\.v=1&a\.m=deepseek-v3&z=1$/);
    await app.item("Swap A and B");
    assert.equal(await app.find("Dismiss"), undefined, "the link reads without a complaint");
    await app.headline(/^Fits: /);
    await app.page.goBack();
    await app.waitForHash(/^$/);
});

browserTest("dismissed, or begun by editing", {}, async (app) => {
    await app.open();
    await app.click("Look around first");
    await app.gone(first);
    await app.reload();
    assert.equal(await app.find(first), undefined);
    await app.page.evaluate(() => localStorage.clear());
    await app.open();
    await app.reload(); // the same address would only be a jump
    await app.item(first);
    await app.fill("micro_batch_size", "2");
    await app.gone(first);
});

browserTest("the box about the page: version, keys, licences", {}, async (app) => {
    await app.open(start);
    await app.click("?");
    const box = app.page.locator("#dialog");
    await box.waitFor({ state: "visible" });
    const version = await app.page.evaluate(() => window.megamem.version);
    assert.equal(await box.locator("h2").textContent(), `megamem ${version}`);
    assert.match(version, /^\d+\.\d+\.\d+$/);
    assert.match(await box.textContent(), /F8/);
    const [licences] = await Promise.all([
        app.page.context().waitForEvent("page"),
        box.locator("a", { hasText: "Licences" }).click(),
    ]);
    assert.match(await licences.textContent("body"), /Dear ImGui/);
    await app.page.bringToFront();
    await app.press("Escape");
    await box.waitFor({ state: "hidden" });
    assert.equal(await app.page.evaluate(() => document.activeElement.id), "canvas");
    await app.press("F1");
    await box.waitFor({ state: "visible" });
    await box.locator("button").click();
    await box.waitFor({ state: "hidden" });
});

browserTest("notes: assumptions, what is left out, accuracy by kind, sources", {}, async (app) => {
    await app.open(start);
    await app.click("Notes");
    // The same stands beside the canvas, where it can be read.
    await app.page.locator("#mirror-text h2", { hasText: "Sources" }).waitFor({ state: "attached" });
    const text = await app.page.locator("#mirror-text").textContent();
    const report = JSON.parse(theEngine().evaluate(JSON.stringify(scenarioOf(start)), "detailed"));
    for (const { message } of report.assumptions) assert.ok(text.includes(message), message);
    for (const part of ["What isn't in the numbers", "Accuracy of this method", "NVIDIA/Megatron-LM"])
        assert.ok(text.includes(part), part);
    const rows = await app.page
        .locator("#mirror-text table", { hasText: "9 of 10 under" })
        .locator("tbody tr")
        .evaluateAll((all) => all.map((row) => [...row.cells].map((cell) => cell.textContent)));
    assert.ok(rows.length >= 5);
    for (const [kind, count, median, most, worst] of rows) {
        assert.ok(Number(count) > 0, kind);
        const [a, b, c] = [median, most, worst].map((share) => Number(share.replace(" %", "")));
        assert.ok(a <= b && b <= c, `${kind}: ${median}, ${most}, ${worst}`);
    }
});

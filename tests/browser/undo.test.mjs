// Undo and redo, by key and by button.
import assert from "node:assert/strict";

import { browserTest, scenarioOf, useBrowser } from "./page.mjs";

useBrowser();

const start = "#v=1&m=deepseek-v3&z=1";

browserTest("undo takes back a field's typing as one step, redo brings it again", {}, async (app) => {
    await app.open(start);
    const before = await app.totals();
    await app.fill("micro_batch_size", "16");
    await app.waitForHash(/&mb=16&/);
    const after = await app.totals();
    assert.notDeepEqual(after, before);
    // The field is still active, and shows what undo brought back.
    await app.press("Control+z");
    await app.waitForTotals(before);
    await app.waitForHash(/^#v=1&m=deepseek-v3&z=1$/);
    await app.press("Control+Shift+Z");
    await app.waitForTotals(after);
    await app.press("Control+z");
    await app.waitForTotals(before);
    await app.press("Control+y");
    await app.waitForTotals(after);
});

browserTest("each choice is a step; a new change ends redo", {}, async (app) => {
    await app.open(start);
    await app.field("swiglu");
    await app.click("swiglu");
    await app.click("swiglu");
    await app.waitForHash(/^#v=1&m=deepseek-v3&z=1$/);
    await app.click("Undo");
    await app.waitForHash(/&sw=0&/);
    await app.fill("micro_batch_size", "2");
    await app.waitForHash(/&mb=2&/);
    const after = await app.totals();
    await app.click("Redo"); // nothing to redo any more
    await app.settle();
    assert.deepEqual(await app.totals(), after);
    await app.click("Undo");
    await app.click("Undo");
    await app.waitForHash(/^#v=1&m=deepseek-v3&z=1$/);
});

browserTest("undo drops text that can't be used, then goes on", {}, async (app) => {
    await app.open(start);
    await app.fill("micro_batch_size", "4");
    await app.waitForHash(/&mb=4&/);
    await app.fill("tensor_model_parallel_size", "x");
    await app.settle();
    await app.click("Undo");
    await app.settle();
    assert.equal(scenarioOf(await app.hash()).micro_batch_size, 4);
    await app.click("Undo");
    await app.waitForHash(/^#v=1&m=deepseek-v3&z=1$/);
});

browserTest("undo goes back over a preset", {}, async (app) => {
    await app.open(start);
    const before = await app.totals();
    await app.click("Presets");
    await app.click("Llama 3.1 70B");
    await app.waitForHash(/m=llama-3\.1-70b/);
    await app.click("Undo");
    await app.waitForTotals(before);
    await app.waitForHash(/^#v=1&m=deepseek-v3&z=1$/);
});

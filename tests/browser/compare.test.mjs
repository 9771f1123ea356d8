// Two scenarios side by side, in one link.
import assert from "node:assert/strict";

import { browserTest, useBrowser } from "./page.mjs";

useBrowser();

const start = "#v=1&m=deepseek-v3&z=1";

browserTest("pin A, edit B, swap, drop", {}, async (app) => {
    await app.open(start);
    const first = await app.totals();
    await app.click("Compare");
    await app.click("Pin as A");
    await app.waitForHash(/^#v=1&m=deepseek-v3&a\.v=1&a\.m=deepseek-v3&z=1$/);
    await app.fill("micro_batch_size", "2");
    await app.waitForHash(/&mb=2&a\.v=1&a\.m=deepseek-v3&z=1$/);
    const second = await app.totals();
    assert.notDeepEqual(second, first);
    await app.item("pair 0");
    await app.click("Swap A and B");
    await app.waitForTotals(first);
    await app.waitForHash(/^#v=1&m=deepseek-v3&a\.v=1&a\.m=deepseek-v3&a\.mb=2&z=1$/);
    await app.click("Drop A");
    await app.waitForHash(/^#v=1&m=deepseek-v3&z=1$/);
    await app.gone("pair 0");
});

browserTest("a link with both opens the comparison", {}, async (app) => {
    await app.open("#v=1&m=deepseek-v3&mb=2&a.v=1&a.m=deepseek-v3&z=1");
    await app.item("pair 0");
    await app.item("Swap A and B");
    await app.reload();
    await app.item("pair 0");
});

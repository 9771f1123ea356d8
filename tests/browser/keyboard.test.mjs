// The keyboard: what it does by itself, and what it leaves to the browser.
import assert from "node:assert/strict";

import { browserTest, scenarioOf, useBrowser } from "./page.mjs";

useBrowser();

const start = "#v=1&m=deepseek-v3&z=1";

// Presses Tab until the item with this label has the keyboard.
async function tabTo(app, label, most) {
    for (let i = 0; i < most; i++) {
        await app.press("Tab");
        await app.settle();
        if ((await app.find(label))?.status.includes("active")) return;
    }
    assert.fail(`Tab does not get to "${label}"`);
}

browserTest("the keyboard alone: search, Tab, type, arrows", {}, async (app) => {
    await app.open(start);
    await tabTo(app, "search", 20);
    await app.type("tensor_model_parallel_size");
    await app.item("tensor_model_parallel_size");
    await tabTo(app, "tensor_model_parallel_size", 10);
    await app.type("4"); // all was selected, so it replaces
    await app.waitForHash(/&tp=4&/);
    await app.press("ArrowUp");
    await app.waitForHash(/&tp=8&/);
    await app.press("ArrowDown");
    await app.press("ArrowDown");
    await app.press("ArrowDown");
    await app.waitForHash(/&tp=1&/);
    assert.equal(scenarioOf(await app.hash()).tensor_model_parallel_size, 1);
    await app.press("ArrowDown"); // there is no less than one
    await app.settle();
    await app.assertShowsItsLink();
});

browserTest("the browser keeps its own keys", {}, async (app) => {
    await app.open(start);
    await app.page.evaluate(() => {
        window.kept = {};
        window.addEventListener("keydown", (event) => {
            const name = `${event.ctrlKey ? "Control+" : ""}${event.key}`;
            window.kept[name] = !event.defaultPrevented;
            event.preventDefault(); // not to reload or zoom here
        });
    });
    const browsers = ["Control+f", "F5", "Control+r", "Control+=", "Control+-", "Control+0", "F12", "Control+p", "Control+l", "F11", "Control+c", "Control+v", "Control+t"];
    const ours = ["ArrowDown", "Tab", "F1", "Control+z"]; // not Tab just behind Escape, which leaves the canvas
    for (const where of ["canvas", "field"]) {
        if (where === "field") await app.click("name");
        for (const key of browsers) await app.press(key);
        const kept = await app.page.evaluate(() => window.kept);
        for (const key of browsers) assert.equal(kept[key], true, `${key} in the ${where}`);
    }
    await app.press("Escape");
    for (const key of ours) {
        await app.press(key);
        if (key === "F1") await app.page.locator("#dialog-close").click();
    }
    const kept = await app.page.evaluate(() => window.kept);
    for (const key of ours) assert.equal(kept[key], false, key);
});

browserTest("Escape gives a field its text back, Enter keeps it", {}, async (app) => {
    await app.open(start);
    await app.fill("micro_batch_size", "2");
    await app.waitForHash(/&mb=2&/);
    await app.press("Escape");
    await app.waitForHash(/^#v=1&m=deepseek-v3&z=1$/);
    assert.ok(!(await app.item("micro_batch_size")).status.includes("active"));
    await app.fill("micro_batch_size", "4");
    await app.press("Enter");
    await app.waitForHash(/&mb=4&/);
    assert.ok(!(await app.item("micro_batch_size")).status.includes("active"));
    // A list: Escape shuts it and changes nothing, Enter takes.
    await app.field("precision");
    await app.click("precision");
    await app.item("fp16");
    await app.press("Escape");
    await app.gone("fp16");
    await app.waitForHash(/&mb=4&/);
});

// The borders between the columns: moved by mouse and keyboard, remembered, and sane in every window.
import assert from "node:assert/strict";

import { chromium } from "./chromium.mjs";
import { browserTest, useBrowser } from "./page.mjs";

useBrowser();

const start = "#v=1&m=deepseek-v3&z=1";
const wide = { width: 1440, height: 900 };

// Where the border stands, in CSS pixels from the left edge.
async function place(app, label) {
    const { x } = await app.item(label);
    return Math.round(x) + 3; // the rest of it lies to the right
}

async function drag(app, label, by) {
    const { x, y, w, h } = await app.item(label);
    const from = x + w / 2;
    await app.page.mouse.move(from, y + h / 2);
    await app.page.mouse.down();
    for (const share of [0.3, 0.7, 1]) await app.page.mouse.move(from + by * share, y + h / 2 + 20);
    await app.page.mouse.up();
    await app.moveAway();
    await app.settle();
}

const cursor = (app) => app.page.evaluate(() => document.getElementById("canvas").style.cursor);

browserTest("both borders are dragged, a double click takes them back", wide, async (app) => {
    await app.open(start);
    assert.equal(await place(app, "inputs-border"), 336);
    assert.equal(await place(app, "explain-border"), 1440 - 300);
    await drag(app, "inputs-border", 80);
    await drag(app, "explain-border", -60);
    assert.equal(await place(app, "inputs-border"), 416);
    assert.equal(await place(app, "explain-border"), 1080);
    const bar = await app.item("rank 0");
    assert.ok(bar.x >= 416 && bar.x + bar.w <= 1080, "the columns follow");

    await app.reload(); // remembered
    assert.equal(await place(app, "inputs-border"), 416);
    assert.equal(await place(app, "explain-border"), 1080);

    for (const [label, first] of [["inputs-border", 336], ["explain-border", 1140]]) {
        const { x, y, w, h } = await app.item(label);
        await app.page.mouse.move(x + w / 2, y + h / 2);
        await app.settle();
        assert.equal(await cursor(app), "ew-resize");
        await app.page.mouse.dblclick(x + w / 2, y + h / 2);
        await app.moveAway();
        assert.equal(await place(app, label), first);
    }
    assert.notEqual(await cursor(app), "ew-resize");
});

// Firefox's driver counts no clicks from command to command.
browserTest("a double click with a long pause and a long hold", { ...wide, only: chromium }, async (app) => {
    await app.open(start);
    await drag(app, "inputs-border", 80);
    const { x, y, w, h } = await app.item("inputs-border");
    const mouse = app.page.mouse;
    await mouse.move(x + w / 2, y + h / 2);
    await mouse.down();
    await mouse.up();
    await app.page.waitForTimeout(450); // what is a double click is the system's to say
    await mouse.down({ clickCount: 2 });
    const frames = await app.page.evaluate(() => window.megamem.frames());
    await app.page.waitForFunction((before) => window.megamem.frames() > before + 3, frames);
    await mouse.up({ clickCount: 2 });
    await app.moveAway();
    assert.equal(await place(app, "inputs-border"), 336);
});

browserTest("no column gets too narrow, in any window", wide, async (app) => {
    await app.open(start);
    await drag(app, "inputs-border", -400);
    await drag(app, "explain-border", 400);
    assert.equal(await place(app, "inputs-border"), 264);
    assert.equal(await place(app, "explain-border"), 1440 - 220);
    await drag(app, "inputs-border", 1200);
    assert.equal(await place(app, "inputs-border"), 1440 - 420 - 220);
    // A narrow window takes what it must, and a wide one has it all again.
    await app.page.setViewportSize({ width: 800, height: 700 });
    await app.page.waitForFunction(() => document.getElementById("canvas").width === 800);
    assert.equal(await place(app, "inputs-border"), 800 - 420);
    await app.page.setViewportSize(wide);
    await app.page.waitForFunction(() => document.getElementById("canvas").width === 1440);
    assert.equal(await place(app, "inputs-border"), 1440 - 420 - 220);
    // On a phone there is one column.
    await app.page.setViewportSize({ width: 390, height: 700 });
    await app.page.waitForFunction(() => document.getElementById("canvas").width === 390);
    await app.settle();
    assert.equal(await app.find("inputs-border"), undefined);
});

browserTest("arrow keys move the border that has the focus", wide, async (app) => {
    await app.open(start);
    await app.click("inputs-border"); // a click gives the focus and moves nothing
    assert.equal(await place(app, "inputs-border"), 336);
    for (const key of ["ArrowRight", "ArrowRight", "ArrowLeft", "ArrowRight"]) {
        await app.press(key);
        await app.settle();
    }
    assert.equal(await place(app, "inputs-border"), 368);
    await app.press("Enter");
    await app.settle();
    assert.equal(await place(app, "inputs-border"), 336);
    // On their way from column to column the keys pass the borders.
    await app.click("attention.weight");
    for (let i = 0; i < 6; i++) {
        await app.press("ArrowLeft");
        await app.settle();
    }
    assert.equal(await place(app, "inputs-border"), 336);
});

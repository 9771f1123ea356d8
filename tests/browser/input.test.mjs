// Input beyond plain keys and clicks: composed text, touch, the browser's own keys, Escape and Enter, cursors, odd
// pixel ratios.
import assert from "node:assert/strict";

import { browserTest, scenarioOf, useBrowser } from "./page.mjs";
import { countHues } from "./png.mjs";

useBrowser();

const start = "#v=1&m=deepseek-v3&z=1";
const nameOf = async (app) => scenarioOf(await app.hash()).name;
const focused = (app) => app.page.evaluate(() => document.activeElement.id);

browserTest("Chinese is composed: shown while it is, taken once at its end", {}, async (app) => {
    await app.open(start);
    await app.click("name");
    await app.press("Control+A");
    await app.press("Delete");
    assert.equal(await focused(app), "text-input");
    const session = await app.page.context().newCDPSession(app.page);
    for (const text of ["n", "ni", "nihao"]) {
        await session.send("Input.imeSetComposition", { text, selectionStart: text.length, selectionEnd: text.length });
    }
    const composing = app.page.locator("#text-input.composing");
    await composing.waitFor();
    assert.equal(await composing.inputValue(), "nihao");
    assert.equal(await composing.evaluate((element) => getComputedStyle(element).opacity), "1");
    const caret = await composing.boundingBox();
    const field = await app.find("name");
    assert.ok(caret.x >= field.x - 1 && caret.x <= field.x + field.w, "it is composed at the caret");
    await session.send("Input.insertText", { text: "你好" });
    await app.waitForHash(/&n=%/);
    assert.equal(await nameOf(app), "你好");
    assert.equal(await app.page.locator("#text-input.composing").count(), 0);
    // A composition that is given up leaves nothing.
    await session.send("Input.imeSetComposition", { text: "ma", selectionStart: 2, selectionEnd: 2 });
    await session.send("Input.imeSetComposition", { text: "", selectionStart: 0, selectionEnd: 0 });
    await app.type("!");
    await app.waitForHash(/%21&/);
    assert.equal(await nameOf(app), "你好!");
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

browserTest("cursors say what is under them", {}, async (app) => {
    await app.open(start);
    const cursor = async (label) => {
        const { x, y, w, h } = await app.item(label);
        await app.page.mouse.move(x + w / 2, y + h / 2);
        await app.settle();
        return app.page.evaluate(() => getComputedStyle(document.getElementById("canvas")).cursor);
    };
    assert.equal(await cursor("name"), "text");
    assert.equal(await cursor("Presets"), "default");
    assert.equal(await cursor("attention.activation"), "pointer");
});

const phone = { width: 390, height: 844, hasTouch: true, isMobile: true };

browserTest("a phone's keyboard: a tap on a field focuses the text input, within the tap", phone, async (app) => {
    await app.open(start);
    const inputs = await app.item("Inputs");
    await app.page.touchscreen.tap(inputs.x + 10, inputs.y + inputs.h / 2);
    const search = await app.item("search");
    await app.page.touchscreen.tap(search.x + 40, search.y + search.h / 2);
    assert.equal(await focused(app), "text-input");
    await app.page.keyboard.insertText("micro_batch");
    await app.item("micro_batch_size");
    const results = await app.item("Results");
    await app.page.touchscreen.tap(results.x + 10, results.y + results.h / 2);
    await app.item("rank 0");
});

browserTest("holding a finger on a bar shows what it is", phone, async (app) => {
    await app.open(start);
    const { x, y, h } = await app.item("bar 0");
    const box = { x: 0, y: 0, w: 390, h: 844 };
    const before = await app.picture(box);
    const session = await app.page.context().newCDPSession(app.page);
    await session.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [{ x: x + 40, y: y + h / 2 }] });
    await app.page.waitForTimeout(700); // the holding is what is tested
    const during = await app.picture(box);
    await session.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
    await app.settle();
    let changed = 0;
    for (let py = 0; py < during.height; py += 2)
        for (let px = 0; px < during.width; px += 2)
            if (String(during.at(px, py)) !== String(before.at(px, py))) changed++;
    assert.ok(changed > 500, `a tooltip covers something: ${changed}`);
});

for (const scale of [1.25, 2]) {
    browserTest(`${scale} device pixels to a CSS pixel: drawn by the pixel, clicks land`, { scale }, async (app) => {
        await app.open(start);
        const canvas = await app.page.evaluate(() => {
            const { width, height } = document.getElementById("canvas");
            return { width, height };
        });
        assert.deepEqual(canvas, { width: 1280 * scale, height: 720 * scale });
        await app.click("rank 3");
        await app.page.locator("#mirror-text h2", { hasText: "Rank 3, GiB" }).waitFor({ state: "attached" });
        const bar = await app.item("bar 3");
        const hues = countHues(await app.picture(bar));
        assert.ok(Object.values(hues).some((count) => count > 50), JSON.stringify(hues));
    });
}

browserTest("nothing moves by itself", { reducedMotion: "reduce" }, async (app) => {
    await app.open(start);
    const moving = await app.page.evaluate(() =>
        [...document.querySelectorAll("*")]
            .map((element) => getComputedStyle(element))
            .filter((style) => style.animationName !== "none" || /[1-9]/.test(style.transitionDuration)).length,
    );
    assert.equal(moving, 0);
    assert.equal(await app.page.evaluate(() => document.getAnimations().length), 0);
});
